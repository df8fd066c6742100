import {
  type Draft,
  type Drafts,
  type Field,
  findSecretFields,
  initialDrafts,
  parseRequestedSchema,
} from "../../../src/form/index.ts";
import { controlHint } from "../../../src/form/hints.ts";
import { pickControl } from "../../../src/form/pick-control.ts";
import { reviewOf } from "../../../src/contract/review.ts";
import { en } from "../../../src/words/cards/en.ts";
import { fitsSlack } from "./review-text.ts";
import type { FormElicitationRequest } from "../../../src/contract/contract.ts";

/** A modal has at most 100 blocks; two are for the message and the small print. */
const MOST_FIELDS = 98;
/** The maximum length of a text in Slack's inputs. */
export const LONGEST_TEXT = 3000;

/** Whether Slack can show a form in a modal, with its fields, or the reason why it cannot. */
export type ShownForm =
  | { readonly ok: true; readonly fields: readonly Field[] }
  /** `blocked`: no client can show it. `page`: the hosted page can. `secret`: it asks for secrets. */
  | { readonly ok: false; readonly because: "blocked" | "page" | "secret" };

export function readForm(request: FormElicitationRequest): ShownForm {
  const schema = parseRequestedSchema(request.requestedSchema);
  if (!schema.ok) return { ok: false, because: "blocked" };
  const { fields } = schema;
  // Users must not type secrets into a third party's chat.
  if (findSecretFields(fields, request.message).length > 0) return { ok: false, because: "secret" };
  // The checkbox to remember the answer is a block, too.
  const most = request.remember === undefined ? MOST_FIELDS : MOST_FIELDS - 1;
  const review = reviewOf(request);
  const isTooMuch =
    fields.length > most || fields.some(needsMore) || (review !== undefined && !fitsSlack(review, en));
  return isTooMuch ? { ok: false, because: "page" } : { ok: true, fields };
}

/** The only question of a form if buttons Yes and No can answer it without a modal. */
export function loneYesNo(form: ShownForm): Field | undefined {
  const [field, ...others] = form.ok ? form.fields : [];
  return field?.kind === "boolean" && others.length === 0 ? field : undefined;
}

/** Whether a field needs more than Slack's input supports. */
function needsMore(field: Field): boolean {
  if (field.kind !== "text") return false;
  return Math.max(field.minLength ?? 0, field.default?.length ?? 0) > LONGEST_TEXT;
}

/** The values of a rating (`context.fields[name].control` is `rating`), or `undefined` for other numbers. */
export function ratingSteps(
  field: Field,
  context: FormElicitationRequest["context"],
): readonly number[] | undefined {
  if (field.kind !== "number" || pickControl(field, controlHint(context, field.name)) !== "rating")
    return undefined;
  const { minimum = 0, maximum = 0 } = field;
  return Array.from({ length: maximum - minimum + 1 }, (_, step) => minimum + step);
}

/** The initial values of the inputs: the user's earlier input, otherwise the defaults. */
export function startingDrafts(fields: readonly Field[], typed: Drafts | undefined): Drafts {
  const drafts: Record<string, Draft> = Object.create(null);
  return Object.assign(drafts, typed ?? initialDrafts(fields));
}

/** `block_id` of a field: its position, because names may be strings of any length. */
export const blockIdOf = (index: number): string => `field:${index}`;

/** The position of the field of a block, or `undefined` for other blocks. */
export function fieldIndex(blockId: unknown): number | undefined {
  const digits = typeof blockId === "string" ? /^field:(\d{1,3})$/.exec(blockId)?.[1] : undefined;
  return digits === undefined ? undefined : Number(digits);
}
