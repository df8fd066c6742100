"use client";
import type { MouseEvent } from "react";
import type { Part } from "../../create-part.ts";
import type { PartProps } from "../../part.ts";
import { isRepeated } from "../../prompt/button.ts";
import { isOver } from "../../prompt/status-text.ts";
import { formPart } from "../context.ts";

function onClick(event: MouseEvent): void {
  if (isRepeated(event)) event.preventDefault();
}

/** Checks the answers and sends them; Enter in a field does the same. Renders a `<button>`, or nothing. */
export const FormElicitationSubmit: Part<"button", FormElicitationSubmitState> = formPart(
  "FormElicitationParts.Submit",
  "button",
  ({ elicitation, catalogue, fields, refused }) => {
    const { status } = elicitation;
    if (isOver(elicitation) || status === "blocked" || refused) return undefined;
    const busy = status === "submitting";
    const label = fields.length === 0 ? catalogue.confirm : catalogue.submit;
    const children = busy ? catalogue.submitting : status === "answered" ? catalogue.changeAnswer : label;
    return {
      state: { busy },
      props: { type: "submit", "aria-disabled": busy || undefined, onClick, children },
    };
  },
);

export type FormElicitationSubmitProps = PartProps<"button", FormElicitationSubmitState>;
export interface FormElicitationSubmitState {
  /** `data-busy`: the answer is on its way. */
  busy: boolean;
}
