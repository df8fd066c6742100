"use client";
import type { WindowState } from "../../../client/index.ts";
import type { Part } from "../../create-part.ts";
import type { PartProps } from "../../part.ts";
import { waitingText } from "../../prompt/status-text.ts";
import { connectPart } from "../context.ts";

/** What is awaited while the page is open. Renders a `<p>`, or nothing before the first click and after the end. */
export const ConnectPromptWaiting: Part<"p", ConnectPromptWaitingState> = connectPart(
  "ConnectPromptParts.Waiting",
  "p",
  ({ elicitation, catalogue, awaited }) => {
    if (!awaited) return undefined;
    const { window, checking = false } = elicitation;
    return { state: { window, checking }, props: { children: waitingText(elicitation, catalogue) } };
  },
);

export type ConnectPromptWaitingProps = PartProps<"p", ConnectPromptWaitingState>;
export interface ConnectPromptWaitingState {
  /** `data-window`: `open`, `closed`, `blocked` or `elsewhere`. */
  window: WindowState | undefined;
  /** `data-checking`: the server is being asked. */
  checking: boolean;
}
