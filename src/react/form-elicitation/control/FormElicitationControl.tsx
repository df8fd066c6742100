"use client";
import type { ReactNode } from "react";
import { usePrompt } from "../../prompt/context.ts";
import { type ControlProps, useField, useForm } from "../context.ts";
import { limitsText } from "../field-words.ts";

/**
 * What the person answers with: the control that fits the field, or the one that stands in its place in `controls` of
 * the root. `children` draws another one for this place only.
 */
export function FormElicitationControl({ children }: FormElicitationControlProps) {
  const { messages } = usePrompt("FormElicitationParts.Control");
  const { form, secretFields } = useForm("Control");
  const { field, view, Control, controlId, labelId, descriptionId, errorId } = useField("Control");
  const described = field.description !== undefined || limitsText(field, messages) !== undefined;
  const props: ControlProps = {
    field,
    draft: view.draft,
    onChange: (draft) => form.change(field.name, draft),
    onBlur: () => form.blur(field.name),
    id: controlId,
    labelId,
    describedBy: [described && descriptionId, view.error && errorId].filter(Boolean).join(" ") || undefined,
    invalid: view.error !== undefined,
    secret: secretFields.includes(field),
    messages,
  };
  return children === undefined ? <Control {...props} /> : children(props);
}

export interface FormElicitationControlProps {
  children?: ((props: ControlProps) => ReactNode) | undefined;
}
