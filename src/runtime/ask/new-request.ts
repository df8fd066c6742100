import type {
  ElicitationContent,
  ElicitationRequest,
  RememberOffer,
  RequestedSchema,
  ServiceInfo,
} from "../../contract/contract.ts";
import { parseElicitationRequest } from "../../contract/guard.ts";
import { isThirdParty } from "../../contract/claimed-name.ts";
import { findSecretFields, parseRequestedSchema } from "../../form/index.ts";
import { type FormQuestion, type Question, decisiveWords } from "./question.ts";
import { ElicitorError, KitError } from "../../contract/kit-error.ts";
import { checkContent } from "../../form/check-content.ts";
import { REMEMBERED_DAYS } from "../request/features/remembering.ts";
import type { ElicitationRecord } from "../ports/index.ts";

const MAX_ICON_LENGTH = 8 * 1024;

interface RequestOptions {
  /** Milliseconds since the epoch. */
  expiresAt: number;
  /** Milliseconds since the epoch. Not after `expiresAt`: the user cannot get more time. */
  extendableUntil: number;
  /** The origin of the kit's hosted page, which also works where the chat has not opened its window. */
  hostedPageOrigin: string | undefined;
  /** Whether a sentence of the user may fill in a form. */
  takesSentence: ((request: ElicitationRequest) => boolean) | undefined;
  /** Whether answers can be remembered. */
  remembers: boolean;
  /** Whether the user may leave the decision to the agent. */
  delegates: boolean;
}

/** Creates the request of a question. Throws if clients would reject it, because the turn would wait in vain. */
export function requestOf(
  question: Question,
  elicitationId: string,
  options: RequestOptions,
): ElicitationRequest {
  const parsed = parseElicitationRequest(makeRequest(question, elicitationId, options));
  if (parsed.ok) return parsed.value;
  throw new KitError(`elicit-kit: this question cannot be asked: ${parsed.reason}.`);
}

function makeRequest(question: Question, elicitationId: string, options: RequestOptions): ElicitationRequest {
  const { message, requester, context, round, toolCallId } = question;
  const { expiresAt, extendableUntil } = options;
  const common = {
    type: "elicitation-request" as const,
    elicitationId,
    message,
    expiresAt: timeOf(expiresAt),
    ...(extendableUntil > expiresAt && { extendableUntil: timeOf(extendableUntil) }),
    ...(requester !== undefined && { requester }),
    ...(context !== undefined && { context }),
    ...(round !== undefined && { round }),
    ...(toolCallId !== undefined && { toolCallId }),
  };
  if (question.mode === "form") {
    const remember = options.remembers ? offerOf(question) : undefined;
    const { fallback, delegate = false } = question;
    if (delegate) ensureFits(question.requestedSchema, fallback);
    const form = {
      ...common,
      mode: "form" as const,
      requestedSchema: question.requestedSchema,
      ...(remember !== undefined && { remember }),
      ...(delegate && options.delegates && { delegate }),
    };
    // Clients would offer a text field for sentences that are not read, and a link to a page that does not exist.
    const { takesSentence: _, worksByLink: __, ...hints }: Record<string, unknown> = context ?? {};
    const takes = options.takesSentence?.(form) === true && { takesSentence: true };
    const byLink = options.hostedPageOrigin !== undefined && { worksByLink: true };
    if (context === undefined && !takes && !byLink) return form;
    return { ...form, context: { trigger: "tool", ...hints, ...takes, ...byLink } };
  }
  const url = typeof question.url === "string" ? question.url : question.url(elicitationId);
  if (!URL.canParse(url))
    throw new KitError(
      "elicit-kit: the URL of a question must be absolute, such as https://auth.example.com/connect. The invalid value is not shown because a URL may contain secrets.",
    );
  const { acceptMeans, service, purpose } = question;
  if (service !== undefined) ensureIcon(service);
  const worksByLink = new URL(url).origin === options.hostedPageOrigin;
  return {
    ...common,
    mode: "url",
    url,
    ...(acceptMeans && { acceptMeans }),
    ...(service && { service }),
    ...(purpose && { purpose }),
    // A client offers a plain link to a trusted page only if that page works without a window of the chat.
    ...(worksByLink && { context: { trigger: "tool", ...context, worksByLink } }),
  };
}

/** Throws if the fallback of a question is no valid answer to it. */
export function ensureFits(schema: RequestedSchema, fallback: ElicitationContent | undefined): void {
  if (fallback === undefined) {
    throw new ElicitorError(
      "elicit-kit: `delegate` needs a `fallback`: the answer if the user leaves it to you.",
    );
  }
  const checked = checkContent(schema, fallback);
  if (checked.ok) return;
  const reasons = checked.errors.map(({ field, message }) => `${field} ${message}`).join("; ");
  throw new ElicitorError(`elicit-kit: The fallback does not fit its own question: ${reasons}.`);
}

const timeOf = (ms: number): string => new Date(ms).toISOString();

/** `undefined`: the answer of the question cannot be remembered. */
function offerOf(question: FormQuestion): RememberOffer | undefined {
  const { remember, tool, message, requestedSchema } = question;
  if (remember === undefined || tool === undefined) return undefined;
  // The name of a third party is not verified, so another one could ask tomorrow.
  if (isThirdParty(question) || !("subtle" in crypto)) return undefined;
  const parsed = parseRequestedSchema(requestedSchema);
  if (!parsed.ok) return undefined;
  if (remember !== true && "scope" in remember) return { days: REMEMBERED_DAYS, scope: remember.scope };
  if (parsed.fields.length === 0 || findSecretFields(parsed.fields, message).length > 0) return undefined;
  const { kind, days = REMEMBERED_DAYS } = remember === true ? {} : remember;
  return { days, ...(kind !== undefined && { kind }) };
}

/** Loading a remote icon would reveal to its host that a user is being asked. */
function ensureIcon({ iconDataUrl = "data:image/" }: ServiceInfo): void {
  if (iconDataUrl.startsWith("data:image/") && iconDataUrl.length <= MAX_ICON_LENGTH) return;
  throw new KitError(
    `elicit-kit: the icon of a service must be a data: URL of an image with at most ${MAX_ICON_LENGTH} characters.`,
  );
}

/** An earlier run of the turn has asked another question under the same id. Its answer must not be used. */
export class QuestionChanged extends KitError {
  constructor() {
    super(
      "elicit-kit: a question with this elicitationId was asked before, and asked for something else. Its answer is not used. Give a question that has changed another id.",
    );
  }
}

/** Throws if `known`, the record with the question's id, has another question than `asked`. */
export function ensureSameQuestion(
  known: ElicitationRecord,
  asked: ElicitationRecord,
  question: Question,
): void {
  if (contentOf(known, question) !== contentOf(asked, question)) throw new QuestionChanged();
}

/** The content of a question that its answer depends on. With a key, the message may differ. */
function contentOf({ request, signIn }: ElicitationRecord, question: Question): string {
  const { mode } = request;
  const words = question.key === undefined && decisiveWords(question) !== undefined && request.message;
  if (mode === "form") return JSON.stringify([mode, request.requestedSchema, words]);
  return JSON.stringify([mode, request.url, request.service?.name, signIn?.url, signIn?.scope, words]);
}
