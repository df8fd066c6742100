import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import { discover, verify } from "./access-tokens.ts";
import type { OAuthServer } from "./oauth-server.ts";
import { serve } from "./ports.ts";

/** The scope that a token needs. */
export const MAIL_SCOPE = "mail:send";

export const MAIL_ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="#b45309"/><g fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"><rect x="10" y="13" width="20" height="14" rx="2"/><path d="M11 15l9 7 9-7"/></g></svg>',
)}`;

const mail = z.object({ subject: z.string().min(1).max(200) });

/**
 * A mail service with its own API, which is not an MCP server. `POST /send` sends a mail from the account of the token. A
 * user can have several accounts there. It does not deliver the mail.
 */
export async function startMail({
  port,
  oauth,
}: {
  port: number;
  oauth: Pick<OAuthServer, "issuer" | "registerResource">;
}): Promise<{ origin: string; close: () => Promise<void> }> {
  const server = await discover(oauth.issuer);
  const served = await serve({
    name: "mail",
    host: "127.0.0.1",
    port,
    handle: (origin) =>
      new Hono().post("/send", bodyLimit({ maxSize: 16 * 1024 }), async (c) => {
        const token = /^Bearer (.+)$/.exec(c.req.header("authorization") ?? "")?.[1] ?? "";
        const info = await verify(token, new URL(origin), server).catch(() => undefined);
        if (info === undefined) return c.json({ error: "The token is not valid here." }, 401);
        if (!info.scopes.includes(MAIL_SCOPE)) {
          c.header("www-authenticate", `Bearer error="insufficient_scope", scope="${MAIL_SCOPE}"`);
          return c.json({ error: "The token may not send." }, 403);
        }
        const sent = mail.safeParse(await c.req.json().catch(() => undefined));
        if (!sent.success) return c.json({ error: "Send a subject of 1 to 200 characters." }, 400);
        return c.json({ from: `${String(info.extra?.["sub"])}@mail.example`, subject: sent.data.subject });
      }).fetch,
  });
  oauth.registerResource(new URL(served.origin).href, { title: "Demo mail", scope: MAIL_SCOPE });
  return served;
}
