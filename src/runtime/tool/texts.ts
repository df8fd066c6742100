import type { PagePurpose, RequestedSchema } from "../../contract/contract.ts";
import type { ElicitationResult } from "../ask/question.ts";

type Refusal = Exclude<ElicitationResult, { outcome: "accepted" }>;

interface PageNames {
  tool: string;
  service: string;
  purpose: PagePurpose;
}

/** The text for the model when the user did not complete a page that a tool needs (contract, sections 2 and 5). */
export function pageRefusedText(refusal: Refusal, { tool, service, purpose }: PageNames): string {
  const { missing, unsupported, declined, failed } = PAGE_TEXTS[purpose];
  switch (refusal.outcome) {
    case "unsupported":
      return unsupported(tool, service);
    case "declined":
      return `${missing}: the user declined to ${declined(service)}${inTheirWords(refusal)}`;
    case "failed":
      return `${missing}: ${failed} ${service} failed (${refusal.reason}).`;
    default:
      return `${missing}: ${commonText(refusal)}`;
  }
}

interface PageTexts {
  readonly missing: string;
  readonly unsupported: (tool: string, service: string) => string;
  readonly declined: (service: string) => string;
  readonly failed: string;
}

const PAGE_TEXTS: Readonly<Record<PagePurpose, PageTexts>> = {
  connect: {
    missing: "Authentication required but not provided",
    unsupported: (tool, service) =>
      `Authentication required but not provided. Tool "${tool}" requires user authentication: the user needs to connect their ${service} account before this tool can be used. Do not retry this tool.`,
    declined: (service) =>
      `connect ${service}. Do not ask again in this turn; say what is missing and how to connect it.`,
    failed: "connecting",
  },
  open: pageTexts("The page was not completed", "complete a page", "the page"),
  pay: pageTexts("The payment was not made", "pay", "the payment"),
  sign: pageTexts("The signature was not given", "sign", "the signature"),
};

function pageTexts(missing: string, act: string, thing: string): PageTexts {
  return {
    missing,
    unsupported: (tool, service) =>
      `${missing}. Tool "${tool}" needs the user to ${act} at ${service}, and this chat cannot show that page. Do not retry this tool.`,
    declined: (service) => `${act} at ${service}. Do not ask again in this turn; say what is missing.`,
    failed: `${thing} at`,
  };
}

/** The text for the model when a tool did not get the information that it asked for (contract, sections 2 and 5). */
export function informationRefusedText(
  refusal: Refusal,
  names: { tool: string; requestedSchema: RequestedSchema },
): string {
  const missing = "The information was not provided";
  switch (refusal.outcome) {
    case "unsupported":
      return `Tool "${names.tool}" needs information only the user has: ${fieldNames(names.requestedSchema)} Ask for it in your answer, or go on with defaults where they exist. Do not guess.`;
    case "declined":
      return refusal.note === undefined
        ? `${missing}: the user declined to give it. Do not ask again in this turn; say what is missing.`
        : `${missing}: the user declined to give it.${inTheirWords(refusal)} Take that into account. Do not ask the same again in this turn.`;
    case "failed":
      return `${missing}: asking for it failed (${refusal.reason}).`;
    default:
      return `${missing}: ${commonText(refusal)}`;
  }
}

/** The text for the model when the user left the decision to the agent (contract, section 5). */
export const DELEGATED_TEXT =
  "The user read the question and left it to you to decide. That is neither a no nor silence: continue with this answer, and say in your reply what you chose.";

/** The text for the model when the user did not approve a draft or a tool call. */
export function notApprovedText(refusal: Refusal, subject: string): string {
  const missing = `Not approved, and not done: ${JSON.stringify(subject)}`;
  switch (refusal.outcome) {
    case "unsupported":
      return `${missing}. It needs the user's approval, and this chat cannot ask for it. Do not retry; say what is missing.`;
    case "declined":
      return refusal.note === undefined
        ? `${missing}. The user declined. Do not try the same again in this turn.`
        : `${missing}. The user declined.${inTheirWords(refusal)} Take that into account. Do not try the same again in this turn.`;
    case "failed":
      return `${missing}. Asking for the approval failed (${refusal.reason}).`;
    case "expired":
      return `${missing}: ${commonText(refusal)} Silence is no approval.`;
    default:
      return `${missing}: ${commonText(refusal)}`;
  }
}

/** The first result of a tool call that asks in the background. */
export const askedText =
  "Asked. The user has the question, and the result of this call comes later in this turn. Continue with work that does not need it. Do not ask again, and do not guess the answer. When nothing else is left, end your answer: you get the result then.";

/** The user's note as a JSON string: quoted, on one line, and separated from the text around it. */
function inTheirWords({ note }: Extract<Refusal, { outcome: "declined" }>): string {
  return note === undefined ? "" : ` The user's own words: ${JSON.stringify(note)}.`;
}

function commonText(refusal: Extract<Refusal, { outcome: "cancelled" | "expired" | "withdrawn" }>): string {
  if (refusal.outcome === "withdrawn") return "the request was withdrawn.";
  if (refusal.outcome === "expired") return `nobody answered within ${duration(refusal.afterMs)}.`;
  return "the user dismissed the request without deciding. Do not ask again in this turn; you may offer it later.";
}

/** The questions of a form, as the end of a sentence. A title may have a full stop or a question mark of its own. */
function fieldNames(schema: RequestedSchema): string {
  const names = Object.entries(schema.properties)
    .map(([name, property]) => titleOf(property) ?? name)
    .join(", ");
  return /[.?!…。？！؟]$/u.test(names) ? names : `${names}.`;
}

function titleOf(property: unknown): string | undefined {
  if (typeof property !== "object" || property === null || !("title" in property)) return undefined;
  return typeof property.title === "string" ? property.title : undefined;
}

function duration(ms: number): string {
  const [count, unit] = ms % 60_000 === 0 ? [ms / 60_000, "minute"] : [Math.round(ms / 1000), "second"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
