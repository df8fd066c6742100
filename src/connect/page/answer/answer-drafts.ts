import { type Draft, type Drafts, type Field, initialDrafts } from "../../../form/index.ts";
import { type Language, readNumber, writeNumber } from "../../../form/number-text.ts";
import { pickControl } from "../../../form/pick-control.ts";
import { questionsOf } from "../../../form/steps.ts";

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
  const isAlone = questionsOf(fields).length === 1;
  for (const [index, field] of fields.entries()) {
    const sent = { values: values(controlName(index)), zone: values(zoneName(index))[0] };
    const given = initial[field.name];
    const draft =
      given !== undefined && isUntouched(field, given, sent, language)
        ? given
        : draftOf(field, sent, { isAlone, language });
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
  { isAlone, language }: { isAlone: boolean; language: Language },
): Draft | undefined {
  const [first] = values;
  switch (field.kind) {
    case "boolean":
      if (pickControl(field, undefined, isAlone) === "yes-no") {
        return first === undefined ? undefined : first === "yes";
      }
      return first !== undefined || (field.default === undefined ? undefined : false);
    case "multi-choice":
      return values.length > 0 || field.default !== undefined ? chosen(field, values) : undefined;
    case "choice":
      return chosen(field, values)[0];
    case "number":
      return first === undefined ? undefined : readNumber(first, language);
    default:
      if (zone !== undefined) return withZone(first, zone);
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
  if (typeof given !== "string" || first === undefined) return false;
  if (field.kind === "number") return first === writeNumber(given, language);
  if (zone === undefined) return asSent(first) === asSent(given);
  const { local, zone: givenZone } = splitDateTime(given);
  return zone === givenZone && Date.parse(`${first}Z`) === Date.parse(`${local}Z`);
}

/** A text as it comes back from a control of HTML, with one kind of line break. */
function asSent(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/\0|\p{Surrogate}/gu, "\ufffd");
}

/** RFC 3339 from the value of a `datetime-local` control and an offset. */
function withZone(local: string | undefined, zone: string): string | undefined {
  if (local === undefined || local === "") return local;
  return `${/T\d\d:\d\d$/.test(local) ? `${local}:00` : local}${zone}`;
}

/** The values of the two controls of a date and time: for `datetime-local`, and the offset. */
export function splitDateTime(draft: Draft | undefined): { local: string; zone: string } {
  const [, local = "", zone = "Z"] =
    typeof draft === "string"
      ? (/^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)\d*([Zz]|[+-]\d\d:\d\d)$/.exec(draft) ?? [])
      : [];
  return { local: local.replace(/[t ]/, "T"), zone: zone.toUpperCase() };
}
