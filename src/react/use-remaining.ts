"use client";
import { useMemo, useSyncExternalStore } from "react";
import { isOpen } from "../client/ended.ts";
import type { BoundElicitation } from "./bound-elicitation.ts";

const SHOWN_MS = 120_000;
/** Browsers fire longer timers at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Milliseconds until an open request expires, during the last two minutes; `undefined` before, and for requests that do
 * not expire. Re-renders once a second during that time only. `0` does not mean that it has ended, because only the
 * server ends a request.
 */
export function useRemaining(elicitation: BoundElicitation): number | undefined {
  const { subscribe, shown } = useMemo(
    () => watchTime(() => (isOpen(elicitation) ? elicitation.remaining() : undefined)),
    [elicitation],
  );
  return useSyncExternalStore(subscribe, shown, shown);
}

/** Milliseconds until an undelivered answer is retried. `undefined` if there is none. */
export function useNextTry({ status, notice }: BoundElicitation): number | undefined {
  const retryAt = status === "undelivered" ? notice?.retryAt : undefined;
  const { subscribe, shown } = useMemo(() => watchUntil(retryAt), [retryAt]);
  return useSyncExternalStore(subscribe, shown, shown);
}

function watchUntil(end: number | undefined) {
  return watchTime(() => (end === undefined ? undefined : Math.max(0, end - Date.now())));
}

/** The shown time changes only with a timer, because React reads it repeatedly during one render. */
function watchTime(read: () => number | undefined) {
  let left = read();
  return {
    shown: () => (left !== undefined && left <= SHOWN_MS ? left : undefined),
    subscribe(listener: () => void) {
      let timer: ReturnType<typeof setTimeout>;
      function wait(): void {
        left = read();
        if (left === undefined || left <= 0) return;
        timer = setTimeout(
          tick,
          left > SHOWN_MS ? Math.min(left - SHOWN_MS, LONGEST_TIMER_MS) : left % 1_000 || 1_000,
        );
      }
      function tick(): void {
        wait();
        listener();
      }
      wait();
      return () => clearTimeout(timer);
    },
  };
}
