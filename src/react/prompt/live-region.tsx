"use client";
import {
  createContext,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useCallback,
  useContext,
  useMemo,
  useRef,
} from "react";

/** Says a sentence; in place of an `outdated` one if that was said only just now. */
export type Announce = (text: string, outdated?: string) => void;

/** Set by a list of prompts, so that all of them speak through one live region. */
export const AnnounceContext = createContext<Announce | undefined>(undefined);

/** What follows a sentence sooner than this joins it: screen readers would pass over the first. */
const JOINED_WITHIN_MS = 100;

/** A polite live region and the function that speaks through it: the one around, if there is one, else an own one. */
export function useLiveRegion(): { announce: Announce; region: ReactElement | null } {
  const outer = useContext(AnnounceContext);
  const ref = useRef<HTMLOutputElement>(null);
  const saying = useRef({ sentences: new Set<string>(), at: 0 });
  const own = useCallback<Announce>((text, outdated) => {
    const now = Date.now();
    const { sentences, at } = saying.current;
    if (now - at >= JOINED_WITHIN_MS) sentences.clear();
    if (outdated !== undefined) sentences.delete(outdated);
    sentences.add(text);
    saying.current.at = now;
    // Written past React: a sentence is no reason to render anything.
    if (ref.current !== null) ref.current.textContent = [...sentences].join(" ");
  }, []);
  // A modal dialog hides what is outside of it from screen readers, except elements with this attribute.
  const region = useMemo(() => <output aria-live="polite" ref={hidden(ref)} />, []);
  return outer === undefined ? { announce: own, region } : { announce: outer, region: null };
}

/**
 * Goes around cards that an app places by itself, in its messages for example, and stays mounted: one live region for all
 * of them, there before the first one speaks. `Elicitations` has one.
 *
 * @example
 * <ElicitationAnnouncer>{messages.map(showMessageWithItsCards)}</ElicitationAnnouncer>
 */
export function ElicitationAnnouncer({ children }: { children?: ReactNode }) {
  const { announce, region } = useLiveRegion();
  return (
    <AnnounceContext.Provider value={announce}>
      {children}
      {region}
    </AnnounceContext.Provider>
  );
}

function hidden(ref: RefObject<HTMLOutputElement | null>) {
  return (node: HTMLOutputElement | null): void => {
    ref.current = node;
    // Set as a property: a style attribute in server-rendered HTML would need more than `style-src 'self'`.
    if (node !== null) node.style.cssText = VISUALLY_HIDDEN;
  };
}

const VISUALLY_HIDDEN =
  "position:absolute;inline-size:1px;block-size:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap";
