"use client";
import { type ForwardedRef, forwardRef, useEffect } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import { useRemaining } from "../../use-remaining.ts";
import type { PartRender } from "../../view.ts";
import { type PromptShared, usePrompt } from "../context.ts";

/** The time left once it is under two minutes. Renders a `<span role="timer">`, or nothing before that. */
export const PromptRemaining = /* @__PURE__ */ forwardRef(function PromptRemaining(
  props: PromptRemainingProps,
  ref: ForwardedRef<HTMLSpanElement>,
) {
  return usePartElement(props, ref, useRemainingView(usePrompt("Remaining")));
});

export function useRemainingView({ elicitation, catalogue, announce }: PromptShared): PartRender | undefined {
  const left = useRemaining(elicitation);
  const short = left !== undefined;
  // Announced once: every second would be too much.
  useEffect(() => {
    if (short) announce(catalogue.underTwoMinutes);
  }, [short, announce, catalogue]);
  if (!short) return undefined;
  const seconds = Math.ceil(left / 1_000);
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return { tag: "span", state: {}, props: { role: "timer", children: catalogue.timeLeft(time) } };
}

export type PromptRemainingProps = PartProps<"span", PromptRemainingState>;
export type PromptRemainingState = object;
