import type { ElicitationContent, RequestedSchema } from "../../contract/contract.ts";
import { isObject } from "../../contract/json.ts";
import { ElicitorError } from "../../contract/kit-error.ts";
import { firstCharacters, visibleText } from "../../contract/visible-text.ts";
import { canonical } from "../../base/canonical.ts";
import { derivedId } from "../../base/ids.ts";
import { parseRequestedSchema } from "../../form/index.ts";
import { createFlattener } from "../../form/flat-property.ts";
import { toFormProperty } from "../../form/zod-form.ts";
import type { Elicited } from "./asked.ts";
import {
  capitalised,
  flattened,
  reviewMessage,
  reviewRows,
  showsSecret,
  spaced,
  valueOf,
} from "./review-rows.ts";

/** The values of a draft, or the arguments of a tool, by name. */
export type Draft = Readonly<Record<string, unknown>>;

/** The result of a review: the approved values, and the names of those that the user has changed. */
export type Reviewed<T> =
  | (Extract<Elicited<T>, { outcome: "accepted" }> & { readonly changed: readonly (keyof T & string)[] })
  | Exclude<Elicited<T>, { outcome: "accepted" }>;

/** A review as a form: the values that may be changed are its fields, and the message has the others as text. */
export interface ReviewForm {
  readonly message: string;
  readonly requestedSchema: RequestedSchema;
  /** Hints for the card. */
  readonly context: Readonly<Record<string, unknown>>;
  /** Identifies all values, also those that the card shows in part. */
  readonly digest: string;
}

/** The message has all of it. The limit in code points: three lines of a card. */
const LONGEST_SUBJECT = 120;
/** A longer line is shown in a text area. */
const LONGEST_LINE = 80;

/** `edit`: the names that may be changed. @default all that a form can show */
export async function reviewForm(
  subject: string,
  given: object,
  { schema, edit }: { readonly schema: Draft; readonly edit: readonly string[] | undefined },
): Promise<ReviewForm> {
  const draft = jsonOf(given);
  const flatten = createFlattener(schema);
  const { properties: described, required } = schema;
  const known = isObject(described) ? described : {};
  const schemaOf = (name: string): Draft => flattened(valueOf(known, name), flatten);
  const names = [...new Set([...Object.keys(known), ...Object.keys(draft)])];
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  const properties = (edit ?? names).flatMap((name): (readonly [string, Draft])[] => {
    const isAsked = edit !== undefined;
    const value = valueOf(draft, name) ?? undefined;
    const property = fieldOf(name, schemaOf(name), { value, isAsked });
    return property === undefined ? [] : [[name, property]];
  });
  const fields = new Set(properties.map(([name]) => name));
  const rows = reviewRows(
    names.flatMap((name) => {
      const value = valueOf(draft, name);
      return fields.has(name) || value === undefined ? [] : [{ name, value, schema: schemaOf(name) }];
    }),
    flatten,
  );
  const long = properties.filter(([, { default: value }]) => String(value).length > LONGEST_LINE);
  return {
    message: reviewMessage(subject, rows),
    requestedSchema: {
      type: "object",
      properties: Object.fromEntries(properties),
      // A value may stay as empty as it was.
      required: [...fields].filter((name) => isRequired(name) && valueOf(draft, name) !== null),
    },
    context: {
      review: { subject: visibleText(firstCharacters(subject, LONGEST_SUBJECT)), rows },
      // All values are read together.
      layout: "form",
      ...(long.length > 0 && {
        fields: Object.fromEntries(long.map(([name]) => [name, { control: "textarea" }])),
      }),
    },
    digest: await derivedId(canonical([subject, draft])),
  };
}

/** The draft as JSON. Its own values, such as a `Date`, are those that the tool gets. */
function jsonOf(draft: object): Draft {
  const text = JSON.stringify(draft, (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
  const json: unknown = JSON.parse(text);
  return isObject(json) ? json : {};
}

/** The draft with the user's answers, and the names of the values that differ. */
export function readReview<Value extends object>(
  draft: Value,
  requestedSchema: RequestedSchema,
  content: ElicitationContent,
): { readonly value: Value; readonly changed: readonly (keyof Value & string)[] } {
  const before = jsonOf(draft);
  const value = { ...draft };
  const answerTo = (name: string) => (Object.hasOwn(content, name) ? content[name] : undefined);
  // A field has the name of a value.
  const isChanged = (name: string): name is keyof Value & string =>
    !isSame(valueOf(before, name), answerTo(name));
  const changed = Object.keys(requestedSchema.properties).filter(isChanged);
  for (const name of changed) {
    const answer = answerTo(name);
    if (answer === undefined) Reflect.deleteProperty(value, name);
    else
      Object.defineProperty(value, name, {
        value: answer,
        enumerable: true,
        writable: true,
        configurable: true,
      });
  }
  return { value, changed };
}

/** The property of a field that has the value of the draft. `undefined`: it stays a row. */
function fieldOf(
  name: string,
  schema: Draft,
  { value, isAsked }: { value: unknown; isAsked: boolean },
): Draft | undefined {
  const isSecret = showsSecret(name, schema);
  if (isSecret && isAsked) {
    throw new ElicitorError(
      `elicit-kit: "${name}" is a secret, so a chat cannot edit it. Leave it out of \`edit\`.`,
    );
  }
  if (isSecret) return undefined;
  try {
    // A default of the schema would look like a value of the draft.
    const { default: _, ...shape } = toFormProperty(name, schema);
    const title = capitalised(spaced(name));
    const property = { title, ...shape, ...(value !== undefined && { default: value }) };
    const parsed = parseRequestedSchema({ type: "object", properties: { [name]: property } });
    const [field] = parsed.ok ? parsed.fields : [];
    // No client shows a default that its own field refuses, so an approval would remove it.
    if (field !== undefined) return value === undefined || field.default !== undefined ? property : undefined;
  } catch (error) {
    if (isAsked) throw error;
    return undefined;
  }
  if (!isAsked) return undefined;
  throw new ElicitorError(`elicit-kit: "${name}" cannot be a field of a form. Leave it out of \`edit\`.`);
}

/** Browsers write line breaks in their own way, and an empty text is a text that was left out. */
function isSame(before: unknown, after: unknown): boolean {
  return plain(before) === plain(after);
}

function plain(value: unknown): string {
  const text = typeof value === "string" ? value.replaceAll(/\r\n?/g, "\n").trim() : value;
  return canonical([text === "" ? null : (text ?? null)]);
}
