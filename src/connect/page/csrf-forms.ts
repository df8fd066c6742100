import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ElicitationOutcome } from "../../contract/contract.ts";
import { outcomeOf } from "../../runtime/internal.ts";
import { isElicitationId } from "../../base/ids.ts";
import { readBytes } from "../../base/read-body.ts";
import { isEqual } from "../../base/seal.ts";
import { type PageContext, type PageEnv, startUrl } from "./context.ts";
import { tooMany, unavailable } from "./identity/identity-gate.ts";
import { type PageRequest, pageRequestOf } from "./page-connector.ts";
import type { Viewer } from "./identity/viewer.ts";

/** A form of this page that was submitted from this browser. */
export interface SignedForm {
  readonly elicitationId: string;
  /** A field that was submitted once, as text. */
  readonly field: (name: string) => string | undefined;
  /** All texts that were submitted under a name, in order. */
  readonly values: (name: string) => readonly string[];
}

/** A form that the user who was asked has submitted from this page. */
export interface VerifiedForm extends SignedForm {
  readonly viewer: Extract<Viewer, { kind: "verified" }>;
}

/** A form about a connection that the user who was asked has submitted from this page. */
export type Submission = PageRequest &
  SignedForm & {
    /** The outcome of the request, if it has ended. Then no sign-in may be started. */
    readonly outcome: ElicitationOutcome | undefined;
  };

/** How a form of this page is read. */
interface FormRules {
  /** Bytes. A larger form is refused. @default MAX_FORM_BYTES */
  readonly maxBytes?: number | undefined;
  /**
   * The form reports on an action that began while the user was verified, and that may have taken longer than the proof is
   * valid. @default false
   */
  readonly isReturning?: boolean | undefined;
}

/** Checks the CSRF token of a form. Returns the form, or the refusal. It does not identify the user. */
export async function signedForm(
  c: Context<PageEnv>,
  context: PageContext,
  { maxBytes }: FormRules = {},
): Promise<SignedForm | Response> {
  const { origin, viewers } = context;
  if (!isSameOrigin(c.req.raw, origin)) return unavailable(c, context, { status: 403 });
  const fields = await readFields(c.req.raw, maxBytes);
  const values = (name: string) =>
    fields.getAll(name).filter((value): value is string => typeof value === "string");
  const field = (name: string) => (values(name).length === 1 ? values(name)[0] : undefined);
  const elicitationId = field("elicitationId");
  const csrf = field("csrf");
  if (!isElicitationId(elicitationId) || csrf === undefined) return unavailable(c, context, { status: 400 });
  const expected = await viewers.csrfToken(c.get("secret"), elicitationId);
  return isEqual(csrf, expected)
    ? { elicitationId, field, values }
    : unavailable(c, context, { status: 403 });
}

/** Checks a form and its user. Returns both, or the refusal. */
export async function verifiedForm(
  c: Context<PageEnv>,
  context: PageContext,
  { maxBytes, isReturning = false }: FormRules = {},
): Promise<VerifiedForm | Response> {
  const form = await signedForm(c, context, { maxBytes });
  if (form instanceof Response) return form;
  const { elicitationId } = form;
  const viewer = await context.viewers.identify(c.req.raw, c.get("secret"), elicitationId, isReturning);
  // Ask the user's chat again to identify them.
  if (viewer.kind === "unverified") return c.redirect(startUrl(context.origin, elicitationId), 303);
  if (viewer.kind === "other") {
    return unavailable(c, context, { status: 404, elicitationId, user: viewer.user });
  }
  const allowed = context.limits.posts(viewer.user.id);
  return allowed.ok ? { ...form, viewer } : tooMany(c, allowed.retryAfter);
}

/** The same check for a form about a connection. */
export async function submissionOf(
  c: Context<PageEnv>,
  context: PageContext,
  rules?: FormRules,
): Promise<Submission | Response> {
  const form = await verifiedForm(c, context, rules);
  if (form instanceof Response) return form;
  const request = pageRequestOf(context, form.viewer);
  if (request === undefined) return unavailable(c, context, { status: 404 });
  return { ...request, ...form, outcome: outcomeOf(form.viewer.record) };
}

/** The largest body of a form of this page. */
export const MAX_FORM_BYTES = 4096;

/** Reads the fields of a form. A body that cannot be read has none. Refuses a larger body with an `HTTPException`. */
export async function readFields(request: Request, maxBytes = MAX_FORM_BYTES): Promise<FormData> {
  const bytes = await readBytes(request, { maxBytes }).catch(() => new Uint8Array());
  if (!(bytes instanceof Uint8Array)) throw new HTTPException(413);
  const type = request.headers.get("content-type");
  const body = new Response(bytes, { headers: type === null ? {} : { "content-type": type } });
  return body.formData().catch(() => new FormData());
}

/**
 * Whether a form was submitted from a page of this origin. `Origin` is not enough: under `Referrer-Policy: no-referrer`,
 * browsers send `null` for a page's own forms.
 */
export function isSameOrigin(request: Request, origin: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  return site === null ? request.headers.get("origin") === origin : site === "same-origin";
}
