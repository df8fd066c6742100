"use client";
import { useId, useSyncExternalStore } from "react";
import type { Field } from "../../form/index.ts";
import type { FieldShared, Questions } from "./context.ts";
import { builtInControls } from "./controls/index.ts";
import { describe } from "./field-words.ts";
import { controlHint, pickControl } from "./pick-control.ts";

/** The state of one question: its value, its error, and the control that fits. */
export function useFieldState(field: Field, questions: Questions): FieldShared {
  const { form, fields, controls, context, catalogue } = questions;
  const id = useId();
  const read = () => form.view(field.name);
  const view = useSyncExternalStore(form.subscribe, read, read);
  const hint = controlHint(context, field.name);
  const picked = pickControl(field, hint, fields.length === 1);
  const own = hint !== undefined && Object.hasOwn(controls, hint) ? controls[hint] : undefined;
  // A built-in name is a hint for `pickControl`, which knows whether it fits the field.
  const custom = hint !== undefined && !Object.hasOwn(builtInControls, hint) ? own : undefined;
  const replaced = Object.hasOwn(controls, picked) ? controls[picked] : undefined;
  const Own = custom ?? replaced;
  return {
    field,
    view,
    description: describe(field, catalogue),
    control: custom === undefined ? picked : "custom",
    drawControl: Own === undefined ? builtInControls[picked] : (given) => <Own {...given} />,
    id,
    questions,
  };
}
