import { expect, test } from "vitest";
import { formRequest } from "../../../src/contract/testing/requests.ts";
import { checkModal } from "../testing/block-kit.ts";
import { GIVE_BLOCK, GIVE_CALLBACK, giveModal, readChosen } from "./give-modal.ts";
import { slackLanguageFor } from "../people/person-language.ts";

const choices = (...ids: readonly string[]) => ids.map((user) => ({ to: { user }, name: `${user}!` }));
const optionsOf = (made: ReturnType<typeof giveModal>) =>
  (made.blocks[0]!["element"] as { options: readonly { text: unknown; value: string }[] }).options;
const chosen = (value: unknown) => ({
  [GIVE_BLOCK]: { [GIVE_CALLBACK]: { type: "static_select", selected_option: { value } } },
});

test.each(["en", "de", "fr", "es", "ja", "ar"])(
  "Slack accepts the list in the language %s, with a whole title",
  (locale) => {
    const view = giveModal(formRequest(), choices("ada"), slackLanguageFor(locale));
    expect(checkModal(view)).toEqual([]);
    expect(view.title.text).not.toContain("…");
  },
);

test("Slack accepts many users with long names and ids, and those that it can tell apart can be chosen", () => {
  const many = choices(...Array.from({ length: 150 }, (_, index) => `user-${index}`));
  const long = choices("x".repeat(200), `${"x".repeat(200)}y`, "\u{1f600}".repeat(100));
  const all = [...long, ...many];
  const view = giveModal(formRequest(), all);
  expect(checkModal(view)).toEqual([]);
  const options = optionsOf(view);
  expect(options).toHaveLength(100);
  expect(readChosen(chosen(options.at(-1)?.value), all)).toEqual(all[100]);
  // Nobody gets the question of another user.
  expect(readChosen(chosen(options[0]?.value), all)).toBe(undefined);
});

test.each([undefined, null, {}, chosen(undefined), chosen("0"), chosen('{"user":"bob"}')])(
  "nobody is chosen by the values %j",
  (values) => {
    expect(readChosen(values, choices("ada"))).toBe(undefined);
  },
);
