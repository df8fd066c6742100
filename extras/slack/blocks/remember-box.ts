import type { FormElicitationRequest } from "../../../src/contract/contract.ts";
import { isObject } from "../../../src/contract/json.ts";
import type { Catalogue } from "../../../src/words/cards/catalogue.ts";
import { PREFIX, type SlackBlock } from "./block.ts";
import { plainText, shorten } from "./text.ts";

/** `action_id` of the checkbox with which a user allows the reuse of their answer. */
export const REMEMBER_ACTION = `${PREFIX}remember`;
const REMEMBER_BLOCK = "remember";
/** Slack's limit for the text of an option, and for its description. */
const MOST = 75;

/** The checkbox for a message or a modal. Empty if the request does not offer it. */
export function rememberBox(
  { remember }: Pick<FormElicitationRequest, "remember">,
  { remember: words, approval }: Catalogue,
  { isTicked = false }: { isTicked?: boolean | undefined } = {},
): readonly SlackBlock[] {
  if (remember === undefined) return [];
  const { days, kind, scope } = remember;
  const isOfTool = scope !== undefined;
  const about = isOfTool
    ? approval.allowHint
    : kind === undefined
      ? words.same
      : words.ofKind(shorten(kind, MOST - words.ofKind("").length));
  const option = {
    text: plainText(isOfTool ? approval.allow : words.offered(days), MOST),
    description: plainText(about, MOST),
    value: "yes",
  };
  const box = {
    type: "checkboxes",
    action_id: REMEMBER_ACTION,
    options: [option],
    ...(isTicked && { initial_options: [option] }),
  };
  return [{ type: "actions", block_id: REMEMBER_BLOCK, elements: [box] }];
}

/** Whether the checkbox is checked, from the `state.values` of a message or a modal. */
export function readRemember(values: unknown): boolean {
  const block = isObject(values) ? values[REMEMBER_BLOCK] : undefined;
  const box = isObject(block) ? block[REMEMBER_ACTION] : undefined;
  const chosen = isObject(box) ? box["selected_options"] : undefined;
  return Array.isArray(chosen) && chosen.length > 0;
}
