"use client";
import type { Field } from "../../form/index.ts";
import { otherOf } from "../../form/own-words.ts";
import type { Choice, Controls, FieldShared, Questions } from "./context.ts";
import { builtInControls } from "./controls/controls.tsx";
import { describe, limitsText } from "./field-words.ts";
import type { FieldState } from "./form-state.ts";
import { controlHint, recommendedOf } from "../../form/hints.ts";
import { type ControlName, isShort, pickControl, pickLayout } from "../../form/pick-control.ts";

type Asked = Pick<Questions, "shown" | "controls" | "context" | "isStepped" | "isPressed">;

/** The free text of a choice. */
export function wordsOf(field: Field, { fields }: Pick<Questions, "fields">): Field | undefined {
  const name = otherOf(field);
  return name === undefined ? undefined : fields.find((one) => one.name === name);
}

/**
 * The values that a question shares with its label, control, description and error. `said` is the state of its free text.
 * `id` is the prefix for the ids of its elements.
 */
export function fieldShared(
  field: Field,
  state: FieldState,
  said: FieldState | undefined,
  id: string,
  questions: Questions,
): FieldShared {
  const { controls, catalogue, choices } = questions;
  const words = wordsOf(field, questions);
  const chosen = choices.get(field) ?? choose(field, questions);
  const { layout, custom, half } = chosen;
  const picked = holding(field, chosen.picked, questions);
  const Own = custom ?? ownOf(controls, picked);
  return {
    field,
    state,
    words: words && said && { field: words, state: said },
    description: describe(field, catalogue),
    limits: limitsText(field, picked, state.draft, catalogue),
    control: custom === undefined ? picked : "custom",
    isReplaced: Own !== undefined,
    layout,
    half,
    drawControl: Own === undefined ? builtInControls[picked] : (given) => <Own {...given} />,
    id,
    questions,
  };
}

/** The control, or another one if it cannot hold a value that the user has not typed. */
function holding(field: Field, picked: ControlName, { form }: Questions): ControlName {
  if (field.kind !== "text" || picked === "textarea") return picked;
  return pickControl(field, undefined, false, form.given(field.name));
}

/** Selects the controls of a form. Two short neighbours share a row. The order does not change. */
export function chooseControls(asked: Asked): ReadonlyMap<Field, Choice> {
  const choices = new Map<Field, Choice>();
  let waiting: Field | undefined;
  for (const field of asked.shown) {
    const choice = choose(field, asked);
    const { picked, layout, custom } = choice;
    const short = !asked.isStepped && custom === undefined && isShort(field, picked, layout);
    const first = short && waiting !== undefined ? choices.get(waiting) : undefined;
    if (first !== undefined && waiting !== undefined) choices.set(waiting, { ...first, half: true });
    choices.set(field, first === undefined ? choice : { ...choice, half: true });
    waiting = short && first === undefined ? field : undefined;
  }
  return choices;
}

function choose(field: Field, { shown, controls, context, isStepped, isPressed }: Asked): Choice {
  if (isPressed) return { picked: "press", layout: "cards", custom: undefined, half: false };
  const alone = isStepped || shown.length === 1;
  // A mark needs visible options that each have space for it.
  const marked = field.kind === "choice" && recommendedOf(context, field.name) !== undefined;
  const hint = controlHint(context, field.name) ?? (marked ? "radio" : undefined);
  const picked = pickControl(field, hint, alone);
  // A built-in name is a hint for `pickControl`, which checks whether it fits the field.
  const custom =
    hint !== undefined && !Object.hasOwn(builtInControls, hint) ? ownOf(controls, hint) : undefined;
  const layout = marked && picked === "radio" ? "cards" : pickLayout(field, picked, alone);
  return { picked, layout, custom, half: false };
}

function ownOf(controls: Controls, name: string): Controls[string] {
  return Object.hasOwn(controls, name) ? controls[name] : undefined;
}
