"use client";
import type { Part } from "../../create-part.ts";
import type { PartProps } from "../../part.ts";
import { button } from "../../prompt/button.ts";
import { connectPart } from "../context.ts";

/** "I've finished": asks the server to go on. Renders a `<button>`, or nothing while no page was opened. */
export const ConnectPromptFinished: Part<"button", ConnectPromptFinishedState> = connectPart(
  "ConnectPromptParts.Finished",
  "button",
  ({ elicitation, catalogue, request, awaited }) => {
    if (!awaited) return undefined;
    // Where the accept has already said "I agree to open it", what remains is to look whether the rest is done.
    const consented = request.progress?.status === "consented";
    const finish = () => (consented ? elicitation.check() : elicitation.accept());
    return button(catalogue.finished, finish, { busy: elicitation.status === "submitting" });
  },
);

export type ConnectPromptFinishedProps = PartProps<"button", ConnectPromptFinishedState>;
export interface ConnectPromptFinishedState {
  /** `data-busy`: an answer is on its way. */
  busy: boolean;
}
