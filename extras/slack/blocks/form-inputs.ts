import type { Draft, Field } from "../../../src/form/index.ts";
import { isDate } from "../../../src/contract/timestamp.ts";
import type { Option } from "../../../src/form/field.ts";
import type { Catalogue } from "../../../src/words/cards/catalogue.ts";
import { PREFIX, type SlackElement } from "./block.ts";
import type { Recommended } from "../../../src/form/hints.ts";
import type { ControlName } from "../../../src/form/pick-control.ts";
import { type PresentedField, ratingSteps } from "../../../src/form/present-field.ts";
import { LONGEST_TEXT } from "./form-fields.ts";
import { plainText } from "./text.ts";

/** The `action_id` of every input. */
export const FIELD_ACTION = `${PREFIX}field`;

/** Checkboxes and radio buttons have at most 10 options, selects 100, and selects with groups more. */
const MOST_BOXES = 10;
const MOST_OPTIONS = 100;

interface InputOptions {
  readonly draft: Draft | undefined;
  readonly catalogue: Catalogue;
  readonly mostListed: number;
}

/**
 * Creates the input of a field. `mostListed`: the maximum number of options in a list. Longer lists are searched: Slack
 * asks the app for options while the user types.
 */
export function inputOf(field: Field, presented: PresentedField, options: InputOptions): SlackElement {
  const { draft, catalogue, mostListed } = options;
  switch (field.kind) {
    case "text":
      return textInput(field, presented.control, draft);
    case "number":
      return presented.control === "rating"
        ? ratingInput(ratingSteps(field), draft)
        : numberInput(field, draft);
    case "boolean":
      return yesNo(field, draft, catalogue);
    case "choice":
      return choice(field, presented, options);
    default:
      return multiChoice(field, draft, catalogue, mostListed);
  }
}

const base = (type: string): SlackElement => ({ type, action_id: FIELD_ACTION });

/** Slack sends each change to the app, so that closing the modal by mistake loses nothing. */
const TYPED = { dispatch_action_config: { trigger_actions_on: ["on_character_entered"] } };

const placeholderOf = ({ placeholder }: Field): SlackElement =>
  placeholder === undefined || placeholder.trim() === "" ? {} : { placeholder: plainText(placeholder, 150) };

function textInput(
  field: Extract<Field, { kind: "text" }>,
  control: ControlName,
  draft: Draft | undefined,
): SlackElement {
  const text = typeof draft === "string" ? draft : "";
  if (control === "date" && (text === "" || isDate(text)))
    return { ...base("datepicker"), ...(text !== "" && { initial_date: text }) };
  if (control === "date-time") {
    const seconds = Math.floor(Date.parse(text) / 1000);
    const fits = seconds >= 1_000_000_000 && seconds <= 9_999_999_999;
    if (fits || text === "")
      return { ...base("datetimepicker"), ...(fits && { initial_date_time: seconds }) };
  }
  return typedInput(field, control, text);
}

/** Takes every text, also one that a picker or an input for numbers would drop. */
function typedInput(field: Field, control: ControlName, text: string): SlackElement {
  const initial = text === "" || text.length > LONGEST_TEXT ? {} : { initial_value: text };
  const typed = { ...placeholderOf(field), ...initial, ...TYPED };
  if (control === "email") return { ...base("email_text_input"), ...typed };
  if (control === "url") return { ...base("url_text_input"), ...typed };
  const { minLength = 0, maxLength = LONGEST_TEXT } = field.kind === "text" ? field : {};
  return {
    ...base("plain_text_input"),
    ...typed,
    ...(control === "textarea" && { multiline: true }),
    // The schema counts code points, and Slack counts UTF-16 units. A code point has one or two of them.
    ...(minLength > 0 && { min_length: minLength }),
    ...(maxLength > 0 && maxLength * 2 < LONGEST_TEXT && { max_length: Math.max(maxLength * 2, minLength) }),
  };
}

const isDecimal = (text: string): boolean => /^-?\d{1,40}(?:\.\d{1,40})?$/.test(text);

function numberInput(field: Extract<Field, { kind: "number" }>, draft: Draft | undefined): SlackElement {
  const { integer } = field;
  /** A limit in Slack's format, without an exponent. Other limits are checked only at submission. */
  function limit(name: string, value: number | undefined, round: (value: number) => number): SlackElement {
    const text = value === undefined ? "" : String(integer ? round(value) : value);
    return isDecimal(text) ? { [name]: text === "-0" ? "0" : text } : {};
  }
  const text = typeof draft === "string" ? draft.trim() : "";
  if (text !== "" && !(isDecimal(text) && !(integer && text.includes("."))))
    return typedInput(field, "number", text);
  const { minimum, maximum } = field;
  // Limits such as 0.1 and 0.9 contain no whole number, and Slack refuses contradictory limits.
  const [least = -Infinity, most = Infinity] = integer
    ? [minimum && Math.ceil(minimum), maximum && Math.floor(maximum)]
    : [minimum, maximum];
  const isRange = least <= most;
  return {
    ...base("number_input"),
    is_decimal_allowed: !integer,
    ...placeholderOf(field),
    ...(isRange && limit("min_value", minimum, Math.ceil)),
    ...(isRange && limit("max_value", maximum, Math.floor)),
    ...(text !== "" && { initial_value: text }),
    ...TYPED,
  };
}

/** An option. Its value is its position, because the original value may be too long for Slack. */
function slackOption(label: string, index: number, description?: string): SlackElement {
  return {
    text: plainText(label, 75),
    value: String(index),
    ...(description !== undefined &&
      description.trim() !== "" && { description: plainText(description, 75) }),
  };
}

const optionOf = ({ label, description }: Option, index: number): SlackElement =>
  slackOption(label, index, description);

/** An option of a choice. “Recommended” comes first, because Slack may cut off the end. */
export function choiceOption(
  { value, label, description }: Option,
  index: number,
  recommended: Recommended | undefined,
): SlackElement {
  if (value !== recommended?.value) return slackOption(label, index, description);
  return slackOption(label, index, [`★ ${recommended.word}`, description].filter(Boolean).join(" · "));
}

function ratingInput(steps: readonly number[], draft: Draft | undefined): SlackElement {
  const options = steps.map((step, index) => slackOption(String(step), index));
  return {
    ...base("static_select"),
    options,
    ...initialOf(options, steps.map(String).indexOf(String(draft))),
  };
}

function yesNo(field: Field, draft: Draft | undefined, catalogue: Catalogue): SlackElement {
  const options = [slackOption(catalogue.yes, 0), slackOption(catalogue.no, 1)];
  const chosen = typeof draft === "boolean" ? (draft ? 0 : 1) : -1;
  // An optional question gets a select, because radio buttons cannot be cleared.
  return {
    ...base(field.required ? "radio_buttons" : "static_select"),
    options,
    ...initialOf(options, chosen),
  };
}

const initialOf = (options: readonly SlackElement[], index: number): SlackElement =>
  options[index] === undefined ? {} : { initial_option: options[index] };

function choice(
  field: Extract<Field, { kind: "choice" }>,
  { control, recommended }: PresentedField,
  { draft, catalogue, mostListed }: InputOptions,
): SlackElement {
  const options = field.options.map((option, index) => choiceOption(option, index, recommended));
  const initial = initialOf(
    options,
    field.options.findIndex(({ value }) => value === draft),
  );
  // An optional question gets a select, because radio buttons cannot be cleared.
  if (field.required && control === "radio" && options.length <= MOST_BOXES)
    return { ...base("radio_buttons"), options, ...initial };
  const placeholder = { placeholder: plainText(catalogue.choose, 150) };
  if (options.length > mostListed)
    return { ...base("external_select"), ...placeholder, min_query_length: 0, ...initial };
  return { ...base("static_select"), ...placeholder, ...listed(options), ...initial };
}

function multiChoice(
  field: Extract<Field, { kind: "multi-choice" }>,
  draft: Draft | undefined,
  catalogue: Catalogue,
  mostListed: number,
): SlackElement {
  const options = field.options.map(optionOf);
  const chosen = Array.isArray(draft) ? draft : [];
  const initial = options.filter((_, index) => chosen.includes(field.options[index]?.value));
  const initials = initial.length > 0 && initial.length <= MOST_OPTIONS ? { initial_options: initial } : {};
  if (options.length <= MOST_BOXES) return { ...base("checkboxes"), options, ...initials };
  const limits =
    field.maxItems !== undefined && field.maxItems > 0 ? { max_selected_items: field.maxItems } : {};
  const placeholder = { placeholder: plainText(catalogue.choose, 150) };
  const shared = { ...placeholder, ...limits, ...initials };
  if (options.length > mostListed)
    return { ...base("multi_external_select"), ...shared, min_query_length: 0 };
  return { ...base("multi_static_select"), ...shared, ...listed(options) };
}

/** A list of options, in groups of 100 if there are more. */
function listed(options: readonly SlackElement[]): SlackElement {
  if (options.length <= MOST_OPTIONS) return { options };
  const groups: SlackElement[] = [];
  for (let from = 0; from < options.length; from += MOST_OPTIONS) {
    const until = Math.min(from + MOST_OPTIONS, options.length);
    groups.push({ label: plainText(`${from + 1}–${until}`, 75), options: options.slice(from, until) });
  }
  return { option_groups: groups };
}
