"use client";
import { useState } from "react";
import { inMinutes } from "../../words/language.ts";
import { type BoundElicitation, waitsForOther } from "../bound-elicitation.ts";
import type { PartProps } from "../part.ts";
import { useRemaining } from "../use-remaining.ts";
import type { PartRender } from "../view.ts";
import { buttonView } from "./button-view.ts";
import { promptPart, type PromptShared } from "./context.ts";
import { isOver } from "./status-text.ts";

/** How much later the request can still be made to expire, in milliseconds. */
export function restOf({ request }: BoundElicitation): number {
  const { expiresAt, extendableUntil } = request;
  if (expiresAt === undefined || extendableUntil === undefined) return 0;
  return Math.max(0, Date.parse(extendableUntil) - Date.parse(expiresAt));
}

/** `left`: the result of `useRemaining`. */
export function useMoreTimeView(
  { elicitation, catalogue, announce }: PromptShared,
  left: number | undefined,
): PartRender<PromptMoreTime.State> | undefined {
  const soon = left !== undefined;
  const [state, setState] = useState<"busy" | "failed">();
  if (isOver(elicitation) || waitsForOther(elicitation)) return undefined;
  const busy = state === "busy";
  // The button keeps the focus while the last time is given, although it is not offered again.
  if (restOf(elicitation) === 0 && !busy) return undefined;
  const { moreTime, didNotWork } = catalogue;
  async function extend(): Promise<void> {
    setState("busy");
    const isGiven = await elicitation.extend();
    setState(isGiven ? undefined : "failed");
    const { moreTimeGiven, underTwoMinutes, locale } = catalogue;
    const told = isGiven ? moreTimeGiven(inMinutes(elicitation.remaining() ?? 0, locale)) : didNotWork;
    announce(told, underTwoMinutes);
  }
  const label = state === "failed" ? `${moreTime} · ${didNotWork}` : moreTime;
  return buttonView(label, extend, { busy, soon });
}

/**
 * Asks the server for more time (WCAG 2.2.1). `data-soon` is set in the last two minutes. Before, a card shows it only
 * while it has the focus, so that keyboard users and screen readers reach it at any time. Renders a `<button>`, or nothing
 * if the server gives no more.
 */
export const PromptMoreTime = /* @__PURE__ */ promptPart<"button", PromptMoreTime.State>(
  "MoreTime",
  (shared) => useMoreTimeView(shared, useRemaining(shared.elicitation)),
);
export namespace PromptMoreTime {
  export type Props = PartProps<"button", State>;
  export interface State {
    /** `data-busy`: the server is being asked. */
    busy: boolean;
    /** `data-soon`: less than two minutes are left. */
    soon: boolean;
  }
}
