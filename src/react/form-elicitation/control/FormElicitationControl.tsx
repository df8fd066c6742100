"use client";
import type { ReactNode } from "react";
import { type ControlProps, type FieldShared, useField } from "../context.ts";

/**
 * The control of a field: the built-in one that fits, or its replacement in `controls` of the root. `children` renders
 * another one for this field only.
 */
export function FormElicitationControl({ children }: FormElicitationControlProps) {
  const shared = useField("Control");
  return (children ?? shared.drawControl)(controlProps(shared));
}

export function controlProps({ field, state, description, id, questions }: FieldShared): ControlProps {
  const { form, leave, secretFields, catalogue } = questions;
  return {
    field,
    draft: state.draft,
    onChange: (draft) => form.change(field.name, draft),
    onBlur: () => leave(field.name),
    id: `${id}control`,
    labelId: `${id}label`,
    describedBy:
      [description && `${id}description`, state.error && `${id}error`].filter(Boolean).join(" ") || undefined,
    invalid: state.error !== undefined,
    secret: secretFields.includes(field),
    catalogue,
  };
}

export interface FormElicitationControlProps {
  children?: ((props: ControlProps) => ReactNode) | undefined;
}
