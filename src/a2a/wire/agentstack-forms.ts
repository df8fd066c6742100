/**
 * AgentStack's extension `ui/form_request/v1`, for a client. Pure. A form with a file field cannot be shown. Columns and
 * the text of the button are lost. Its extension `auth/oauth/v1` is ignored, because it sends the authorization code in a
 * message. Source: `agentstack-sdk`, `core/extensions/common/form` (Apache-2.0).
 */
import type { ElicitationContent, RequestedSchema } from "../../contract/contract.ts";
import { isObject } from "../../contract/json.ts";
import type { AgentWords, Dialect } from "./dialect.ts";

const URI = "https://a2a-extensions.agentstack.beeai.dev/ui/form_request/v1";
/** The only option of a required checkbox. */
const TICKED = "ticked";

type Property = Readonly<Record<string, unknown>>;
type Value = ElicitationContent[string] | undefined;

interface FormField {
  readonly id: string;
  readonly type: string;
  readonly required: boolean;
  readonly property: Property;
  /** Returns the value in the agent's format. */
  valueOf(value: Value): unknown;
}

export const agentStackForms: Dialect = {
  uri: URI,
  read(state, message) {
    const form = formIn(message);
    if (state !== "input-required" || form === undefined) return undefined;
    const fields = fieldsOf(form);
    if (fields === undefined) return { ok: false, reason: "fields: expected fields that a form can show" };
    const { title, description } = form;
    const words = [title, description].filter((text) => typeof text === "string" && text !== "").join("\n");
    const requestedSchema = {
      type: "object",
      properties: Object.fromEntries(fields.map(({ id, property }) => [id, property])),
      required: fields.flatMap(({ id, required }) => (required ? [id] : [])),
    } satisfies RequestedSchema;
    const text = [words, message.text, "The agent needs an answer."].find((said) => said !== "") ?? "";
    return { ok: true, value: [{ elicitationId: "form", mode: "form", message: text, requestedSchema }] };
  },
  write([answer], message) {
    const fields = fieldsOf(formIn(message) ?? {});
    // The extension has no message for a decline.
    if (fields === undefined || answer?.action !== "accept") return undefined;
    const { content = {} } = answer;
    const values = Object.fromEntries(
      fields.map(({ id, type, valueOf }) => [id, { type, value: valueOf(content[id]) ?? null }]),
    );
    return { text: "[form response]", extensions: [URI], metadata: { [URI]: { values } } };
  },
};

/** Agents do not always name the extension in the message, so the agent card decides whether this is called. */
function formIn({ metadata }: AgentWords): Readonly<Record<string, unknown>> | undefined {
  const form = metadata?.[URI];
  return isObject(form) ? form : undefined;
}

function fieldsOf({ fields }: Readonly<Record<string, unknown>>): readonly FormField[] | undefined {
  if (!Array.isArray(fields) || fields.length === 0) return undefined;
  const read = fields.map(fieldOf).filter((field) => field !== undefined);
  const ids = new Set(read.map(({ id }) => id));
  return read.length === fields.length && ids.size === read.length ? read : undefined;
}

function fieldOf(entry: unknown): FormField | undefined {
  if (!isObject(entry)) return undefined;
  const { id, label, type } = entry;
  if (typeof id !== "string" || id === "" || typeof label !== "string" || typeof type !== "string") {
    return undefined;
  }
  const required = entry["required"] === true;
  const property = propertyOf(type, entry, required);
  if (property === undefined) return undefined;
  return { id, type, required, property: { title: label, ...property }, valueOf: readerOf(type, entry) };
}

function propertyOf(
  type: string,
  field: Readonly<Record<string, unknown>>,
  required: boolean,
): Property | undefined {
  const { placeholder, content } = field;
  const preset = field["default_value"] ?? undefined;
  const initial = preset === undefined ? {} : { default: preset };
  const options = optionsOf(field["options"]);
  switch (type) {
    case "text":
      return {
        type: "string",
        ...(typeof placeholder === "string" && { examples: [placeholder] }),
        ...initial,
      };
    case "date":
      return { type: "string", format: "date", ...initial };
    case "singleselect":
      return options && { type: "string", oneOf: options, ...initial };
    case "multiselect":
      return (
        options && { type: "array", items: { anyOf: options }, ...(required && { minItems: 1 }), ...initial }
      );
    case "checkbox": {
      if (typeof content !== "string") return undefined;
      if (!required) return { type: "boolean", description: content, ...initial };
      const ticked = preset === true ? { default: [TICKED] } : {};
      return { type: "array", items: { anyOf: [{ const: TICKED, title: content }] }, minItems: 1, ...ticked };
    }
    case "checkbox_group":
      return groupOf(field["fields"], required);
    default:
      return undefined;
  }
}

/** Writes a group as a list of choices. A required checkbox inside a group loses that rule. */
function groupOf(boxes: unknown, required: boolean): Property | undefined {
  if (!Array.isArray(boxes) || !boxes.every(isObject) || boxes.some(({ required: must }) => must === true)) {
    return undefined;
  }
  const options = optionsOf(boxes.map(({ id, label, content }) => ({ id, label: content ?? label })));
  const ticked = boxes.flatMap((box) => (box["default_value"] === true ? [box["id"]] : []));
  return (
    options && { type: "array", items: { anyOf: options }, default: ticked, ...(required && { minItems: 1 }) }
  );
}

function optionsOf(options: unknown): readonly { const: string; title: string }[] | undefined {
  if (!Array.isArray(options) || options.length === 0) return undefined;
  const read = options.flatMap((option: unknown) => {
    const { id, label } = isObject(option) ? option : {};
    return typeof id === "string" && typeof label === "string" ? [{ const: id, title: label }] : [];
  });
  return read.length === options.length ? read : undefined;
}

function readerOf(type: string, field: Readonly<Record<string, unknown>>): FormField["valueOf"] {
  if (type === "checkbox") return (value) => (Array.isArray(value) ? value.includes(TICKED) : value);
  if (type !== "checkbox_group") return (value) => value;
  const ids = optionsOf(field["fields"])?.map(({ const: id }) => id) ?? [];
  return (value) => {
    const ticked: readonly string[] = Array.isArray(value) ? value : [];
    return Object.fromEntries(ids.map((id) => [id, ticked.includes(id)]));
  };
}
