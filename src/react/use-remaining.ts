"use client";
import { useEffect, useReducer } from "react";
import { isOpen } from "../client/index.ts";
import type { BoundElicitation } from "./bound-elicitation.ts";

const SHOWN_MS = 120_000;
/** Longer timers end at once in browsers. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Milliseconds until an open request expires, once they are under two minutes; `undefined` before that, and where there
 * is no end. Renders once a second then, and not at all before. Zero is no end yet: the server says when it is over.
 */
export function useRemaining(elicitation: BoundElicitation): number | undefined {
  const [, tick] = useReducer((count: number) => count + 1, 0);
  const left = isOpen(elicitation) ? elicitation.remaining() : undefined;
  useEffect(() => {
    if (left === undefined || left <= 0) return undefined;
    const wait = left > SHOWN_MS ? Math.min(left - SHOWN_MS, LONGEST_TIMER_MS) : left % 1_000 || 1_000;
    const timer = setTimeout(tick, wait);
    return () => clearTimeout(timer);
  }, [left]);
  return left !== undefined && left <= SHOWN_MS ? left : undefined;
}
