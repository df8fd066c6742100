"use client";
import { type ForwardedRef, forwardRef, useEffect } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import { useRemaining } from "../../use-remaining.ts";
import { usePrompt } from "../context.ts";

/** The time left once it is under two minutes. Renders a `<span role="timer">`, or nothing before that. */
export const PromptRemaining = forwardRef(function PromptRemaining(
  props: PromptRemainingProps,
  ref: ForwardedRef<HTMLSpanElement>,
) {
  const { elicitation, messages, announce } = usePrompt("Remaining");
  const left = useRemaining(elicitation);
  const short = left !== undefined;
  // Once is enough: a clock read out every second would drown everything else.
  useEffect(() => {
    if (short) announce(messages.underTwoMinutes);
  }, [short, announce, messages]);
  const seconds = Math.ceil((left ?? 0) / 1_000);
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  const element = usePartElement("span", props, {
    ref,
    state: {},
    props: { role: "timer", children: messages.timeLeft(time) },
  });
  return short ? element : null;
});

export type PromptRemainingProps = PartProps<"span", PromptRemainingState>;
export type PromptRemainingState = object;
