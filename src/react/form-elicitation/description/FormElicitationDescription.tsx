"use client";
import { type ForwardedRef, forwardRef } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import { usePrompt } from "../../prompt/context.ts";
import { useField } from "../context.ts";
import { limitsText } from "../field-words.ts";

/** What helps to answer: the description, and the limits of numbers and choices. Renders a `<p>`, or nothing. */
export const FormElicitationDescription = forwardRef(function FormElicitationDescription(
  props: FormElicitationDescriptionProps,
  ref: ForwardedRef<HTMLParagraphElement>,
) {
  const { messages } = usePrompt("FormElicitationParts.Description");
  const { field, descriptionId } = useField("Description");
  const text = [field.description, limitsText(field, messages)].filter(Boolean).join(" · ");
  const element = usePartElement("p", props, {
    ref,
    state: {},
    props: { id: descriptionId, dir: "auto", children: text },
  });
  return text === "" ? null : element;
});

export type FormElicitationDescriptionProps = PartProps<"p", FormElicitationDescriptionState>;
export type FormElicitationDescriptionState = object;
