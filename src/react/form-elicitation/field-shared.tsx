"use client";
import type { Field } from "../../form/index.ts";
import { controlHint } from "../../form/hints.ts";
import { isShort, pickLayout } from "../../form/pick-control.ts";
import { type PresentedForm, presentField } from "../../form/present-field.ts";
import type { Choice, Controls, FieldShared, Questions } from "./context.ts";
import { builtInControls } from "./controls/controls.tsx";
import { describe, limitsText } from "./field-words.ts";
import type { FieldState } from "./form-state.ts";

type Asked = Pick<Questions, keyof PresentedForm | "controls" | "isStepped">;

/**
 * The values that a question shares with its label, control, description and error. `said` is the state of its free text.
 * `id` is the prefix for the ids of its elements.
 */
export function fieldShared(
  field: Field,
  state: FieldState,
  said: FieldState,
  id: string,
  questions: Questions,
): FieldShared {
  const { catalogue } = questions;
  const shown = questions.form.given(field.name);
  const presented = presentField(field, questions, catalogue.recommended, shown);
  const { control, words } = presented;
  const { layout, custom, half } = questions.choices.get(field) ?? choose(field, questions);
  const Own = custom ?? ownOf(questions.controls, control);
  return {
    ...presented,
    field,
    state,
    words: words && { field: words, state: said },
    description: describe(field, control, catalogue),
    limits: limitsText(field, control, state.draft, catalogue),
    control: custom === undefined ? control : "custom",
    isReplaced: Own !== undefined,
    layout,
    half,
    drawControl: Own === undefined ? builtInControls[control] : (given) => <Own {...given} />,
    id,
    questions,
  };
}

/** Selects the controls of a form. Two short neighbours share a row. The order does not change. */
export function chooseControls(asked: Asked): ReadonlyMap<Field, Choice> {
  const choices = new Map<Field, Choice>();
  let waiting: Choice | undefined;
  for (const field of asked.shown) {
    const choice = choose(field, asked);
    const { control, layout, custom } = choice;
    choices.set(field, choice);
    const isSmall = !asked.isStepped && custom === undefined && isShort(field, control, layout);
    if (isSmall && waiting !== undefined) {
      waiting.half = choice.half = true;
      waiting = undefined;
    } else waiting = isSmall ? choice : undefined;
  }
  return choices;
}

function choose(field: Field, asked: Asked): Choice {
  const { control, recommended, isSecret } = presentField(field, asked, "");
  // Where one press answers, a control of the app would leave no way to send.
  const hint = control === "press" ? control : (controlHint(asked.context, field.name) ?? control);
  // A built-in name is a hint for `pickControl`, which checks whether it fits the field.
  const custom = Object.hasOwn(builtInControls, hint) ? undefined : ownOf(asked.controls, hint);
  // A mark needs options that each have space for it, and a stepper would show a secret.
  const isRow = control === "press" || (control === "radio" && recommended);
  const layout = isRow ? "cards" : isSecret ? undefined : pickLayout(field, control, asked.isAlone);
  return { control, layout, custom };
}

function ownOf(controls: Controls, name: string): Controls[string] {
  return Object.hasOwn(controls, name) ? controls[name] : undefined;
}
