import { useEffect, useState } from "react";
import { FRAMES_MS, LAST } from "./first-frames.ts";

interface Play {
  /** The current frame. */
  readonly frame: number;
  /** Counts how often the animation has started. */
  readonly round: number;
  /** When this round started, in milliseconds. */
  readonly startedAt: number;
  /** Restarts the animation. */
  readonly play: () => void;
}

/**
 * Counts the frames of the animation on the first screen. A click or a key anywhere, or `prefers-reduced-motion`, shows
 * the last frame at once.
 */
export function usePlay(): Play {
  const [frame, setFrame] = useState(0);
  const [{ round, startedAt }, setRound] = useState(() => ({ round: 0, startedAt: Date.now() }));
  const [isHurried, setHurried] = useState(() => matchMedia("(prefers-reduced-motion: reduce)").matches);

  useEffect(() => {
    if (frame >= LAST) return;
    const end = () => setHurried(true);
    const ended = new AbortController();
    for (const type of ["pointerdown", "keydown"]) addEventListener(type, end, { signal: ended.signal });
    const next = isHurried ? LAST : frame + 1;
    const wait = isHurried ? 0 : startedAt + (FRAMES_MS[frame] ?? 0) - Date.now();
    const timer = setTimeout(() => setFrame(next), wait);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [frame, isHurried, startedAt]);

  function play(): void {
    setFrame(0);
    setHurried(false);
    setRound((last) => ({ round: last.round + 1, startedAt: Date.now() }));
  }
  return { frame, round, startedAt, play };
}
