import type { Draft, Drafts, Field } from "../../../form/index.ts";

/** The name of the control of a field. It uses the index, because names of properties may be any text. */
export function controlName(index: number): string {
  return `f${index}`;
}

/** Name of the control with the time zone of a date and time. */
export function zoneName(index: number): string {
  return `${controlName(index)}z`;
}

/** Whether an unanswered question must be distinguished from "no", which a checkbox cannot do. */
export function isYesNo(field: Field, { isAlone }: { isAlone: boolean }): boolean {
  return field.kind === "boolean" && (isAlone || (field.required && field.default === undefined));
}

/**
 * Reads the drafts of a form from the submitted data. A browser omits unchecked and unselected controls, so an absent
 * value counts as "unchecked" only if the field has a default that a user can clear.
 *
 * @param values the submitted values with a name, in order
 */
export function readDrafts(fields: readonly Field[], values: (name: string) => readonly string[]): Drafts {
  const drafts: Record<string, Draft> = Object.create(null);
  const isAlone = fields.length === 1;
  for (const [index, field] of fields.entries()) {
    const sent = values(controlName(index));
    const draft = draftOf(field, sent, { isAlone, zone: values(zoneName(index))[0] });
    if (draft !== undefined) drafts[field.name] = draft;
  }
  return drafts;
}

function draftOf(
  field: Field,
  sent: readonly string[],
  { isAlone, zone }: { isAlone: boolean; zone: string | undefined },
): Draft | undefined {
  const [first] = sent;
  switch (field.kind) {
    case "boolean":
      if (isYesNo(field, { isAlone })) return first === undefined ? undefined : first === "yes";
      return first !== undefined || (field.default === undefined ? undefined : false);
    case "multi-choice":
      return sent.length > 0 || field.default !== undefined ? sent : undefined;
    case "choice":
      return first === "" ? undefined : first;
    case "text":
      if (field.format === "date-time") return withZone(first, zone);
      // Browsers send line breaks as CR and LF.
      return first?.replaceAll("\r\n", "\n");
    default:
      return first;
  }
}

/** RFC 3339 from the value of a `datetime-local` control and an offset. */
function withZone(local: string | undefined, zone = "Z"): string | undefined {
  if (local === undefined || local === "") return local;
  return `${/T\d\d:\d\d$/.test(local) ? `${local}:00` : local}${zone}`;
}

/** The values of the two controls of a date and time: for `datetime-local`, and the offset. */
export function splitDateTime(draft: Draft | undefined): { local: string; zone: string } {
  const [, local = "", zone = "Z"] =
    typeof draft === "string"
      ? (/^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)([Zz]|[+-]\d\d:\d\d)$/.exec(draft) ?? [])
      : [];
  return { local: local.replace(/[t ]/, "T"), zone: zone.toUpperCase() };
}
