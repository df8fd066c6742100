import type { FormElicitationRequest } from "../../../contract/contract.ts";
import type { SlackElement } from "../blocks/block.ts";
import { fieldIndex, readForm } from "../blocks/form-fields.ts";
import { slackOption } from "../blocks/form-inputs.ts";

const MOST_SUGGESTED = 100;

/**
 * The reply to `block_suggestion`: the options of a field whose label contains what the person has typed, at most 100.
 * `blockId` is the `block_id` of the payload. Without such a field there are no options.
 */
export function suggestOptions(
  request: FormElicitationRequest,
  blockId: unknown,
  query: string,
): { options: readonly SlackElement[] } {
  const form = readForm(request);
  const field = form.ok ? form.fields[fieldIndex(blockId) ?? -1] : undefined;
  if (field === undefined || !("options" in field)) return { options: [] };
  const wanted = fold(query);
  const found: SlackElement[] = [];
  for (const [index, { label, description }] of field.options.entries()) {
    if (!fold(label).includes(wanted)) continue;
    found.push(slackOption(label, index, description));
    if (found.length === MOST_SUGGESTED) break;
  }
  return { options: found };
}

/** Ignores case and accents. */
const fold = (text: string): string => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
