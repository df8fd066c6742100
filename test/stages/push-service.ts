import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import type { PushSubscription } from "web-push";
import { listen } from "./listen.ts";

/** A message that a push service delivered to a browser. */
export interface PushedMessage {
  readonly endpoint: string;
  /** The payload as the browser decrypts it. */
  readonly payload: string;
  readonly headers: IncomingMessage["headers"];
  /** The claims of the signed VAPID token. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Simulates a push service and its subscribed browsers, because tests must not reach a real one. */
export interface PushService {
  /** A browser subscribes, with its own keys. */
  subscribe(): PushSubscription;
  readonly messages: readonly PushedMessage[];
  /** The status of its replies from now on. 201: the message is accepted. */
  answer(status: number): void;
  close(): Promise<void>;
}

/** @param publicKey the VAPID key that must have signed each message */
export async function startPushService(publicKey: string): Promise<PushService> {
  const browsers = new Map<string, { keys: ReturnType<typeof createECDH>; auth: Buffer }>();
  const messages: PushedMessage[] = [];
  let status = 201;

  const server = createServer((request, response) => void receive(request, response));
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const endpoint = origin + request.url;
    const browser = browsers.get(endpoint);
    const body = await buffer(request);
    if (browser === undefined || status !== 201) {
      response.writeHead(status === 201 ? 404 : status).end();
      return;
    }
    const claims = claimsOf(request.headers.authorization ?? "", publicKey);
    messages.push({ endpoint, payload: decrypt(body, browser), headers: request.headers, claims });
    response.writeHead(201).end();
  }
  const { url: origin, close } = await listen(server);

  return {
    messages,
    answer: (next) => void (status = next),
    subscribe() {
      const keys = createECDH("prime256v1");
      keys.generateKeys();
      const auth = randomBytes(16);
      const endpoint = `${origin}/push/${randomBytes(16).toString("base64url")}`;
      browsers.set(endpoint, { keys, auth });
      const p256dh = keys.getPublicKey("base64url");
      return { endpoint, keys: { p256dh, auth: auth.toString("base64url") } };
    },
    close,
  };
}

/** RFC 8291: Message Encryption for Web Push, in one record of RFC 8188. */
function decrypt(
  body: Buffer,
  { keys, auth }: { keys: ReturnType<typeof createECDH>; auth: Buffer },
): string {
  const salt = body.subarray(0, 16);
  const keyEnd = 21 + body.readUInt8(20);
  const senderKey = body.subarray(21, keyEnd);
  const [text, tag] = [body.subarray(keyEnd, -16), body.subarray(-16)];
  const derive = (secret: Buffer, salted: Buffer, info: Buffer | string, length: number) =>
    Buffer.from(hkdfSync("sha256", secret, salted, info, length));
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), keys.getPublicKey(), senderKey]);
  const secret = derive(keys.computeSecret(senderKey), auth, info, 32);
  const key = derive(secret, salt, "Content-Encoding: aes128gcm\0", 16);
  const decipher = createDecipheriv(
    "aes-128-gcm",
    key,
    derive(secret, salt, "Content-Encoding: nonce\0", 12),
  );
  decipher.setAuthTag(tag);
  const padded = Buffer.concat([decipher.update(text), decipher.final()]);
  // A 2 ends the text of the last record, and padding follows.
  return padded.subarray(0, padded.lastIndexOf(2)).toString();
}

/** RFC 8292: the claims, once the signature has been checked. */
function claimsOf(authorization: string, publicKey: string): Readonly<Record<string, unknown>> {
  const [, token = "", key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const [header = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(publicKey, "base64url");
  const half = (start: number) => point.subarray(start, start + 32).toString("base64url");
  const jwk = createPublicKey({
    key: { kty: "EC", crv: "P-256", x: half(1), y: half(33) },
    format: "jwk",
  });
  const signed = Buffer.from(`${header}.${claims}`);
  const isSigned = verify(
    "sha256",
    signed,
    { key: jwk, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!isSigned || key !== publicKey) throw new Error("the message is not signed with the key of the app");
  return JSON.parse(Buffer.from(claims, "base64url").toString()) as Readonly<Record<string, unknown>>;
}
