import {
  type Draft,
  type Drafts,
  type Field,
  findSecretFields,
  initialDrafts,
  parseRequestedSchema,
} from "../../../src/form/index.ts";
import { type PresentedField, presentField, presentForm } from "../../../src/form/present-field.ts";
import { isYesNo } from "../../../src/form/steps.ts";
import { reviewOf } from "../../../src/contract/review.ts";
import type { Catalogue } from "../../../src/words/cards/catalogue.ts";
import { fitsSlack } from "./review-text.ts";
import type { FormElicitationRequest } from "../../../src/contract/contract.ts";

/** A modal has at most 100 blocks; two are for the message and the small print. */
const MOST_FIELDS = 98;
/** The maximum length of a text in Slack's inputs. */
export const LONGEST_TEXT = 3000;

/** The fields of a form that a modal can have, or the reason why it cannot. */
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
  const isTooMuch = fields.length > most || fields.some(needsMore);
  return isTooMuch ? { ok: false, because: "page" } : { ok: true, fields };
}

/** Whether Slack can show a form, and all of its review in the user's language. */
export function showForm(request: FormElicitationRequest, catalogue: Catalogue): ShownForm {
  const form = readForm(request);
  const review = reviewOf(request);
  const isCut = review !== undefined && !fitsSlack(review, catalogue);
  return form.ok && isCut ? { ok: false, because: "page" } : form;
}

/** The only question of a form if buttons Yes and No can answer it without a modal. */
export function loneYesNo(form: ShownForm): Field | undefined {
  return form.ok && isYesNo(form.fields) ? form.fields[0] : undefined;
}

/** Whether a field needs more than Slack's input supports. */
function needsMore(field: Field): boolean {
  if (field.kind !== "text") return false;
  return Math.max(field.minLength ?? 0, field.default?.length ?? 0) > LONGEST_TEXT;
}

/** How each field of a form is shown. A form that asks for secrets has no modal. */
export function presentedIn(
  fields: readonly Field[],
  { context }: FormElicitationRequest,
  { drafts, word }: { drafts: Drafts; word: string },
): (field: Field) => PresentedField {
  const form = presentForm({ fields, secretFields: [], context });
  return (field) =>
    presentField(field, form, word, Object.hasOwn(drafts, field.name) ? drafts[field.name] : undefined);
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
