import { isObject } from "../../../src/contract/json.ts";
import {
  type Rule,
  all,
  boolean,
  byType,
  integer,
  list,
  matching,
  object,
  oneOf,
  oneProperty,
  string,
} from "./rules.ts";

/** Texts, options and interactive elements of Block Kit, with the limits of Slack's reference. */

const known = { type: string(255) };

export function plainText(most: number): Rule {
  return all(object({ ...known, text: string(most) }, { emoji: boolean }), typed("plain_text"));
}

export function anyText(most: number): Rule {
  return byType({
    plain_text: plainText(most),
    mrkdwn: object({ ...known, text: string(most) }, { verbatim: boolean }),
  });
}

function typed(type: string): Rule {
  return (value, at, fail) => {
    if (isObject(value) && value["type"] !== type) fail(`${at}/type`, `must be ${type}`);
  };
}

const httpUrl: Rule = all(string(3000), matching(/^(?:https?|slack|mailto):\S+$/i, "a valid url"));
const action = { ...known, action_id: string(255) };
const focus = { focus_on_load: boolean };

const confirm = object(
  { title: plainText(100), text: anyText(300), confirm: plainText(30), deny: plainText(30) },
  { style: oneOf("primary", "danger") },
);

/** `value` may have 150 characters here; other parts of Slack accept 75 to 150. */
const option = (text: Rule): Rule =>
  object({ text, value: string(150) }, { description: plainText(75), url: httpUrl });
const selectOption = option(plainText(75));
const boxOption = all(object({ text: anyText(75), value: string(150) }, { description: anyText(75) }));
const optionGroup = object({ label: plainText(75), options: list(selectOption, 100) });

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function optionsOf(element: Readonly<Record<string, unknown>>): readonly unknown[] {
  const { options, option_groups: groups } = element;
  if (Array.isArray(options)) return options;
  return Array.isArray(groups)
    ? groups.flatMap((group: unknown) =>
        isObject(group) && Array.isArray(group["options"]) ? group["options"] : [],
      )
    : [];
}

/** Initial options must be identical to some of the options, and values must be unique. */
const consistentOptions: Rule = (value, at, fail) => {
  if (!isObject(value)) return;
  const options = optionsOf(value);
  const values = options.map((one) => (isObject(one) ? one["value"] : undefined));
  if (new Set(values).size < values.length) fail(at, "values of options must be unique");
  const { initial_option: single, initial_options: many } = value;
  for (const initial of [...(single === undefined ? [] : [single]), ...(Array.isArray(many) ? many : [])]) {
    if (!options.some((one) => isSame(one, initial))) fail(at, "initial option not found in options");
  }
};

const select = { ...action };
const selectExtras = { placeholder: plainText(150), confirm, ...focus };
const choices = { options: list(selectOption, 100), option_groups: list(optionGroup, 100) };
const most = { max_selected_items: integer(1, Number.MAX_SAFE_INTEGER) };

const staticSelect = all(
  object(select, { ...selectExtras, ...choices, initial_option: selectOption }),
  oneProperty("options", "option_groups"),
  consistentOptions,
);
const multiStaticSelect = all(
  object(select, { ...selectExtras, ...choices, ...most, initial_options: list(selectOption, 100) }),
  oneProperty("options", "option_groups"),
  consistentOptions,
);
const minQuery = { min_query_length: integer(0, 3000) };
const externalSelect = object(select, { ...selectExtras, ...minQuery, initial_option: selectOption });
const multiExternalSelect = object(select, {
  ...selectExtras,
  ...minQuery,
  ...most,
  initial_options: list(selectOption, 100),
});

const boxes = { ...action, options: list(boxOption, 10) };
const checkboxes = all(
  object(boxes, { initial_options: list(boxOption, 10), confirm, ...focus }),
  consistentOptions,
);
const radioButtons = all(object(boxes, { initial_option: boxOption, confirm, ...focus }), consistentOptions);

const button = object(
  { ...action, text: plainText(75) },
  {
    url: httpUrl,
    value: string(2000),
    style: oneOf("primary", "danger"),
    confirm,
    accessibility_label: string(75),
  },
);
const overflow = object({ ...action, options: list(selectOption, 5) }, { confirm });
const datepicker = object(action, {
  ...selectExtras,
  initial_date: matching(/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/, "a date such as 2026-11-23"),
});
const timepicker = object(action, {
  ...selectExtras,
  initial_time: matching(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "a time such as 23:59"),
  timezone: string(100),
});
const datetimepicker = object(action, {
  confirm,
  ...focus,
  initial_date_time: integer(1_000_000_000, 9_999_999_999),
});

const dispatch = {
  dispatch_action_config: object(
    {},
    { trigger_actions_on: list(oneOf("on_enter_pressed", "on_character_entered"), 2) },
  ),
};
const typing = { placeholder: plainText(150), ...focus, ...dispatch };
const plainTextInput = object(action, {
  ...typing,
  initial_value: string(3000),
  multiline: boolean,
  min_length: integer(0, 3000),
  max_length: integer(1, 3000),
});
const addressInput = object(action, { ...typing, initial_value: string(3000) });
const decimal = matching(/^-?\d+(?:\.\d+)?$/, "a decimal number as a string");
const numberInput = all(
  object(
    { ...action, is_decimal_allowed: boolean },
    { ...typing, initial_value: decimal, min_value: decimal, max_value: decimal },
  ),
  (value, at, fail) => {
    if (!isObject(value) || value["is_decimal_allowed"] !== false) return;
    for (const name of ["initial_value", "min_value", "max_value"]) {
      const given = value[name];
      if (typeof given === "string" && given.includes(".")) fail(`${at}/${name}`, "must not be a decimal");
    }
    if (Number(value["min_value"]) > Number(value["max_value"])) {
      fail(`${at}/min_value`, "min_value must be less than max_value");
    }
  },
);
const richTextInput = object(action, { ...typing });
const fileInput = object(action, { filetypes: list(string(100), 100), max_files: integer(1, 10) });
const image = object(
  { ...known, alt_text: string(2000) },
  { image_url: httpUrl, slack_file: () => undefined },
);
const pickedFromSlack = object(select, {
  ...selectExtras,
  initial_user: string(255),
  initial_channel: string(255),
});
const manyFromSlack = object(select, { ...selectExtras, ...most });

const singleSelects = {
  static_select: staticSelect,
  external_select: externalSelect,
  users_select: pickedFromSlack,
  conversations_select: pickedFromSlack,
  channels_select: pickedFromSlack,
};
const multiSelects = {
  multi_static_select: multiStaticSelect,
  multi_external_select: multiExternalSelect,
  multi_users_select: manyFromSlack,
  multi_conversations_select: manyFromSlack,
  multi_channels_select: manyFromSlack,
};
const pickers = { checkboxes, radio_buttons: radioButtons, datepicker, timepicker };

/** The elements that a section may have beside its text. */
export const accessory: Rule = byType({
  button,
  overflow,
  image,
  ...singleSelects,
  ...multiSelects,
  ...pickers,
});
/**
 * The elements that an `actions` block may have: no inputs and no multi-selects. Otherwise Slack refuses the whole
 * message.
 */
export const actionElement: Rule = byType({ button, overflow, datetimepicker, ...singleSelects, ...pickers });
/** The elements that a `context` block may have. */
export const contextElement: Rule = byType({
  image,
  plain_text: plainText(3000),
  mrkdwn: anyText(3000),
});

const messageInputs = {
  ...singleSelects,
  ...multiSelects,
  ...pickers,
  datetimepicker,
  plain_text_input: plainTextInput,
  rich_text_input: richTextInput,
};
/** The elements that an `input` block of a message may have. */
export const messageInput: Rule = byType(messageInputs);
/** The elements that an `input` block of a modal may have. */
export const modalInput: Rule = byType({
  ...messageInputs,
  number_input: numberInput,
  email_text_input: addressInput,
  url_text_input: addressInput,
  file_input: fileInput,
});
/** The options that an app sends for an external select. */
export const suggestedOptions: Rule = all(
  object({}, { options: list(selectOption, 100, 0), option_groups: list(optionGroup, 100, 0) }),
  oneProperty("options", "option_groups"),
);
