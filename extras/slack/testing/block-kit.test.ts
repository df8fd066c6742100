import { expect, test } from "vitest";
import { checkBlocks, checkModal, checkSuggestions } from "./block-kit.ts";

const plain = (text: string) => ({ type: "plain_text", text });
const option = (text: string, value = text) => ({ text: plain(text), value });
const options = (count: number) => Array.from({ length: count }, (_, index) => option(`Option ${index}`));
const section = (text: string) => ({ type: "section", text: { type: "mrkdwn", text } });
const actions = (...elements: object[]) => ({ type: "actions", elements });
const button = { type: "button", action_id: "go", text: plain("Go") };
const input = (element: object) => ({ type: "input", block_id: "b", label: plain("Label"), element });
const modal = (...blocks: object[]) => ({
  type: "modal",
  title: plain("Title"),
  submit: plain("Send"),
  blocks,
});

test("the checker of blocks finds no error in valid blocks", () => {
  expect(
    checkBlocks([
      { type: "header", text: plain("Deploy") },
      section("*Where to?*"),
      { type: "context", elements: [{ type: "mrkdwn", text: "2 min left" }] },
      { type: "divider" },
      actions(button, { type: "static_select", action_id: "s", options: options(100) }),
    ]),
  ).toEqual([]);
  expect(checkModal(modal(input({ type: "plain_text_input", action_id: "a" })))).toEqual([]);
});

test.each<[string, unknown, string]>([
  [
    "a text of 3,001 characters",
    [section("a".repeat(3001))],
    "must be less than 3001 characters [json-pointer:/blocks/0/text/text]",
  ],
  ["an empty text", [section("")], "must be more than 0 characters [json-pointer:/blocks/0/text/text]"],
  ["half of a surrogate pair", [section("\ud83d")], "must be valid UTF-8"],
  [
    "26 buttons",
    [actions(...Array.from({ length: 26 }, (_, i) => ({ ...button, action_id: `${i}` })))],
    "no more than 25 items allowed [json-pointer:/blocks/0/elements]",
  ],
  [
    "51 blocks",
    Array.from({ length: 51 }, () => ({ type: "divider" })),
    "no more than 50 items allowed [json-pointer:/blocks]",
  ],
  [
    "a multi-select in actions",
    [actions({ type: "multi_static_select", action_id: "m", options: options(2) })],
    "unsupported type: multi_static_select",
  ],
  [
    "a text input in actions",
    [actions({ type: "plain_text_input", action_id: "t" })],
    "unsupported type: plain_text_input",
  ],
  [
    "a number input in actions",
    [actions({ type: "number_input", action_id: "n", is_decimal_allowed: true })],
    "unsupported type: number_input",
  ],
  [
    "an e-mail input in a message",
    [input({ type: "email_text_input", action_id: "e" })],
    "unsupported type: email_text_input",
  ],
  [
    "a label of 76 characters on a button",
    [actions({ ...button, text: plain("a".repeat(76)) })],
    "must be less than 76 characters",
  ],
  [
    "markup on a button",
    [actions({ ...button, text: { type: "mrkdwn", text: "*Go*" } })],
    "must be plain_text",
  ],
  ["a link to a script", [actions({ ...button, url: "javascript:alert(1)" })], "must be a valid url"],
  [
    "a select of 101 options",
    [actions({ type: "static_select", action_id: "s", options: options(101) })],
    "no more than 100 items allowed",
  ],
  [
    "an option of 76 characters",
    [actions({ type: "static_select", action_id: "s", options: [option("a".repeat(76), "1")] })],
    "must be less than 76 characters",
  ],
  [
    "a value of 151 characters",
    [actions({ type: "static_select", action_id: "s", options: [option("a", "v".repeat(151))] })],
    "must be less than 151 characters",
  ],
  [
    "two options with the same value",
    [actions({ type: "static_select", action_id: "s", options: [option("a", "1"), option("b", "1")] })],
    "values of options must be unique",
  ],
  [
    "11 radio buttons",
    [actions({ type: "radio_buttons", action_id: "r", options: options(11) })],
    "no more than 10 items allowed",
  ],
  [
    "a selected option that is not offered",
    [
      actions({
        type: "static_select",
        action_id: "s",
        options: options(2),
        initial_option: option("Other"),
      }),
    ],
    "initial option not found in options",
  ],
  [
    "two blocks with the same id",
    [
      { type: "divider", block_id: "a" },
      { type: "divider", block_id: "a" },
    ],
    'block_id already exists: "a"',
  ],
  ["two buttons of one id in a block", [actions(button, button)], 'action_id already exists: "go"'],
  [
    "a property that Slack does not know",
    [{ type: "divider", colour: "red" }],
    "invalid additional property: colour",
  ],
  ["a block that Slack does not know", [{ type: "form" }], "unsupported type: form"],
  ["a section without text", [{ type: "section" }], "must define either `text` or `fields`"],
])("the checker of blocks refuses %s in a message", (_title, blocks, error) => {
  expect(checkBlocks(blocks).join("\n")).toContain(`[ERROR] ${error}`);
});

test.each<[string, unknown, string]>([
  [
    "a title of 25 characters",
    { ...modal({ type: "divider" }), title: plain("a".repeat(25)) },
    "must be less than 25 characters [json-pointer:/view/title/text]",
  ],
  [
    "101 blocks",
    modal(...Array.from({ length: 101 }, () => ({ type: "divider" }))),
    "no more than 100 items allowed [json-pointer:/view/blocks]",
  ],
  [
    "inputs without a submit button",
    { ...modal(input({ type: "datepicker", action_id: "d" })), submit: undefined },
    "missing required field: submit",
  ],
  [
    "private metadata of 3,001 characters",
    { ...modal({ type: "divider" }), private_metadata: "a".repeat(3001) },
    "must be less than 3001 characters",
  ],
  [
    "a number input that does not say whether decimals are allowed",
    modal(input({ type: "number_input", action_id: "n" })),
    "missing required field: is_decimal_allowed",
  ],
  [
    "limits of a number that are numbers",
    modal(input({ type: "number_input", action_id: "n", is_decimal_allowed: false, min_value: 1 })),
    "must be a decimal number as a string",
  ],
  [
    "an invalid date",
    modal(input({ type: "datepicker", action_id: "d", initial_date: "23.11.2026" })),
    "must be a date such as 2026-11-23",
  ],
  [
    "a date and time in milliseconds",
    modal(input({ type: "datetimepicker", action_id: "d", initial_date_time: 1_763_900_000_000 })),
    "must be at most 9999999999",
  ],
  ["a button in an input block", modal(input(button)), "unsupported type: button"],
  ["a markdown block in a modal", modal({ type: "markdown", text: "hi" }), "unsupported type: markdown"],
])("the checker of blocks refuses %s in a modal", (_title, view, error) => {
  expect(checkModal(view).join("\n")).toContain(`[ERROR] ${error}`);
});

test("the checker of blocks accepts up to 100 suggested options, as options or as groups, but not both", () => {
  expect(checkSuggestions({ options: options(100) })).toEqual([]);
  expect(checkSuggestions({ option_groups: [{ label: plain("A"), options: options(3) }] })).toEqual([]);
  expect(checkSuggestions({ options: options(101) }).join()).toContain("no more than 100 items allowed");
  expect(checkSuggestions({ options: [], option_groups: [] }).join()).toContain("must define exactly one of");
});
