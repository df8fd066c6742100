import type { ReactNode } from "react";
import type { FormShared } from "./context.ts";

/**
 * The keys of the only question, such as "1 – 4". Nothing where the user can decline with a note, because that button has
 * the same place.
 */
export function keyRange({ questions, note, steps, folded, isGiving, handOver }: FormShared): ReactNode {
  const [field, second] = questions.shown;
  if (field?.kind !== "choice" || second || steps || note || folded || isGiving || handOver.giveOn)
    return null;
  const { layout } = questions.choices.get(field) ?? {};
  const last = Math.min(field.options.length + (field.other === undefined ? 0 : 1), 9);
  if ((layout !== "cards" && layout !== "columns") || last < 2) return null;
  // Each option shows its own key.
  return (
    <span className="elicit-keys elicit-muted" aria-hidden="true">
      <kbd>1</kbd>
      <span> – </span>
      <kbd>{last}</kbd>
    </span>
  );
}
