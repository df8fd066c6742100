"use client";
import { type ForwardedRef, forwardRef } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import type { PartRender } from "../../view.ts";
import { type FormShared, useForm } from "../context.ts";
import { useFormVersion } from "../use-form-version.ts";

/** How many answers need to be corrected, for the end of the buttons. Renders a `<span>`, or nothing without errors. */
export const FormElicitationErrorCount = /* @__PURE__ */ forwardRef(function FormElicitationErrorCount(
  props: FormElicitationErrorCountProps,
  ref: ForwardedRef<HTMLSpanElement>,
) {
  const shared = useForm("ErrorCount");
  useFormVersion(shared.questions.form);
  return usePartElement(props, ref, errorCountView(shared));
});

export function errorCountView({ catalogue, questions, folded }: FormShared): PartRender | undefined {
  const count = questions.form.errorCount();
  if (count === 0 || folded) return undefined;
  return { tag: "span", state: {}, props: { children: catalogue.errorCount(count) } };
}

export type FormElicitationErrorCountProps = PartProps<"span", FormElicitationErrorCountState>;
export type FormElicitationErrorCountState = object;
