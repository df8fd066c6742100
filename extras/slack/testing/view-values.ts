import { isObject } from "../../../src/contract/json.ts";
import type { JsonObject } from "./state.ts";

/**
 * The values of a view's inputs: how Slack's client stores them while a modal is open, and in which format it sends them.
 */

/** An input of a view, with its block. */
export interface ViewInput {
  readonly block: string;
  readonly action: string;
  readonly label: string;
  readonly element: JsonObject;
  readonly isOptional: boolean;
  readonly dispatches: boolean;
}

/** A user's entry for an input: a text, the label of an option or several, or seconds since 1970. */
export type Entry = string | number | readonly string[] | undefined;

export const asText = (value: unknown): string => (typeof value === "string" ? value : "");

export function inputsOf(view: JsonObject): readonly ViewInput[] {
  const blocks: unknown = view["blocks"];
  if (!Array.isArray(blocks)) return [];
  return blocks.flatMap((block: unknown, index) => {
    if (!isObject(block) || block["type"] !== "input" || !isObject(block["element"])) return [];
    const { label, element } = block;
    return [
      {
        block: asText(block["block_id"]) || `block-${index}`,
        action: asText(element["action_id"]),
        label: isObject(label) ? asText(label["text"]) : "",
        element,
        isOptional: block["optional"] === true,
        dispatches: block["dispatch_action"] === true,
      },
    ];
  });
}

/** Checkboxes outside of inputs: in an `actions` block, or beside the text of a section. */
export type Boxes = Pick<ViewInput, "block" | "action" | "element">;

export function boxesOf({ blocks }: JsonObject): readonly Boxes[] {
  if (!Array.isArray(blocks)) return [];
  return blocks.flatMap((block: unknown, index) => {
    if (!isObject(block)) return [];
    const elements: readonly unknown[] = Array.isArray(block["elements"])
      ? block["elements"]
      : [block["accessory"]];
    return elements.flatMap((element) =>
      isObject(element) && element["type"] === "checkboxes"
        ? [
            {
              block: asText(block["block_id"]) || `block-${index}`,
              action: asText(element["action_id"]),
              element,
            },
          ]
        : [],
    );
  });
}

/** The value of checkboxes after a user has clicked the one with this text. `undefined`: there is no such checkbox. */
export function toggle({ element }: Boxes, value: JsonObject, words: string): JsonObject | undefined {
  const option = optionsIn(element).find((one) => optionText(one) === words);
  if (option === undefined) return undefined;
  const before: readonly unknown[] = Array.isArray(value["selected_options"])
    ? value["selected_options"]
    : [];
  const isPressed = (one: unknown): boolean => isObject(one) && one["value"] === option["value"];
  const left = before.filter((one) => !isPressed(one));
  return { ...value, selected_options: left.length < before.length ? left : [...before, option] };
}

export type Values = Record<string, Record<string, JsonObject>>;

/** The initial values of the inputs and checkboxes of a message or modal. */
export function initialValues(shown: JsonObject): Values {
  const values: Values = {};
  for (const { block, action, element } of [...inputsOf(shown), ...boxesOf(shown)])
    values[block] = { ...values[block], [action]: initialValue(element) };
  return values;
}

function initialValue(element: JsonObject): JsonObject {
  const type = asText(element["type"]);
  switch (type) {
    case "datepicker":
      return { type, selected_date: element["initial_date"] ?? null };
    case "datetimepicker":
      return { type, selected_date_time: element["initial_date_time"] ?? null };
    case "checkboxes":
    case "multi_static_select":
    case "multi_external_select":
      return { type, selected_options: element["initial_options"] ?? [] };
    case "static_select":
    case "external_select":
    case "radio_buttons":
      return { type, selected_option: element["initial_option"] ?? null };
    default:
      return { type, value: element["initial_value"] ?? null };
  }
}

/** All options of a select, radio buttons or checkboxes. */
export function optionsIn(holder: JsonObject): readonly JsonObject[] {
  const { options, option_groups: groups } = holder;
  const lists: unknown[] = Array.isArray(options)
    ? options
    : Array.isArray(groups)
      ? groups.flatMap((group: unknown) =>
          isObject(group) && Array.isArray(group["options"]) ? group["options"] : [],
        )
      : [];
  return lists.filter((one) => isObject(one));
}

export const optionText = ({ text }: JsonObject): string => (isObject(text) ? asText(text["text"]) : "");

/** The value of an input after a user has entered `entry`. Throws if the input offers no such option. */
export function enter(input: ViewInput, entry: Entry, offered = optionsIn(input.element)): JsonObject {
  const type = asText(input.element["type"]);
  function pick(wanted: unknown): JsonObject {
    const option = offered.find((one) => optionText(one) === wanted);
    if (option === undefined) {
      throw new Error(`elicit-kit: "${input.label}" offers no option "${String(wanted)}" in the modal.`);
    }
    return { text: option["text"], value: option["value"] };
  }
  switch (type) {
    case "datepicker":
      return { type, selected_date: entry ?? null };
    case "datetimepicker":
      return { type, selected_date_time: entry ?? null };
    case "checkboxes":
    case "multi_static_select":
    case "multi_external_select":
      return { type, selected_options: Array.isArray(entry) ? entry.map(pick) : [] };
    case "static_select":
    case "external_select":
    case "radio_buttons":
      return { type, selected_option: entry === undefined ? null : pick(entry) };
    default:
      return { type, value: entry === undefined || entry === "" ? null : String(entry) };
  }
}

/** The error that Slack's client shows instead of sending a modal; `undefined` if it would send it. */
export function clientError(input: ViewInput, value: JsonObject): string | undefined {
  const { element } = input;
  const filled =
    value["value"] ?? value["selected_option"] ?? value["selected_date"] ?? value["selected_date_time"];
  const chosen: unknown = value["selected_options"];
  if ((filled ?? undefined) === undefined && (!Array.isArray(chosen) || chosen.length === 0)) {
    return input.isOptional ? undefined : "Please complete this required field.";
  }
  const text = asText(filled);
  switch (element["type"]) {
    case "plain_text_input":
      if (text.length < Number(element["min_length"] ?? 0)) return "Your response is too short.";
      return text.length > Number(element["max_length"] ?? 3000) ? "Your response is too long." : undefined;
    case "number_input": {
      const number = Number(text);
      if (Number.isNaN(number)) return "Please enter a number.";
      if (element["is_decimal_allowed"] === false && !Number.isInteger(number))
        return "Please enter a whole number.";
      if (number < Number(element["min_value"] ?? -Infinity)) return "Number is too small.";
      return number > Number(element["max_value"] ?? Infinity) ? "Number is too large." : undefined;
    }
    case "email_text_input":
      return /^\S+@\S+\.\S+$/.test(text) ? undefined : "Please enter a valid email address.";
    case "url_text_input":
      return URL.canParse(text) ? undefined : "Please enter a valid URL.";
    case "multi_static_select":
    case "multi_external_select":
      return Array.isArray(chosen) && chosen.length > Number(element["max_selected_items"] ?? Infinity)
        ? "Too many items are selected."
        : undefined;
    default:
      return undefined;
  }
}
