import { type RefObject, useEffect } from "react";

/** Closer to the end than this, in pixels, the person reads the newest. */
const NEAR = 100;

/**
 * Keeps the newest in view while the page grows, unless the person has scrolled away from it: the request that they are
 * at, or else the last words. A message of their own brings them back to the end.
 */
export function useFollowEnd(main: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = main.current;
    if (element === null) return;
    let follows = true;
    let height = 0;
    let said = 0;
    const onScroll = (): void => {
      // The height of the last resize: the page may have grown since this scroll, which is no scrolling away.
      follows = innerHeight + scrollY > height - NEAR;
    };
    const observer = new ResizeObserver(() => {
      height = document.documentElement.scrollHeight;
      const saidBefore = said;
      said = element.querySelectorAll(".log > [data-role=user]").length;
      if (said > saidBefore) follows = true;
      const asked = element.querySelector("[data-open]:focus-within");
      const newest = [...element.querySelectorAll(".turn > li, .log > li, main > :not(.log, output)")].at(-1);
      if (follows) (asked ?? newest)?.scrollIntoView({ block: "nearest" });
    });
    observer.observe(element);
    addEventListener("scroll", onScroll);
    return () => {
      observer.disconnect();
      removeEventListener("scroll", onScroll);
    };
  }, [main]);
}
