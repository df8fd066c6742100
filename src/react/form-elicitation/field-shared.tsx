"use client";
import type { Field } from "../../form/index.ts";
import type { FieldShared, Questions } from "./context.ts";
import { builtInControls } from "./controls/index.ts";
import { describe } from "./field-words.ts";
import type { FieldState } from "./form-state.ts";
import { controlHint, pickControl } from "./pick-control.ts";

/** What a question shares with its label, control, description and error. `id`: the start of the ids of its elements. */
export function fieldShared(field: Field, state: FieldState, id: string, questions: Questions): FieldShared {
  const { fields, controls, context, catalogue } = questions;
  const hint = controlHint(context, field.name);
  const picked = pickControl(field, hint, fields.length === 1);
  const own = hint !== undefined && Object.hasOwn(controls, hint) ? controls[hint] : undefined;
  // A built-in name is a hint for `pickControl`, which knows whether it fits the field.
  const custom = hint !== undefined && !Object.hasOwn(builtInControls, hint) ? own : undefined;
  const replaced = Object.hasOwn(controls, picked) ? controls[picked] : undefined;
  const Own = custom ?? replaced;
  return {
    field,
    state,
    description: describe(field, catalogue),
    control: custom === undefined ? picked : "custom",
    drawControl: Own === undefined ? builtInControls[picked] : (given) => <Own {...given} />,
    id,
    questions,
  };
}
