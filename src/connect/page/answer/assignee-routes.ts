import type { Context } from "hono";
import type { Assignee } from "../../../contract/contract.ts";
import { readAssignee } from "../../../runtime/internal.ts";
import { inMinutes } from "../../../words/language.ts";
import { ON_PAGE, type PageApp, type PageContext, type PageEnv, startUrl, returnUrlOf } from "../context.ts";
import { type VerifiedForm, verifiedForm } from "../csrf-forms.ts";
import { unavailable } from "../identity/identity-gate.ts";
import { answerPage } from "./answer-routes.ts";
import { ASSIGNEE_PATH, givenPage } from "./give-on.ts";
import type { HandOverTold } from "./waiting-page.ts";

/** Handles "Give to someone else", "Take back" and "Remind" of the page of a question (contract, section 6). */
export function addAssigneeRoutes(app: PageApp, context: PageContext): void {
  const { origin, elicitations, viewers } = context;

  app.post(ASSIGNEE_PATH, async (c) => {
    const submitted = await verifiedForm(c, context);
    if (submitted instanceof Response) return submitted;
    // The user waits for another one, or decides. An older page may say something else.
    const isWaiting = submitted.viewer.record.assigned !== undefined;
    switch (submitted.field("action")) {
      case "give": {
        const to = assigneeIn(submitted.field("to"));
        if (to === undefined) return unavailable(c, context, { status: 400 });
        return isWaiting ? showNow(c, submitted) : give(c, submitted, to);
      }
      case "take-back":
        return isWaiting ? give(c, submitted, undefined) : showNow(c, submitted);
      case "remind":
        return remind(c, submitted);
      default:
        return unavailable(c, context, { status: 400 });
    }
  });

  /** `to: undefined`: the user whose turn asks. */
  async function give(
    c: Context<PageEnv>,
    submitted: VerifiedForm,
    to: Assignee | undefined,
  ): Promise<Response> {
    const { elicitationId, viewer } = submitted;
    const { user, record } = viewer;
    const result = await elicitations.assign(elicitationId, user, to, ON_PAGE);
    if (result.kind === "forbidden") return showTold(c, submitted, "failed");
    if (result.kind !== "assigned" || (await elicitations.findToShow(elicitationId, user.id)) !== undefined) {
      return showNow(c, submitted);
    }
    // Of what they decided for another user, nothing is left to see.
    const given = {
      elicitationId,
      name: result.assignee?.name ?? record.request.from?.name ?? "",
      from: record.request.from?.name,
      returnUrl: returnUrlOf(record, context),
    };
    return c.html(givenPage(c.get("view"), given));
  }

  async function remind(c: Context<PageEnv>, submitted: VerifiedForm): Promise<Response> {
    const { elicitationId, viewer } = submitted;
    const result = await elicitations.remind(elicitationId, viewer.user.id, ON_PAGE);
    const { others, locale } = c.get("view").catalogue;
    switch (result.kind) {
      case "reminded":
        return showTold(c, submitted, { done: others.reminded });
      case "too-soon":
        return showTold(c, submitted, { done: others.tooSoon(inMinutes(result.retryAfterMs, locale)) });
      case "forbidden":
        return showTold(c, submitted, "failed");
      default:
        return showNow(c, submitted);
    }
  }

  /** Shows what became of the press on the page of the request. */
  async function showTold(
    c: Context<PageEnv>,
    { elicitationId, viewer }: VerifiedForm,
    handOver: HandOverTold,
  ): Promise<Response> {
    const csrfToken = await viewers.csrfToken(c.get("secret"), elicitationId);
    const page = await answerPage(c.get("view"), context, viewer, { csrfToken, handOver });
    const status = handOver === "failed" ? 422 : 200;
    return page === undefined ? unavailable(c, context, { status: 404 }) : c.html(page, status);
  }

  /**
   * Leads to the page of the request as it is now. The proof of the user whose turn asks differs while another user
   * decides. No other user may get one for a request that is not assigned, because that proof names no user.
   */
  async function showNow(c: Context<PageEnv>, { elicitationId, viewer }: VerifiedForm): Promise<Response> {
    const record = await elicitations.get(elicitationId);
    const isAsker = record?.user.id === viewer.user.id;
    if (record !== undefined && isAsker && (await viewers.sessionUser(c.req.raw)) === undefined) {
      const proof = await viewers.prove(c.get("secret"), record, viewer.user);
      c.header("set-cookie", proof, { append: true });
    }
    return c.redirect(startUrl(origin, elicitationId), 303);
  }
}

function assigneeIn(text: string | undefined): Assignee | undefined {
  try {
    return readAssignee(JSON.parse(text ?? "null")) ?? undefined;
  } catch {
    return undefined;
  }
}
