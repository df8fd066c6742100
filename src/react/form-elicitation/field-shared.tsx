"use client";
import type { Field } from "../../form/index.ts";
import { otherOf } from "../../form/own-words.ts";
import type { Controls, FieldShared, Questions } from "./context.ts";
import { builtInControls } from "./controls/controls.tsx";
import { describe, limitsText } from "./field-words.ts";
import type { FieldState } from "./form-state.ts";
import { controlHint, isShort, pickControl, pickLayout } from "./pick-control.ts";

type Asked = Pick<Questions, "shown" | "controls" | "context">;

/** The text for own words of a choice. */
export function wordsOf(field: Field, { fields }: Pick<Questions, "fields">): Field | undefined {
  const name = otherOf(field);
  return name === undefined ? undefined : fields.find((one) => one.name === name);
}

/**
 * What a question shares with its label, control, description and error. `said`: the state of its own words. `id`: the start
 * of the ids of its elements.
 */
export function fieldShared(
  field: Field,
  state: FieldState,
  said: FieldState | undefined,
  id: string,
  questions: Questions,
): FieldShared {
  const { controls, catalogue, halves } = questions;
  const words = wordsOf(field, questions);
  const { picked, layout, custom } = choose(field, questions);
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
    half: halves.has(field.name),
    drawControl: Own === undefined ? builtInControls[picked] : (given) => <Own {...given} />,
    id,
    questions,
  };
}

/** The names of the fields that share a row with a neighbour because both are short. The order stays. */
export function pairFields(asked: Asked): ReadonlySet<string> {
  const halves = new Set<string>();
  let waiting: string | undefined;
  for (const field of asked.shown) {
    const { picked, layout, custom } = choose(field, asked);
    const short = custom === undefined && isShort(field, picked, layout);
    if (short && waiting !== undefined) halves.add(waiting).add(field.name);
    waiting = short && waiting === undefined ? field.name : undefined;
  }
  return halves;
}

function choose(field: Field, { shown, controls, context }: Asked) {
  const alone = shown.length === 1;
  const hint = controlHint(context, field.name);
  const picked = pickControl(field, hint, alone);
  // A built-in name is a hint for `pickControl`, which knows whether it fits the field.
  const custom =
    hint !== undefined && !Object.hasOwn(builtInControls, hint) ? ownOf(controls, hint) : undefined;
  return { picked, layout: pickLayout(field, picked, alone), custom };
}

function ownOf(controls: Controls, name: string): Controls[string] {
  return Object.hasOwn(controls, name) ? controls[name] : undefined;
}
