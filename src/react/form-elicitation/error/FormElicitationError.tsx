"use client";
import type { Part } from "../../create-part.ts";
import type { PartProps } from "../../part.ts";
import { fieldPart } from "../context.ts";
import { errorText } from "../field-words.ts";

/** What is wrong with the answer. Renders a `<p>`, or nothing when nothing is (yet). */
export const FormElicitationError: Part<"p", FormElicitationErrorState> = fieldPart(
  "FormElicitationParts.Error",
  "p",
  ({ field, view: { error }, id, root }) =>
    error && {
      state: { code: error.code },
      props: { id: `${id}error`, children: errorText(error, field, root.catalogue) },
    },
);

export type FormElicitationErrorProps = PartProps<"p", FormElicitationErrorState>;
export interface FormElicitationErrorState {
  /** `data-code`: see `FieldError` of `elicit-kit/form`. */
  code: string | undefined;
}
