/** How the fake signs its requests, like Slack. */
export interface Signing {
  readonly secret: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
}

/** A request of Slack to an app: a body with its signature. */
export async function signedRequest(
  url: string,
  body: { readonly contentType: string; readonly text: string },
  { secret, timestamp }: Signing,
  headers: Readonly<Record<string, string>> = {},
): Promise<Request> {
  return new Request(url, {
    method: "POST",
    headers: {
      "content-type": body.contentType,
      "user-agent": "Slackbot 1.0 (+https://api.slack.com/robots)",
      "x-slack-request-timestamp": String(timestamp),
      "x-slack-signature": await signatureOf(secret, timestamp, body.text),
      ...headers,
    },
    body: body.text,
  });
}

async function signatureOf(secret: string, timestamp: number, body: string): Promise<string> {
  const bytes = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes.encode(secret), algorithm, false, ["sign"]);
  const mac = await crypto.subtle.sign("HMAC", key, bytes.encode(`v0:${timestamp}:${body}`));
  return `v0=${Array.from(new Uint8Array(mac), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
