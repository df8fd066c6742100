import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { cookies, headers } from "next/headers";

// A stand-in for the sign-in of your app: it knows nobody, and gives each browser a user of its own. Replace it before
// others use the chat. Never read the user from the body of a request.

const COOKIE = "session";
const DAYS = 30;
/** New users for each address and hour. Each function of a host counts for itself. */
const NEW_USERS = 20;
const HOUR_MS = 60 * 60 * 1000;

const counts = new Map<string, { users: number; until: number }>();

export function userOf(request: Request): { id: string; name: string } | undefined {
  const [, session] = /(?:^|; )session=([^;]*)/.exec(request.headers.get("cookie") ?? "") ?? [];
  return userIn(session);
}

/** Only a cookie that `signIn` has written names a user. On localhost, apps share their cookies. */
function userIn(session: string | undefined): { id: string; name: string } | undefined {
  const [, signed, id, until, name, mac] =
    /^(([\w-]{36})\.(\d{1,15})\.([\w-]*))\.([\w-]{43})$/.exec(session ?? "") ?? [];
  if (signed === undefined || id === undefined || name === undefined || mac === undefined) return undefined;
  if (!timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(signed))) || Date.now() > Number(until))
    return undefined;
  return { id, name: Buffer.from(name, "base64url").toString() };
}

/** `false`: too many users came from this address. */
export async function signIn(name: string): Promise<boolean> {
  if (!mayEnter(await addressOf())) return false;
  const until = Date.now() + DAYS * 24 * HOUR_MS;
  const signed = `${randomUUID()}.${until}.${Buffer.from(name.slice(0, 100)).toString("base64url")}`;
  (await cookies()).set(COOKIE, `${signed}.${macOf(signed)}`, {
    httpOnly: true,
    sameSite: "lax",
    secure: process.env["CHAT_ORIGIN"]?.startsWith("https:") === true,
    maxAge: DAYS * 24 * 60 * 60,
  });
  return true;
}

export async function isSignedIn(): Promise<boolean> {
  return userIn((await cookies()).get(COOKIE)?.value) !== undefined;
}

function macOf(signed: string): string {
  const key = process.env["ANSWER_KEY"] ?? "";
  if (key === "") throw new Error("Set ANSWER_KEY: it signs the cookies of users, too.");
  return createHmac("sha256", `session ${key}`).update(signed).digest("base64url");
}

/** As Vercel and most proxies report it. A client can write the other entries itself. */
async function addressOf(): Promise<string> {
  const sent = await headers();
  return sent.get("x-real-ip") ?? sent.get("x-forwarded-for")?.split(",").at(-1)?.trim() ?? "";
}

function mayEnter(address: string): boolean {
  const now = Date.now();
  for (const [other, { until }] of counts) if (until <= now) counts.delete(other);
  const { users, until } = counts.get(address) ?? { users: 0, until: now + HOUR_MS };
  counts.set(address, { users: users + 1, until });
  return users < NEW_USERS;
}
