"use client";
import { type ForwardedRef, forwardRef } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import type { PartRender } from "../../view.ts";
import { type FilledForm, useFilledForm } from "../context.ts";
import { countErrors } from "../form-state.ts";

/** How many answers need to be corrected, for the end of the buttons. Renders a `<span>`, or nothing without errors. */
export const FormElicitationErrorCount = /* @__PURE__ */ forwardRef(function FormElicitationErrorCount(
  props: FormElicitationErrorCountProps,
  ref: ForwardedRef<HTMLSpanElement>,
) {
  return usePartElement(props, ref, errorCountView(useFilledForm("ErrorCount")));
});

export function errorCountView({ catalogue, answers, folded }: FilledForm): PartRender | undefined {
  const count = countErrors(answers);
  if (count === 0 || folded) return undefined;
  return { tag: "span", state: {}, props: { children: catalogue.errorCount(count) } };
}

export type FormElicitationErrorCountProps = PartProps<"span", FormElicitationErrorCountState>;
export type FormElicitationErrorCountState = object;
