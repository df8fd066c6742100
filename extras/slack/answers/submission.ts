import { type Draft, type Drafts, type Field, validate } from "../../../src/form/index.ts";
import { formatNumber } from "../../../src/form/number-text.ts";
import type { ControlName } from "../../../src/form/pick-control.ts";
import { ratingSteps } from "../../../src/form/present-field.ts";
import { askingField } from "../../../src/form/steps.ts";
import type {
  ContentError,
  ElicitationContent,
  ElicitationResponse,
  FormElicitationRequest,
  ElicitationRequest,
} from "../../../src/contract/contract.ts";
import { isObject } from "../../../src/contract/json.ts";
import type { Catalogue } from "../../../src/words/cards/catalogue.ts";
import { errorText } from "../../../src/words/cards/limit-words.ts";
import { type SlackLanguage, english, cleanText, shorten } from "../blocks/text.ts";
import { blockIdOf, presentedIn, readForm } from "../blocks/form-fields.ts";
import { readRemember } from "../blocks/remember-box.ts";
import type { AnswerLine } from "../blocks/request-message.ts";
import type { Clock } from "../../../src/base/clock.ts";
import type { SurfaceTurn } from "../../../src/runtime/internal.ts";

/** The reply to a submission, with errors that Slack shows beside the inputs. */
export interface SubmissionErrors {
  readonly response_action: "errors";
  readonly errors: Readonly<Record<string, string>>;
}

/**
 * Reads `view.state.values` of a submitted modal. Returns the answer, or the errors to reply with. Validates the values
 * as the server does. `undefined`: the request is not a form that a modal can show.
 */
export function readSubmission(
  request: FormElicitationRequest,
  values: unknown,
  language: SlackLanguage = english,
): { answer: ElicitationResponse; errors?: undefined } | { errors: SubmissionErrors } | undefined {
  const form = readForm(request);
  if (!form.ok) return undefined;
  const drafts = readDrafts(request, values) ?? {};
  const checked = validate(form.fields, drafts);
  const { elicitationId } = request;
  if (checked.ok) {
    const remember = request.remember !== undefined && readRemember(values);
    const answer = { elicitationId, action: "accept", content: checked.content } as const;
    return { answer: { ...answer, ...(remember && { remember }) } };
  }
  const errors = Object.entries(checked.errors).map(([field, error]) => ({ field, ...error }));
  return { errors: submissionErrors(form.fields, errors, language) };
}

/**
 * Reads the values of a modal's inputs, to open it with them again. `undefined`: the request is not a form that a modal
 * can show.
 */
export function readDrafts(request: FormElicitationRequest, values: unknown): Drafts | undefined {
  const form = readForm(request);
  if (!form.ok) return undefined;
  const drafts: Record<string, Draft> = Object.create(null);
  const present = presentedIn(form.fields, request, { drafts: {}, word: "" });
  for (const [index, field] of form.fields.entries()) {
    const block = isObject(values) ? values[blockIdOf(index)] : undefined;
    const value = isObject(block) ? Object.values(block)[0] : undefined;
    const draft = isObject(value) ? draftOf(field, value, present(field).control) : undefined;
    if (draft !== undefined) drafts[field.name] = draft;
  }
  return drafts;
}

/** Assigns errors to inputs. Errors of fields that are not in the form go to the first input. */
export function submissionErrors(
  fields: readonly Field[],
  errors: readonly (Pick<ContentError, "field" | "code"> & { limit?: number | undefined })[],
  { catalogue }: SlackLanguage = english,
): SubmissionErrors {
  const byBlock: Record<string, string> = {};
  for (const { field, code, limit } of errors) {
    const index = Math.max(
      0,
      fields.findIndex(({ name }) => name === field),
    );
    const asked = fields[index];
    const message = catalogue.errors.type("");
    const text = asked === undefined ? message : errorText({ code, limit, message }, asked, catalogue);
    byBlock[blockIdOf(index)] ??= shorten(text, 2000);
  }
  return { response_action: "errors", errors: byBlock };
}

type Value = Readonly<Record<string, unknown>>;

function draftOf(field: Field, value: Value, control: ControlName): Draft | undefined {
  switch (field.kind) {
    case "text":
      return textOf(value);
    case "number":
      if (control === "rating")
        return ratingSteps(field)[indexOf(value["selected_option"]) ?? -1]?.toString();
      return stringOf(value["value"]);
    case "boolean": {
      const index = indexOf(value["selected_option"]);
      return index === undefined ? undefined : index === 0;
    }
    case "choice":
      return field.options[indexOf(value["selected_option"]) ?? -1]?.value;
    default: {
      const chosen: unknown = value["selected_options"];
      if (!Array.isArray(chosen)) return undefined;
      return chosen.flatMap((one: unknown) => field.options[indexOf(one) ?? -1]?.value ?? []);
    }
  }
}

/** From a picker, or from the input for a text that no picker can hold. */
function textOf(value: Value): string | undefined {
  const seconds = value["selected_date_time"];
  const at = new Date(typeof seconds === "number" ? seconds * 1000 : NaN);
  if (!Number.isNaN(at.getTime())) return at.toISOString().replace(".000Z", "Z");
  return stringOf(value["selected_date"]) ?? stringOf(value["value"]);
}

const stringOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** The position of an option, which is its value in Slack. */
function indexOf(option: unknown): number | undefined {
  const value = isObject(option) ? option["value"] : undefined;
  return typeof value === "string" && /^\d{1,4}$/.test(value) ? Number(value) : undefined;
}

/** The answers to a form as text for users. Empty if the form asks for secrets. */
export function describeAnswers(
  request: FormElicitationRequest,
  content: ElicitationContent,
  { catalogue }: SlackLanguage = english,
): readonly AnswerLine[] {
  const form = readForm(request);
  if (!form.ok) return [];
  return form.fields.flatMap((field) => {
    const value = Object.hasOwn(content, field.name) ? content[field.name] : undefined;
    if (value === undefined) return [];
    const words = cleanText(wordsOf(field, value, catalogue));
    const { label } = askingField(field, form.fields);
    return [{ label: shorten(cleanText(label), 100), value: shorten(words, 300) }];
  });
}

function wordsOf(field: Field, value: NonNullable<ElicitationContent[string]>, catalogue: Catalogue): string {
  if (field.kind === "boolean") return value === true ? catalogue.yes : catalogue.no;
  const labels = "options" in field ? new Map(field.options.map((one) => [one.value, one.label])) : new Map();
  if (typeof value === "number" && labels.size === 0) return formatNumber(value, catalogue);
  if ("format" in field && field.format === "date") {
    return new Date(String(value)).toLocaleDateString(catalogue.locale, {
      dateStyle: "medium",
      timeZone: "UTC",
    });
  }
  const label = (one: string): string => labels.get(one) ?? one;
  return [value]
    .flat()
    .map((one) => label(String(one)))
    .join(", ");
}

/**
 * Records contain no answers, and the stores with the answers keep them for only some minutes. After that, the message
 * shows none.
 */
const LOOK_MS = 1000;

/** The user's answers to a form that Slack could show, even if the user answered it elsewhere. Never secrets. */
export async function givenAnswers(
  turn: Pick<SurfaceTurn, "settlement">,
  request: ElicitationRequest,
  { clock, language }: { readonly clock: Clock; readonly language: SlackLanguage },
): Promise<readonly AnswerLine[]> {
  if (request.mode !== "form" || request.resolution?.outcome !== "accepted") return [];
  // What another user has answered goes to the agent alone.
  if (request.resolution.by !== undefined) return [];
  const late = new AbortController();
  const cancel = clock.after(LOOK_MS, () => late.abort());
  try {
    const settlement = await turn.settlement(request.elicitationId, { signal: late.signal });
    return describeAnswers(request, settlement?.content ?? {}, language);
  } catch (error) {
    if (!late.signal.aborted) throw error;
    return [];
  } finally {
    cancel();
  }
}
