"use client";
import { useEffect } from "react";
import type { Part } from "../../create-part.ts";
import type { PartProps } from "../../part.ts";
import { useRemaining } from "../../use-remaining.ts";
import { promptPart } from "../context.ts";

/** The time left once it is under two minutes. Renders a `<span role="timer">`, or nothing before that. */
export const PromptRemaining: Part<"span", PromptRemainingState> = promptPart(
  "Remaining",
  "span",
  function useTimer({ elicitation, catalogue, announce }) {
    const left = useRemaining(elicitation);
    const short = left !== undefined;
    // Once is enough: a clock read out every second would drown everything else.
    useEffect(() => {
      if (short) announce(catalogue.underTwoMinutes);
    }, [short, announce, catalogue]);
    if (!short) return undefined;
    const seconds = Math.ceil(left / 1_000);
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    return { state: {}, props: { role: "timer", children: catalogue.timeLeft(time) } };
  },
);

export type PromptRemainingProps = PartProps<"span", PromptRemainingState>;
export type PromptRemainingState = object;
