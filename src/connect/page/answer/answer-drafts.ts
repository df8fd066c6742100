import { type Draft, type Drafts, type Field, initialDrafts } from "../../../form/index.ts";
import { type Language, readNumber, writeNumber } from "../../../form/number-text.ts";
import { joinDateTime, splitDateTime } from "../../../form/date-time.ts";
import { type PresentedForm, presentField, presentForm } from "../../../form/present-field.ts";

/** The name of the control of a field. It uses the index, because names of properties may be any text. */
export function controlName(index: number): string {
  return `f${index}`;
}

/** Name of the control with the time zone of a date and time. */
export function zoneName(index: number): string {
  return `${controlName(index)}z`;
}

/**
 * Reads the drafts of a form from the submitted data. A browser omits unchecked and unselected controls, so an absent
 * value counts as "unchecked" only if the field has a default that a user can clear. A default that the user has not
 * touched stays as it is, although controls of HTML change line breaks, the order of options and the digits of a time.
 *
 * @param values the submitted values with a name, in order
 * @param language in which the user has written numbers
 */
export function readDrafts(
  fields: readonly Field[],
  values: (name: string) => readonly string[],
  language: Language,
): Drafts {
  const drafts: Record<string, Draft> = Object.create(null);
  const initial = initialDrafts(fields);
  const form = presentForm({ fields, secretFields: [], context: undefined });
  for (const [index, field] of fields.entries()) {
    const sent = { values: values(controlName(index)), zone: values(zoneName(index))[0] };
    const given = initial[field.name];
    const draft =
      given !== undefined && isUntouched(field, given, sent, language)
        ? given
        : draftOf(field, sent, { form, language });
    if (draft !== undefined) drafts[field.name] = draft;
  }
  return drafts;
}

interface Sent {
  readonly values: readonly string[];
  readonly zone: string | undefined;
}

function draftOf(
  field: Field,
  { values, zone }: Sent,
  { form, language }: { form: PresentedForm; language: Language },
): Draft | undefined {
  const [first] = values;
  switch (field.kind) {
    case "boolean":
      if (presentField(field, form, "").control === "yes-no") {
        return first === "yes" || first === "no" ? first === "yes" : undefined;
      }
      return first !== undefined || (field.default === undefined ? undefined : false);
    case "multi-choice":
      return values.length > 0 || field.default !== undefined ? chosen(field, values) : undefined;
    case "choice":
      return chosen(field, values)[0];
    case "number":
      return first === undefined ? undefined : readNumber(first, language);
    default:
      if (zone !== undefined) return first && joinDateTime({ wall: first, offset: zone });
      // Browsers send line breaks as CR and LF.
      return first?.replaceAll("\r\n", "\n");
  }
}

/** Options are sent by index, because HTML changes line breaks in values, and the empty value means no choice. */
function chosen(
  { options }: Extract<Field, { kind: "choice" | "multi-choice" }>,
  indices: readonly string[],
): readonly string[] {
  return indices.flatMap((index) => (/^\d{1,4}$/.test(index) ? (options[Number(index)]?.value ?? []) : []));
}

/** Whether the browser has sent what it was given, in its own way of writing it. */
function isUntouched(field: Field, given: Draft, { values, zone }: Sent, language: Language): boolean {
  const [first] = values;
  if (field.kind === "multi-choice") {
    const sent = new Set(chosen(field, values));
    return Array.isArray(given) && given.length === sent.size && given.every((value) => sent.has(value));
  }
  // The option of a choice comes back as its index, which no control changes.
  if (field.kind === "choice" || typeof given !== "string" || first === undefined) return false;
  if (field.kind === "number") return first === writeNumber(given, language);
  if (zone === undefined) return asSent(first) === asSent(given);
  const { wall, offset } = splitDateTime(given);
  return zone === offset && Date.parse(`${first}Z`) === Date.parse(`${wall}Z`);
}

/** A text as it comes back from a control of HTML, with one kind of line break. */
function asSent(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/\0|\p{Surrogate}/gu, "\ufffd");
}
