"use client";
import { useEffect, useReducer } from "react";
import { isOpen } from "../client/index.ts";
import type { BoundElicitation } from "./bound-elicitation.ts";

const SHOWN_MS = 120_000;
/** Browsers fire longer timers at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Milliseconds until an open request expires, during the last two minutes; `undefined` before, and for requests that do not
 * expire. Re-renders once a second during that time only. `0` does not mean that it has ended: only the server ends it.
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
