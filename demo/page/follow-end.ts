import { type RefObject, useEffect } from "react";

/**
 * Keeps the newest in view while the page grows, unless the person has scrolled away from it: the request that they are
 * at, or else the last words.
 */
export function useFollowEnd(main: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = main.current;
    if (element === null) return;
    let follows = true;
    const onScroll = (): void => {
      follows = innerHeight + scrollY > document.documentElement.scrollHeight - 100;
    };
    const observer = new ResizeObserver(() => {
      const asked = element.querySelector("[data-open]:focus-within");
      const newest = [...element.querySelectorAll(".turn > li, .log > li, main > :not(.log)")].at(-1);
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
