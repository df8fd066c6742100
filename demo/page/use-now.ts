import { useEffect, useState } from "react";

const STEP_MS = 500;

/**
 * The current time in milliseconds. While `ticks` is true, it updates twice a second, simultaneously in all components of
 * the page.
 */
export function useNow(ticks: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!ticks) return;
    let timer: ReturnType<typeof setTimeout>;
    const wait = (): void => {
      timer = setTimeout(
        () => {
          setNow(Date.now());
          wait();
        },
        STEP_MS - (Date.now() % STEP_MS),
      );
    };
    wait();
    return () => clearTimeout(timer);
  }, [ticks]);
  return now;
}
