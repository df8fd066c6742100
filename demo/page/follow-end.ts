import { type RefObject, useEffect } from "react";

/** Closer to the end than this, in pixels, the user reads the newest. */
const NEAR = 100;

/**
 * Keeps the newest in view while the page grows, unless the user has scrolled away from it: the request that they are
 * at, or else the first one that is open, or else the last words. A message of their own brings them back to that, and who
 * scrolls to the end gets the last words.
 */
export function useFollowEnd(main: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = main.current;
    if (element === null) return;
    let follows: "asked" | "end" | undefined = "asked";
    let height = 0;
    let said = 0;
    /** Where this function has scrolled to. A card that is taller than the window does not end there. */
    let own = -1;
    const onScroll = (): void => {
      if (scrollY === own) return;
      // The height of the last resize: the page may have grown since this scroll, which is no scrolling away.
      follows = innerHeight + scrollY > height - NEAR ? "end" : undefined;
    };
    const follow = (): void => {
      const first = follows === "asked" ? element.querySelector("[data-open]") : null;
      const asked = element.querySelector("[data-open]:focus-within") ?? first;
      const newest = [...element.querySelectorAll(".turn > li, .log > li, main > :not(.log, output)")].at(-1);
      if (follows === undefined) return;
      (asked ?? newest)?.scrollIntoView({ block: "nearest" });
      // Of a card that is taller than the window, what has the focus.
      asked?.querySelector(":focus")?.scrollIntoView({ block: "nearest" });
      own = scrollY;
    };
    const observer = new ResizeObserver(() => {
      height = document.documentElement.scrollHeight;
      const saidBefore = said;
      said = element.querySelectorAll(".log > [data-role=user]").length;
      if (said > saidBefore) follows = "asked";
      follow();
    });
    // A card takes the focus after it was drawn, so the resize has already led to what stands below it.
    const onFocus = ({ target }: FocusEvent): void => {
      if (target instanceof HTMLHeadingElement) follow();
    };
    observer.observe(element);
    addEventListener("scroll", onScroll);
    element.addEventListener("focusin", onFocus);
    return () => {
      observer.disconnect();
      removeEventListener("scroll", onScroll);
      element.removeEventListener("focusin", onFocus);
    };
  }, [main]);
}
