"use client";
import type { ReactNode } from "react";
import { useBrowserLayoutEffect } from "../../browser-layout-effect.ts";
import { type ControlProps, type FieldShared, useField } from "../context.ts";

/**
 * The control of a field: the built-in one that fits, or its replacement in `controls` of the root. `className` is added
 * to its outermost element; `children` renders another control for this field only.
 */
export function FormElicitationControl({ className, children }: FormElicitationControlProps) {
  const shared = useField("Control");
  const { onReplaced } = shared;
  const isReplaced = children !== undefined;
  // The label of a control that consists of one element points to it.
  useBrowserLayoutEffect(() => onReplaced?.(isReplaced), [onReplaced, isReplaced]);
  return <>{(children ?? shared.drawControl)(controlProps(shared, className))}</>;
}

export function controlProps(shared: FieldShared, className?: string): ControlProps {
  const { field, state, description, limits, layout, id, questions } = shared;
  const { form, leave, secretFields, catalogue } = questions;
  return {
    field,
    draft: state.draft,
    onChange: (draft) => form.change(field.name, draft),
    onBlur: () => leave(field.name),
    id: `${id}control`,
    labelId: `${id}label`,
    describedBy:
      [limits && `${id}limits`, description && `${id}description`, state.error && `${id}error`]
        .filter(Boolean)
        .join(" ") || undefined,
    invalid: state.error !== undefined,
    secret: secretFields.includes(field),
    layout,
    className,
    catalogue,
  };
}

export interface FormElicitationControlProps {
  /** Added to the control's outermost element. */
  className?: string | undefined;
  /** Renders another control for this field only. */
  children?: ((props: ControlProps) => ReactNode) | undefined;
}
