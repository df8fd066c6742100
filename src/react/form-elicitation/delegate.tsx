"use client";
import { waitsForOther } from "../bound-elicitation.ts";
import type { PartProps } from "../part.ts";
import { buttonView } from "../prompt/button-view.ts";
import { isOver } from "../prompt/status-text.ts";
import type { PartRender } from "../view.ts";
import { formPart, type FormShared } from "./context.ts";

export function delegateView({
  elicitation,
  catalogue,
  folded,
  note,
  isGiving,
}: FormShared): PartRender<FormElicitationDelegate.State> | undefined {
  const { request, status, accept } = elicitation;
  if (request.delegate !== true || isOver(elicitation) || waitsForOther(elicitation)) return undefined;
  if (status === "blocked" || folded || note?.isOpen || isGiving) return undefined;
  const delegate = () => accept(undefined, { delegated: true });
  return buttonView(catalogue.youDecide, delegate, { busy: status === "submitting" });
}

/**
 * Leaves the decision to the agent, which has an answer of its own. Renders a `<button>`, or nothing if the tool does not
 * allow it.
 */
export const FormElicitationDelegate = /* @__PURE__ */ formPart<"button", FormElicitationDelegate.State>(
  "Delegate",
  delegateView,
);
export namespace FormElicitationDelegate {
  export type Props = PartProps<"button", State>;
  export interface State {
    /** `data-busy`: an answer is being sent. */
    busy: boolean;
  }
}
