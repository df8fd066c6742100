"use client";
import { type ForwardedRef, forwardRef, useId, useMemo, useSyncExternalStore } from "react";
import type { Field } from "../../../form/index.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import { FieldContext, type FieldContextValue, useForm } from "../context.ts";
import { builtInControls } from "../controls/index.ts";
import { describe } from "../field-words.ts";
import { controlHint, pickControl } from "../pick-control.ts";

/** One question: groups its label, control, description and error. Renders a `<div>`. */
export const FormElicitationField = forwardRef(function FormElicitationField(
  { field, ...props }: FormElicitationFieldProps,
  ref: ForwardedRef<HTMLDivElement>,
) {
  const root = useForm("FormElicitationParts.Field");
  const id = useId();
  const read = () => root.form.view(field.name);
  const view = useSyncExternalStore(root.form.subscribe, read, read);
  const value = useMemo((): FieldContextValue => {
    const { fields, controls, elicitation, catalogue } = root;
    const hint = controlHint(elicitation.request.context, field.name);
    const picked = pickControl(field, hint, fields.length === 1);
    const own = hint !== undefined && Object.hasOwn(controls, hint) ? controls[hint] : undefined;
    // A name of the kit's own says which kind of control fits; only pickControl knows whether it does.
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
      root,
    };
  }, [field, view, id, root]);
  const element = usePartElement("div", props, ref, {
    state: { control: value.control, invalid: view.error !== undefined },
    props: { "data-field": field.name },
  });
  return <FieldContext.Provider value={value}>{element}</FieldContext.Provider>;
});

export type FormElicitationFieldProps = PartProps<"div", FormElicitationFieldState> & { field: Field };
export interface FormElicitationFieldState {
  /** `data-control`: which control it has; `custom` for one of the developer's own hints. */
  control: string;
  /** `data-invalid`: an error is shown. */
  invalid: boolean;
}
