import { type RefObject, useCallback, useEffect, useRef } from "react";

/**
 * Returns a function that runs an action at once, or after the current press. A field loses the focus on `mousedown`, and
 * a click needs its target to stay in place until `mouseup`: an error shown in between would move the target.
 */
export function useAfterPress(rootRef: RefObject<HTMLElement | null>): (action: () => void) => void {
  /** `undefined`: no press is in progress. */
  const waiting = useRef<(() => void)[]>(undefined);
  useEffect(() => {
    const page = rootRef.current?.ownerDocument;
    const press = (): void => {
      if (waiting.current === undefined) waiting.current = [];
    };
    // The click follows `mouseup` at once. For touch, both mouse events come together.
    const release = (): unknown => setTimeout(run);
    function run(): void {
      const actions = waiting.current;
      waiting.current = undefined;
      for (const action of actions ?? []) action();
    }
    page?.addEventListener("mousedown", press, true);
    page?.addEventListener("mouseup", release, true);
    return () => {
      page?.removeEventListener("mousedown", press, true);
      page?.removeEventListener("mouseup", release, true);
    };
  }, [rootRef]);
  return useCallback((action) => void (waiting.current?.push(action) ?? action()), []);
}
