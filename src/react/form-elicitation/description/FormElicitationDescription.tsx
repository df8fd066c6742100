"use client";
import { type ForwardedRef, forwardRef } from "react";
import { directionOf } from "../../isolate.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import type { PartRender } from "../../view.ts";
import { type FieldShared, useField } from "../context.ts";

/** Help for the answer: the description, and how many options to choose. Renders a `<p>`, or nothing. */
export const FormElicitationDescription = /* @__PURE__ */ forwardRef(function FormElicitationDescription(
  props: FormElicitationDescriptionProps,
  ref: ForwardedRef<HTMLParagraphElement>,
) {
  return usePartElement(props, ref, descriptionView(useField("Description")));
});

export function descriptionView({
  description,
  id,
  questions: { catalogue },
}: FieldShared): PartRender | undefined {
  if (description === "") return undefined;
  const dir = directionOf(description, catalogue.dir);
  return { tag: "p", state: {}, props: { id: `${id}description`, dir, children: description } };
}

export type FormElicitationDescriptionProps = PartProps<"p", FormElicitationDescriptionState>;
export type FormElicitationDescriptionState = object;
