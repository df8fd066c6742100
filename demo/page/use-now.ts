import { useEffect, useState } from "react";

const STEP_MS = 500;

/** The time in milliseconds. Updates twice a second while `ticks` is true. */
export function useNow(ticks: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!ticks) return;
    const timer = setInterval(() => setNow(Date.now()), STEP_MS);
    return () => clearInterval(timer);
  }, [ticks]);
  return now;
}
