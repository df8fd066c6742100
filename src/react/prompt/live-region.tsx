"use client";
import {
  createContext,
  type ReactElement,
  type ReactNode,
  useCallback,
  useContext,
  useMemo,
  useRef,
} from "react";

/** Announces a sentence. It replaces an `outdated` one that was announced very recently. */
export type Announce = (text: string, outdated?: string) => void;

/** Provided around several prompts, so that all of them share one live region. */
export const AnnounceContext = createContext<Announce | undefined>(undefined);

/** A sentence within this time is appended to the last one, because screen readers would skip a replaced sentence. */
const JOINED_WITHIN_MS = 100;

/**
 * Returns a polite live region and a function that announces through it. Inside another one, returns `null` and the outer
 * function.
 */
export function useLiveRegion(): { announce: Announce; region: ReactElement | null } {
  const outer = useContext(AnnounceContext);
  const ref = useRef<HTMLOutputElement>(null);
  const saying = useRef({ sentences: new Set<string>(), at: 0 });
  const own = useCallback<Announce>((text, outdated = "") => {
    const now = Date.now();
    const { sentences, at } = saying.current;
    const isLater = now - at >= JOINED_WITHIN_MS;
    if (isLater) sentences.clear();
    sentences.delete(outdated);
    sentences.add(text);
    saying.current.at = now;
    const said = Array.from(sentences, ended).join(" ");
    const node = ref.current;
    // Set directly, because an announcement need not re-render anything. Screen readers do not say a text again that stays
    // the same, so a space makes it another one.
    if (node !== null) node.textContent = isLater && node.textContent === said ? `${said}\u00a0` : said;
  }, []);
  // Radix's modal dialogs hide everything outside from screen readers, except elements with `aria-live`.
  const region = useMemo(() => {
    const hidden = (node: HTMLOutputElement | null): void => {
      ref.current = node;
      // Set by script, because a style attribute in server-rendered HTML is blocked by `style-src 'self'`.
      if (node !== null) node.style.cssText = VISUALLY_HIDDEN;
    };
    return <output aria-live="polite" ref={hidden} />;
  }, []);
  return outer === undefined ? { announce: own, region } : { announce: outer, region: null };
}

/**
 * One live region for all cards inside. Put it around cards that your app places itself, for example in messages, and
 * keep it mounted: it must be on the page before the first announcement. `Elicitations` contains one.
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

/** Without a full stop, screen readers would not pause before the next sentence. */
export function ended(sentence: string): string {
  // Unicode properties take time to compile, and most sentences need none.
  const isEnded = /[.?!]$/.test(sentence) || (!/[a-z\d]$/i.test(sentence) && /\p{P}\W?$/u.test(sentence));
  const isJapanese = /[\u3040-\u30ff\u3400-\u9fff]$/.test(sentence);
  return isEnded ? sentence : `${sentence}${isJapanese ? "。" : "."}`;
}

const VISUALLY_HIDDEN =
  "position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap";
