"use client";
import { type ForwardedRef, forwardRef } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import type { PartRender } from "../../view.ts";
import { type FieldShared, useField } from "../context.ts";

/**
 * The limits of the answer, to stand beside the label: the range of a number, how many of the most characters are typed,
 * or how many of the most options are chosen. Renders a `<span>`, or nothing.
 */
export const FormElicitationLimits = /* @__PURE__ */ forwardRef(function FormElicitationLimits(
  props: FormElicitationLimitsProps,
  ref: ForwardedRef<HTMLSpanElement>,
) {
  return usePartElement(props, ref, limitsView(useField("Limits")));
});

export function limitsView({ limits, id }: FieldShared): PartRender | undefined {
  if (limits === "") return undefined;
  return { tag: "span", state: {}, props: { id: `${id}limits`, children: limits } };
}

export type FormElicitationLimitsProps = PartProps<"span", FormElicitationLimitsState>;
export type FormElicitationLimitsState = object;
