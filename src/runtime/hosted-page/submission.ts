import type { Context } from "hono";
import type { ElicitationOutcome } from "../../protocol/contract.ts";
import { isElicitationId, isEqual, outcomeOf } from "../core/internal.ts";
import { type PageContext, type PageEnv, startUrl } from "./context.ts";
import { notTheirs, tooMany } from "./identity-gate.ts";
import { unavailablePage } from "./identity-pages.ts";
import { type PageRequest, pageRequestOf } from "./page-request.ts";

/** Largest body of a form of ours. */
export const MAX_FORM_BYTES = 4096;

/** A form that a page of ours has sent, for this browser. */
export interface SignedForm {
  readonly elicitationId: string;
  /** Of the fields that are text. */
  readonly field: (name: string) => string | undefined;
}

/** A form that the person who was asked has sent from a page of ours. */
export type Submission = PageRequest &
  SignedForm & {
    /** How the request has ended, if it has: then nothing is to be started. */
    readonly outcome: ElicitationOutcome | undefined;
  };

/** A form with its CSRF token checked; or the refusal. Says nothing of who has sent it. */
export async function signedForm(
  c: Context<PageEnv>,
  { origin, viewers }: PageContext,
): Promise<SignedForm | Response> {
  if (!isSameOrigin(c.req.raw, origin)) return c.html(unavailablePage(), 403);
  // What cannot be parsed has no fields.
  const fields: Readonly<Record<string, unknown>> = await c.req.parseBody().catch(() => ({}));
  const field = (name: string) => {
    const value = fields[name];
    return typeof value === "string" ? value : undefined;
  };
  const elicitationId = field("elicitationId");
  const csrf = field("csrf");
  if (!isElicitationId(elicitationId) || csrf === undefined) return c.html(unavailablePage(), 400);
  const expected = await viewers.csrfToken(c.get("secret"), elicitationId);
  return isEqual(csrf, expected) ? { elicitationId, field } : c.html(unavailablePage(), 403);
}

/**
 * Who has sent a form, and about what; or the refusal. `isReturning`: what the form tells of began while the person was
 * verified, and may have taken longer than that lasts.
 */
export async function submissionOf(
  c: Context<PageEnv>,
  context: PageContext,
  { isReturning = false }: { isReturning?: boolean | undefined } = {},
): Promise<Submission | Response> {
  const form = await signedForm(c, context);
  if (form instanceof Response) return form;
  const { elicitationId } = form;
  const viewer = await context.viewers.identify(c.req.raw, c.get("secret"), elicitationId, isReturning);
  // Their chat is asked again who they are.
  if (viewer.kind === "unverified") return c.redirect(startUrl(context.origin, elicitationId), 303);
  if (viewer.kind === "other") return notTheirs(c, context, elicitationId);
  const request = pageRequestOf(context.connections, viewer);
  if (request === undefined) return c.html(unavailablePage(), 404);
  const allowed = context.limits.posts(viewer.user.id);
  if (!allowed.ok) return tooMany(c, allowed.retryAfter);
  return { ...request, ...form, outcome: outcomeOf(viewer.record) };
}

/**
 * Whether a form was sent by a page of this origin. `Origin` alone does not tell: under `Referrer-Policy: no-referrer`
 * browsers send `null` for their own forms.
 */
export function isSameOrigin(request: Request, origin: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  return site === null ? request.headers.get("origin") === origin : site === "same-origin";
}
