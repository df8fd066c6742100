import type { Assignee, AssigneeList, ElicitationRequest } from "../../../src/contract/contract.ts";
import { isObject } from "../../../src/contract/json.ts";
import { PREFIX, type SlackModal } from "./block.ts";
import { type SlackLanguage, english, plainText, shorten } from "./text.ts";

/** `callback_id` of the modal for "Give to someone else". */
export const GIVE_CALLBACK = `${PREFIX}give`;
/** The block with the list, for errors beside it. */
export const GIVE_BLOCK = "give";

/** Slack's limits for a list, and for the value of an option. */
const MOST_OPTIONS = 100;
const LONGEST_VALUE = 150;
/** A longer title would be cut off. */
const MOST_IN_TITLE = 24;

type Choices = AssigneeList["assignees"];

/** The modal of "Give to someone else": the list of the application, of which Slack shows the first 100. */
export function giveModal(
  { elicitationId }: Pick<ElicitationRequest, "elicitationId">,
  choices: Choices,
  { catalogue }: SlackLanguage = english,
): SlackModal {
  const { others } = catalogue;
  const options = new Map(
    choices.map(({ to, name }) => [valueOf(to), { text: plainText(name, 75), value: valueOf(to) }]),
  );
  return {
    type: "modal",
    callback_id: GIVE_CALLBACK,
    private_metadata: elicitationId,
    title: plainText(others.giveOn.length <= MOST_IN_TITLE ? others.giveOn : others.give, MOST_IN_TITLE),
    submit: plainText(others.give, 24),
    close: plainText(catalogue.back, 24),
    blocks: [
      {
        type: "input",
        block_id: GIVE_BLOCK,
        label: plainText(others.giveTo, 2000),
        element: {
          type: "static_select",
          action_id: GIVE_CALLBACK,
          placeholder: plainText(catalogue.choose, 150),
          options: [...options.values()].slice(0, MOST_OPTIONS),
        },
      },
    ],
  };
}

/**
 * Reads `view.state.values` of that modal: the one of `choices` that was chosen. `undefined`: none of them, or it cannot be
 * told from another one, because their ids are too long for Slack.
 */
export function readChosen(values: unknown, choices: Choices): Choices[number] | undefined {
  const value = optionIn(values)?.["value"];
  const found = choices.filter(({ to }) => valueOf(to) === value);
  return found.length === 1 ? found[0] : undefined;
}

/** The name of the one that was chosen, as the modal shows it. */
export function chosenLabel(values: unknown): string | undefined {
  const label = optionIn(values)?.["text"];
  const text = isObject(label) ? label["text"] : undefined;
  return typeof text === "string" ? text : undefined;
}

function optionIn(values: unknown): Readonly<Record<string, unknown>> | undefined {
  const block = isObject(values) ? values[GIVE_BLOCK] : undefined;
  const select = isObject(block) ? block[GIVE_CALLBACK] : undefined;
  const chosen = isObject(select) ? select["selected_option"] : undefined;
  return isObject(chosen) ? chosen : undefined;
}

/** A list may change while the modal is open, so its positions are no values. */
function valueOf(to: Assignee): string {
  return shorten(JSON.stringify(to), LONGEST_VALUE);
}
