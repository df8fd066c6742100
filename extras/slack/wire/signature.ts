import { KitError } from "../../../src/contract/kit-error.ts";

/** The maximum difference between a request's time and the clock, in either direction. */
const SKEW_S = 300;

/** The values that are needed to check a signature. */
export interface SignatureCheck {
  /** The signing secret of the app. Several during a rotation. */
  signingSecret: string | readonly string[];
  /** Header `x-slack-request-timestamp`. */
  timestamp: string | null;
  /** Header `x-slack-signature`. */
  signature: string | null;
  /** The raw body, before parsing. */
  body: string;
  /** Milliseconds since 1970. @default Date.now() */
  now?: number | undefined;
}

/**
 * Whether a request comes from Slack: HMAC-SHA-256 of `v0:timestamp:body`, at most five minutes old. The comparison takes
 * constant time. Within those five minutes a request can be replayed, so make its effect idempotent.
 */
export async function isSignedBySlack(check: SignatureCheck): Promise<boolean> {
  const { timestamp, signature, body, now = Date.now() } = check;
  const secrets = ensureSigningSecret(check.signingSecret);
  if (timestamp === null || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now / 1000 - Number(timestamp)) > SKEW_S) return false;
  const hex = /^v0=([0-9a-f]{64})$/.exec(signature ?? "")?.[1];
  if (hex === undefined) return false;
  const given = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  const bytes = new TextEncoder();
  const signed = bytes.encode(`v0:${timestamp}:${body}`);
  for (const secret of secrets) {
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("raw", bytes.encode(secret), algorithm, false, ["verify"]);
    if (await crypto.subtle.verify("HMAC", key, given, signed)) return true;
  }
  return false;
}

/** Returns the secrets. Throws if one is missing, because anyone could sign with an empty secret. */
export function ensureSigningSecret(signingSecret: string | readonly string[]): readonly string[] {
  const given: unknown = signingSecret;
  const secrets: readonly unknown[] = Array.isArray(given) ? given : [given];
  const found = secrets.filter((secret): secret is string => typeof secret === "string" && secret !== "");
  if (found.length > 0 && found.length === secrets.length) return found;
  throw new KitError(
    'elicit-kit: the signing secret of the Slack app is missing. Copy it from "Basic Information", "App Credentials", of your app on https://api.slack.com/apps.',
  );
}
