"use client";
import { type ForwardedRef, forwardRef } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import { icon } from "../../prompt/icon.tsx";
import type { PartRender } from "../../view.ts";
import { type FieldShared, useField } from "../context.ts";
import { errorText } from "../field-words.ts";

/** What is wrong with the answer. Renders a `<p>`, or nothing while no error is shown. */
export const FormElicitationError = /* @__PURE__ */ forwardRef(function FormElicitationError(
  props: FormElicitationErrorProps,
  ref: ForwardedRef<HTMLParagraphElement>,
) {
  return usePartElement(props, ref, errorView(useField("Error")));
});

export function errorView({
  field,
  state: { error },
  id,
  questions,
}: FieldShared): PartRender<FormElicitationErrorState> | undefined {
  if (error === undefined) return undefined;
  const children = (
    <>
      {icon("alert")}
      <bdi>{errorText(error, field, questions.catalogue)}</bdi>
    </>
  );
  return { tag: "p", state: { code: error.code }, props: { id: `${id}error`, children } };
}

export type FormElicitationErrorProps = PartProps<"p", FormElicitationErrorState>;
export interface FormElicitationErrorState {
  /** `data-code`: the code of a `FieldError` of `elicit-kit/form`. */
  code: string | undefined;
}
