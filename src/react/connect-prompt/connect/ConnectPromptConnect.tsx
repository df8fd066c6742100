"use client";
import type { Part } from "../../create-part.ts";
import type { PartProps } from "../../part.ts";
import { button } from "../../prompt/button.ts";
import { connectPart } from "../context.ts";

/**
 * Opens the page in a window, and opens it again while it is awaited. Renders a `<button>`, or nothing when the page may
 * not be opened (any more).
 */
export const ConnectPromptConnect: Part<"button", ConnectPromptConnectState> = connectPart(
  "ConnectPromptParts.Connect",
  "button",
  ({ elicitation, catalogue, url, awaited }) => {
    const busy = elicitation.status === "submitting";
    // It stays while an answer is on its way: a button that comes and goes takes the focus with it.
    const possible = elicitation.status === "pending" || awaited || busy;
    if (!possible || url.verdict === "block") return undefined;
    return button(awaited ? catalogue.openAgain : catalogue.connect, elicitation.connect, { awaited, busy });
  },
);

export type ConnectPromptConnectProps = PartProps<"button", ConnectPromptConnectState>;
export interface ConnectPromptConnectState {
  /** `data-awaited`: the page was opened before. */
  awaited: boolean;
  /** `data-busy`: an answer is on its way. */
  busy: boolean;
}
