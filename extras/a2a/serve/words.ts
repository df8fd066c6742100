import { type Field, initialDrafts, parseRequestedSchema, validate } from "../../../src/form/index.ts";
import type { ElicitationContent, RequestedSchema } from "../../../src/contract/contract.ts";
import { isElicitationContent } from "../../../src/contract/elicit-result.ts";
import { isObject } from "../../../src/contract/json.ts";
import { parseJson } from "../../../src/contract/parse-json.ts";

const PARAGRAPH = "\n\n";

/**
 * Writes a form as text, for clients without the extension: its message, the expected answer, and the page on which the
 * user can answer instead.
 */
export function formInWords(message: string, schema: RequestedSchema, link: string | undefined): string {
  const parsed = parseRequestedSchema(schema);
  const page = link === undefined ? [] : [`Or answer on this page: ${link}`];
  return [message, ...(parsed.ok ? [howToAnswer(parsed.fields)] : []), ...page].join(PARAGRAPH);
}

/** The answer in a text, or the reason why it is not valid, in words for the user. */
export type ReadWords =
  | { readonly ok: true; readonly action: "accept"; readonly content: ElicitationContent }
  | { readonly ok: true; readonly action: "decline" }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads an answer from text: the value of a form's only field, a JSON object, or yes and no for a form without fields. In a
 * review, yes and no are about the whole draft, and never the value of its only field.
 */
export function readWords(
  text: string,
  schema: RequestedSchema,
  { isReview = false }: { readonly isReview?: boolean } = {},
): ReadWords {
  const parsed = parseRequestedSchema(schema);
  if (!parsed.ok) return { ok: false, problem: "This form cannot be answered in words." };
  const { fields } = parsed;
  const [only] = fields;
  const said = text.trim();
  const members = objectOf(said);
  // The value of the only field may be a text that looks like JSON.
  const isForm = only === undefined || fields.length > 1 || (members && Object.hasOwn(members, only.name));
  if (isForm && isElicitationContent(members)) return { ok: true, action: "accept", content: members };
  const agrees = yesOrNo(said);
  if (isReview && only !== undefined && agrees !== undefined) {
    const unchanged = validate(fields, initialDrafts(fields));
    if (!agrees) return { ok: true, action: "decline" };
    if (unchanged.ok) return { ok: true, action: "accept", content: unchanged.content };
  }
  if (only === undefined) {
    if (agrees === undefined) return { ok: false, problem: "The last answer was neither yes nor no." };
    return agrees ? { ok: true, action: "accept", content: {} } : { ok: true, action: "decline" };
  }
  if (fields.length > 1) return { ok: false, problem: "The last answer was not a JSON object." };
  const draft = draftOf(only, said);
  const read = validate(fields, draft === undefined ? {} : { [only.name]: draft });
  if (read.ok) return { ok: true, action: "accept", content: read.content };
  const { code = "required", limit } = read.errors[only.name] ?? {};
  const reason = `${code.replaceAll("-", " ")}${limit === undefined ? "" : ` (limit ${limit})`}`;
  return { ok: false, problem: `The last answer does not fit: ${reason}.` };
}

function howToAnswer(fields: readonly Field[]): string {
  const [first, ...others] = fields;
  if (first === undefined) return "Answer with yes or no.";
  if (others.length === 0) return `Answer with: ${describe(first)}`;
  const members = fields.map((field) => `- ${JSON.stringify(field.name)}: ${describe(field)}`);
  return ["Answer with a JSON object of these members:", ...members].join("\n");
}

function describe(field: Field): string {
  const { label, description } = field;
  const about = description === undefined ? label : `${label} (${description})`;
  const kind = kindOf(field);
  return `${about}, ${kind}${field.required ? "" : ", optional"}`;
}

function kindOf(field: Field): string {
  switch (field.kind) {
    case "text":
      return field.format === undefined ? "a text" : `a text (${field.format})`;
    case "number":
      return field.integer ? "a whole number" : "a number";
    case "boolean":
      return "yes or no";
    case "choice":
      return `one of: ${namesOf(field.options)}`;
    case "multi-choice":
      return `any of: ${namesOf(field.options)}`;
  }
}

const namesOf = (options: readonly { readonly value: string; readonly label: string }[]) =>
  options.map(({ value, label }) => (label === value ? value : `${value} (${label})`)).join(", ");

function draftOf(field: Field, text: string): string | boolean | readonly string[] | undefined {
  if (field.kind === "boolean") return yesOrNo(text);
  if (field.kind === "choice") return finderOf(field.options)(text) ?? text;
  return field.kind === "multi-choice" ? chosenIn(text, field.options) : text;
}

function yesOrNo(text: string): boolean | undefined {
  if (/^(?:yes|true)$/i.test(text)) return true;
  return /^(?:no|false)$/i.test(text) ? false : undefined;
}

type Options = readonly { readonly value: string; readonly label: string }[];

/** Finds the value of an option by its value or label. */
function finderOf(options: Options): (text: string) => string | undefined {
  const byName = new Map<string, string>();
  for (const { value, label } of options.toReversed()) {
    byName.set(label.toLowerCase(), value).set(value.toLowerCase(), value);
  }
  const values = new Set(options.map(({ value }) => value));
  return (text) => (values.has(text) ? text : byName.get(text.toLowerCase()));
}

/** Reads a list with commas. A name may contain commas, so the longest one counts. */
function chosenIn(text: string, options: Options): readonly string[] {
  const find = finderOf(options);
  const most = Math.max(...options.flatMap((option) => [option.value, option.label].map(partsOf)));
  // If there are more names than options, the answer is not valid.
  const parts = text === "" ? [] : text.split(",", options.length * most + 1);
  const chosen: string[] = [];
  for (let from = 0; from < parts.length;) {
    let to = Math.min(from + most, parts.length);
    const name = () => parts.slice(from, to).join(",").trim();
    while (to > from + 1 && find(name()) === undefined) to -= 1;
    chosen.push(find(name()) ?? name());
    from = to;
  }
  return chosen;
}

const partsOf = (name: string) => name.split(",").length;

function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.startsWith("{")) return undefined;
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}
