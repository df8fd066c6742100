import { type RefObject, useEffect } from "react";

/** If the end is nearer than this, in pixels, the user is reading the newest content. */
const NEAR = 100;

/**
 * Keeps the newest content in view while the page grows, unless the user has scrolled away. The target is the focused
 * request, otherwise the first open request, otherwise the end of the text. Sending a message, or scrolling to the end,
 * resumes this. A chat without messages stays where it is.
 */
export function useFollowEnd(main: RefObject<HTMLElement | null>, hasMessages: boolean): void {
  useEffect(() => {
    const element = main.current;
    if (element === null || !hasMessages) return;
    let follows: "asked" | "end" | undefined = "asked";
    let height = 0;
    let said = 0;
    /**
     * The position to which this function has scrolled. For a card that is taller than the window, this is not the end of
     * the page.
     */
    let own = -1;
    const onScroll = (): void => {
      if (scrollY === own) return;
      // The height at the last resize. The page may have grown since this scroll event, so a distance from the end does
      // not mean that the user has scrolled away.
      follows = innerHeight + scrollY > height - NEAR ? "end" : undefined;
    };
    const follow = (): void => {
      const first = follows === "asked" ? element.querySelector("[data-open]") : null;
      const asked = element.querySelector("[data-open]:focus-within") ?? first;
      const newest = [...element.querySelectorAll(".turn > li, .log > li, main > :not(.log, output)")].at(-1);
      if (follows === undefined) return;
      (asked ?? newest)?.scrollIntoView({ block: "nearest" });
      // In a card that is taller than the window, keep the focused part visible.
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
    // A card takes the focus after it is rendered, so the resize has already scrolled to its end.
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
  }, [main, hasMessages]);
}
