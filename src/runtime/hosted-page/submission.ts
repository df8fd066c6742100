import type { Context } from "hono";
import type { ElicitationOutcome } from "../../protocol/contract.ts";
import type { User } from "../core/index.ts";
import { outcomeOf } from "../core/internal.ts";
import type { PageContext, PageEnv } from "./context.ts";
import { tooManyPage, unavailablePage } from "./pages.ts";
import type { Subject } from "./subject.ts";
import { isEqual } from "./viewer.ts";

/** Largest body of a form of ours. */
export const MAX_FORM_BYTES = 4096;

/** A form that the person who was asked has sent from a page of ours. */
export type Submission = Subject & {
  readonly user: User;
  /** How the request has ended, if it has: then nothing is to be started. */
  readonly outcome: ElicitationOutcome | undefined;
  /** Of the fields that are text. */
  readonly field: (name: string) => string | undefined;
};

/** Who has sent a form, and about what; or the refusal. */
export async function submissionOf(
  c: Context<PageEnv>,
  context: PageContext,
): Promise<Submission | Response> {
  const { viewers, limits } = context;
  if (!isSameOrigin(c.req.raw, context.origin)) return c.html(unavailablePage(), 403);
  // What cannot be parsed has no fields.
  const fields: Readonly<Record<string, unknown>> = await c.req.parseBody().catch(() => ({}));
  const field = (name: string) => {
    const value = fields[name];
    return typeof value === "string" ? value : undefined;
  };
  const elicitationId = field("elicitationId");
  const csrf = field("csrf");
  if (elicitationId === undefined || csrf === undefined) return c.html(unavailablePage(), 400);
  const secret = c.get("secret");
  if (!isEqual(csrf, await viewers.csrfToken(secret, elicitationId))) return c.html(unavailablePage(), 403);
  const subject = await context.findSubject(c.req.raw, secret, elicitationId);
  if (subject === undefined) return c.html(unavailablePage(), 404);
  if (subject.viewer.kind !== "verified") return c.html(unavailablePage(), 403);
  if (!limits.posts(subject.viewer.user.id).ok) return c.html(tooManyPage(), 429);
  return { ...subject, user: subject.viewer.user, outcome: outcomeOf(subject.record), field };
}

/**
 * Whether a form was sent by a page of this origin. `Origin` alone does not tell: under `Referrer-Policy: no-referrer`
 * browsers send `null` for their own forms.
 */
function isSameOrigin(request: Request, origin: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  return site === null ? request.headers.get("origin") === origin : site === "same-origin";
}
