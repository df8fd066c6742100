import type { FormElicitationRequest } from "../../../src/contract/contract.ts";
import type { SlackElement } from "../blocks/block.ts";
import { decompose } from "../../../src/form/words.ts";
import { fieldIndex, readForm } from "../blocks/form-fields.ts";
import { recommendedOf } from "../../../src/form/hints.ts";
import { type SlackLanguage, english } from "../blocks/text.ts";
import { choiceOption } from "../blocks/form-inputs.ts";

const MOST_SUGGESTED = 100;
/** Slack shows at most 75 UTF-16 units of a label. */
const MOST_SHOWN = 100;
/** One character decomposes into at most 18. */
const MOST_FOLDED = 18 * MOST_SHOWN;

/**
 * The reply to `block_suggestion`: the options of a field whose label contains what the user has typed, at most 100.
 * `blockId` is the `block_id` of the payload. Without such a field there are no options.
 */
export function suggestOptions(
  request: FormElicitationRequest,
  blockId: unknown,
  query: string,
  { catalogue }: SlackLanguage = english,
): { options: readonly SlackElement[] } {
  const form = readForm(request);
  const field = form.ok ? form.fields[fieldIndex(blockId) ?? -1] : undefined;
  if (field === undefined || !("options" in field)) return { options: [] };
  const wanted = fold(query);
  const found: SlackElement[] = [];
  const recommended = recommendedOf(request.context, field, catalogue.recommended);
  for (const [index, option] of field.options.entries()) {
    if (!fold(option.label).includes(wanted)) continue;
    found.push(choiceOption(option, index, recommended));
    if (found.length === MOST_SUGGESTED) break;
  }
  return { options: found };
}

/** The part of a text that Slack shows, without case and accents. */
const fold = (text: string): string => {
  const shown = text.slice(0, MOST_SHOWN);
  return (decompose(shown, MOST_FOLDED) ?? shown).toLowerCase();
};
