import { isObject } from "../../../src/contract/json.ts";
import {
  accessory,
  actionElement,
  anyText,
  contextElement,
  messageInput,
  modalInput,
  plainText,
  suggestedOptions,
} from "./block-elements.ts";
import {
  type Fail,
  type Rule,
  all,
  boolean,
  byType,
  list,
  matching,
  object,
  oneOf,
  oneProperty,
  string,
  unique,
} from "./rules.ts";

/** Messages in Slack's format: `[ERROR] must be less than 3001 characters [json-pointer:/blocks/0/text/text]`. */
export type BlockKitErrors = readonly string[];

const block = { type: string(255) };
const id = { block_id: string(255) };
const url = matching(/^https?:\S+$/i, "a valid url");

const section: Rule = all(
  object(block, { ...id, text: anyText(3000), fields: list(anyText(2000), 10), accessory, expand: boolean }),
  (value, at, fail) => {
    if (isObject(value) && value["text"] === undefined && value["fields"] === undefined) {
      fail(at, "must define either `text` or `fields`");
    }
  },
);

function input(element: Rule): Rule {
  return object(
    { ...block, label: plainText(2000), element },
    { ...id, hint: plainText(2000), optional: boolean, dispatch_action: boolean },
  );
}

const loose: Rule = () => undefined;

function blockTypes(element: Rule) {
  return {
    section,
    divider: object(block, id),
    header: object({ ...block, text: plainText(150) }, id),
    context: object({ ...block, elements: list(contextElement, 10) }, id),
    actions: object({ ...block, elements: all(list(actionElement, 25), unique("action_id")) }, id),
    image: all(
      object(
        { ...block, alt_text: string(2000) },
        { ...id, title: plainText(2000), image_url: url, slack_file: loose },
      ),
      oneProperty("image_url", "slack_file"),
    ),
    input: input(element),
    rich_text: object({ ...block, elements: list(loose, 100) }, id),
  };
}

const inMessages = byType({
  ...blockTypes(messageInput),
  markdown: object({ ...block, text: string(12_000) }, id),
});
const inModals = byType(blockTypes(modalInput));

const messageBlocks = all(list(inMessages, 50, 0), unique("block_id"));
const modalBlocks = all(list(inModals, 100), unique("block_id"));

const modal: Rule = all(
  object(
    { type: oneOf("modal"), title: plainText(24), blocks: modalBlocks },
    {
      submit: plainText(24),
      close: plainText(24),
      private_metadata: string(3000, 0),
      callback_id: string(255, 0),
      external_id: string(255, 0),
      clear_on_close: boolean,
      notify_on_close: boolean,
      submit_disabled: boolean,
    },
  ),
  (value, at, fail) => {
    if (!isObject(value) || !Array.isArray(value["blocks"])) return;
    const asks = value["blocks"].some((one: unknown) => isObject(one) && one["type"] === "input");
    if (asks && value["submit"] === undefined) fail(at, "missing required field: submit");
  },
);

/**
 * Checks the blocks of a message by the rules of Block Kit. Returns the messages that Slack would put into
 * `response_metadata.messages` of `invalid_blocks`; an empty list means that Slack accepts them.
 */
export function checkBlocks(blocks: unknown): BlockKitErrors {
  return run(messageBlocks, blocks, "/blocks");
}

/** Checks a modal view, like `checkBlocks`. */
export function checkModal(view: unknown): BlockKitErrors {
  return run(modal, view, "/view");
}

/** Checks the reply to a request for the options of an external select. */
export function checkSuggestions(reply: unknown): BlockKitErrors {
  return run(suggestedOptions, reply, "");
}

function run(rule: Rule, value: unknown, at: string): BlockKitErrors {
  const errors: string[] = [];
  const fail: Fail = (where, message) => void errors.push(`[ERROR] ${message} [json-pointer:${where}]`);
  rule(value, at, fail);
  return errors;
}
