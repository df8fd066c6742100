import type { Context } from "hono";
import type { Hono } from "hono/tiny";
import { TICKET_MS } from "../request/elicitation-service.ts";
import type { ElicitationService } from "../request/elicitations.ts";
import type { User } from "../../base/identity.ts";
import type { Clock } from "../../base/clock.ts";
import { isElicitationId } from "../../base/ids.ts";
import { SECRET_PATTERN } from "../../base/seal.ts";
import { createRateLimit } from "../../base/write-limit.ts";
import { refuse } from "../../base/reply.ts";

/**
 * The limit of visits per user, far above real use. They are not counted as writes, so that forged visits cannot block
 * answers.
 */
const VISITS_PER_MINUTE = 30;

/** Values of `Sec-Fetch-Dest` for a page inside a frame. */
const FRAMES = /frame|embed|object/;

/**
 * Headers of every reply. The hosted page checks the referrer, so the redirect must keep it. An app that sets
 * Cross-Origin-Opener-Policy on all its routes would cut the hosted page off from the chat's window, so the header is reset here.
 */
const HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "private, no-store",
  "referrer-policy": "strict-origin",
  "cross-origin-opener-policy": "unsafe-none",
};

const BAD_QUERY = "The query must be one challenge of 43 characters.";

/** The subject of a visit, and the path of the hosted page to return to. */
interface Visit {
  back: string;
  query: Readonly<Record<string, string>>;
  ticket: (user: User, challenge: string) => Promise<string | undefined>;
}

/**
 * The hosted page redirects the browser here to find out which user its chat session belongs to (contract, section 6).
 * The route changes nothing, so a forged visit has no effect. It always redirects to the configured hosted page. Unknown
 * requests and requests of another user get the same reply.
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

  app.all("/api/elicitations/:id/vouch", (c) => {
    const elicitationId = c.req.param("id");
    if (!isElicitationId(elicitationId)) return refused(400, BAD_QUERY);
    return visit(c, {
      back: "/auth/vouched",
      query: { elicitationId },
      ticket: (user, challenge) => elicitations.vouch(elicitationId, user, challenge),
    });
  });
  // A route for the page of a user's accounts, which does not belong to a request.
  app.all("/api/accounts/vouch", (c) =>
    visit(c, {
      back: "/auth/accounts/vouched",
      query: {},
      ticket: (user, subject) =>
        elicitations.users.seal(user, { purpose: "vouch", subject }, context.clock.now() + TICKET_MS),
    }),
  );

  async function visit(c: Context, { back, query, ticket }: Visit): Promise<Response> {
    const { raw } = c.req;
    const { pathname, searchParams } = new URL(raw.url);
    // Some routers ignore a trailing slash.
    if (pathname.endsWith("/")) return c.notFound();
    if (raw.method !== "GET")
      return new Response(null, { status: 405, headers: { ...HEADERS, allow: "GET" } });
    if (FRAMES.test(raw.headers.get("sec-fetch-dest") ?? "")) return refused(403, "Frames are not allowed.");
    const given = [...searchParams];
    const [name, challenge = ""] = given[0] ?? [];
    const isWellFormed = given.length === 1 && name === "challenge" && SECRET_PATTERN.test(challenge);
    if (!isWellFormed) return refused(400, BAD_QUERY);
    const answer = await answerTo(raw, (user) => ticket(user, challenge));
    const location = `${hostedPageOrigin}${back}?${new URLSearchParams({ ...query, ...answer })}`;
    return new Response(null, { status: 303, headers: { ...HEADERS, location } });
  }

  async function answerTo(
    request: Request,
    ticketFor: (user: User) => Promise<string | undefined>,
  ): Promise<{ ticket: string } | { error: "login" | "no" | "later" }> {
    try {
      const user = await authenticate(request);
      if (user === undefined) return { error: "login" };
      if (!limit(user.id).ok) return { error: "later" };
      const ticket = await ticketFor(user);
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
