import { createHash, randomUUID } from "node:crypto";
import { cookies } from "next/headers";

const COOKIE = "session";

/**
 * Replaces the sign-in of your app: each browser is a separate user, with a random secret in a cookie. Never read the user
 * from the body of a request.
 */
export function userOf(request: Request): { id: string; name: string } | undefined {
  const [, session] = /(?:^|; )session=([^;]*)/.exec(request.headers.get("cookie") ?? "") ?? [];
  return userIn(session);
}

/** Returns `undefined` for a cookie of another app, too: on localhost, apps share their cookies. */
function userIn(session: string | undefined): { id: string; name: string } | undefined {
  const [, secret, name] = /^([\w-]+)\.([\w-]*)$/.exec(session ?? "") ?? [];
  if (secret === undefined || name === undefined) return undefined;
  // The id is in the database and may be in logs. Nobody can sign in with it.
  const id = createHash("sha256").update(secret).digest("base64url");
  return { id, name: Buffer.from(name, "base64url").toString() };
}

export async function signIn(name: string): Promise<void> {
  const value = `${randomUUID()}.${Buffer.from(name.slice(0, 100)).toString("base64url")}`;
  (await cookies()).set(COOKIE, value, {
    httpOnly: true,
    sameSite: "lax",
    secure: process.env["CHAT_ORIGIN"]?.startsWith("https:") === true,
    maxAge: 30 * 24 * 60 * 60,
  });
}

export async function isSignedIn(): Promise<boolean> {
  return userIn((await cookies()).get(COOKIE)?.value) !== undefined;
}
