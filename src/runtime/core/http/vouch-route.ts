import type { Hono } from "hono/tiny";
import type { ElicitationService } from "../elicitation/elicitation-service.ts";
import type { Clock, User } from "../ports.ts";
import { isElicitationId } from "../shared/ids.ts";
import { SECRET_PATTERN } from "../shared/seal.ts";
import { createRateLimit } from "./rate-limit.ts";
import { refuse } from "./reply.ts";

/** Visits of one person. Far above what people do, and a count of its own: forged visits spend no answers. */
const VISITS_PER_MINUTE = 30;

/** What a browser says it wants a page for when another page frames it. */
const FRAMES = /frame|embed|object/;

/**
 * Each reply has them. The hosted page asks where a browser comes from, so that must survive this redirect; and a
 * Cross-Origin-Opener-Policy here, of an app that sets one everywhere, would cut the page off from the chat's window.
 */
const HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "private, no-store",
  "referrer-policy": "strict-origin",
  "cross-origin-opener-policy": "unsafe-none",
};

/**
 * Where the hosted page sends a browser to learn whose chat session is in it (contract, section 6). Nothing is changed,
 * so that a visit which somebody has forged does nothing. Whatever is the case, the browser goes back to the configured
 * page; unknown, ended and somebody else's look the same.
 */
export function addVouchRoute(
  app: Hono,
  context: {
    elicitations: ElicitationService;
    clock: Clock;
    authenticate: (request: Request) => Promise<User | undefined>;
    hostedPageOrigin: string;
    onError: (error: unknown) => void;
  },
): void {
  const { elicitations, authenticate, hostedPageOrigin } = context;
  const limit = createRateLimit({ clock: context.clock, perMinute: VISITS_PER_MINUTE });

  app.all("/api/elicitations/:id/vouch", async (c) => {
    const { raw } = c.req;
    const { pathname, searchParams } = new URL(raw.url);
    // Some routers pass over a slash at the end.
    if (pathname.endsWith("/")) return c.notFound();
    if (raw.method !== "GET")
      return new Response(null, { status: 405, headers: { ...HEADERS, allow: "GET" } });
    if (FRAMES.test(raw.headers.get("sec-fetch-dest") ?? "")) return refused(403, "Frames are not allowed.");
    const elicitationId = c.req.param("id");
    const query = [...searchParams];
    const [name, challenge = ""] = query[0] ?? [];
    const isWellFormed = query.length === 1 && name === "challenge" && SECRET_PATTERN.test(challenge);
    if (!isWellFormed || !isElicitationId(elicitationId)) {
      return refused(400, "The query must be one challenge of 43 characters.");
    }
    const answer = await answerTo(raw, elicitationId, challenge);
    const back = new URLSearchParams({ elicitationId, ...answer });
    const location = `${hostedPageOrigin}/auth/vouched?${back}`;
    return new Response(null, { status: 303, headers: { ...HEADERS, location } });
  });

  async function answerTo(
    request: Request,
    elicitationId: string,
    challenge: string,
  ): Promise<{ ticket: string } | { error: "login" | "no" | "later" }> {
    try {
      const user = await authenticate(request);
      if (user === undefined) return { error: "login" };
      if (!limit(user.id).ok) return { error: "later" };
      const ticket = await elicitations.vouch(elicitationId, user.id, challenge);
      return ticket === undefined ? { error: "no" } : { ticket };
    } catch (error) {
      context.onError(error);
      return { error: "later" };
    }
  }
}

function refused(status: 400 | 403, detail: string): Response {
  const response = refuse(status, detail);
  for (const [name, value] of Object.entries(HEADERS)) response.headers.set(name, value);
  return response;
}
