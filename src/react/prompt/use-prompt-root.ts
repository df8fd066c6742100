"use client";
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactElement,
  createElement,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import type { BoundElicitation } from "../bound-elicitation.ts";
import { useBrowserLayoutEffect } from "../browser-layout-effect.ts";
import type { Catalogue } from "../catalogues/catalogue.ts";
import { isAboutComposition } from "./composing.ts";
import { ModalContext, type PromptShared } from "./context.ts";
import { DiscardQuestion } from "./discard-question.tsx";
import { isControl, leaveControl, usesEscape } from "./escape.ts";
import { useLiveRegion } from "./live-region.tsx";
import { isOver, statusText } from "./status-text.ts";
import type { PartRender } from "../view.ts";

export interface PromptRoot {
  shared: PromptShared;
  rootRef: RefObject<HTMLElement | null>;
  /** Of the root's element, without its children. */
  view: PartRender;
  /** To be rendered inside of the root's element, after its children. */
  region: ReactElement | null;
  /** Asks whether to discard what was typed, while that is to be decided. To be rendered inside of the root's element. */
  question: ReactElement | null;
}

/**
 * What both kinds of prompt have in common: a named group, Escape, focus, and what is said aloud. `holdsTyping` tells of
 * the root's element whether a dismissal would lose something that was typed. Keep the function outside of the component.
 */
export function usePromptRoot(
  elicitation: BoundElicitation,
  catalogue: Catalogue,
  holdsTyping: (root: HTMLElement | null) => boolean = never,
): PromptRoot {
  const rootRef = useRef<HTMLElement>(null);
  const titleRef = useRef<HTMLElement>(null);
  const messageId = useId();
  const { announce, region } = useLiveRegion();
  const { request, id } = elicitation;
  const over = isOver(elicitation);
  const title = catalogue.title(request.mode, request.context?.trigger);

  const status = statusText(elicitation, catalogue);
  // What history brings along is not news.
  const known = useRef(status);
  const said = useRef<string>(undefined);
  useEffect(() => {
    if (status !== undefined && status !== known.current) {
      announce(status, said.current);
      said.current = status;
    }
    known.current = status;
  }, [status, announce]);

  const arrival = useRef(over ? undefined : `${title}. ${request.message}`);
  useEffect(() => {
    const root = rootRef.current;
    const focused = activeElementFor(root);
    if (root === null || arrival.current === undefined || root.contains(focused)) return;
    // A modal dialog has closed off everything else: there is no one to take the focus from.
    const modal = root.closest('[aria-modal="true"]');
    if (modal?.contains(focused) === false || mayTakeFocusFrom(focused)) (titleRef.current ?? root).focus();
    else {
      announce(arrival.current);
      said.current = arrival.current;
    }
  }, [announce]);

  const hadFocus = useRef(false);
  useBrowserLayoutEffect(() => {
    // The control that had the focus is gone with this state: the keyboard must not fall back to the top of the page.
    if (hadFocus.current && isNowhere(activeElementFor(rootRef.current))) {
      (titleRef.current ?? rootRef.current)?.focus();
    }
  });

  const [asked, setAsked] = useState<{ from: Element | null }>();
  const dismiss = useCallback(() => {
    if (elicitation.status === "submitting") return;
    if (!holdsTyping(rootRef.current)) return void elicitation.cancel();
    setAsked({ from: activeElementFor(rootRef.current) });
  }, [elicitation, holdsTyping]);
  const isAsking = asked !== undefined && !over;
  function keep(): void {
    setAsked(undefined);
    if (asked?.from instanceof HTMLElement) asked.from.focus();
  }
  const question = isAsking
    ? createElement(DiscardQuestion, { catalogue, onKeep: keep, onDiscard: elicitation.cancel })
    : null;

  // A dialog hears of Escape before the card does.
  const escape = isAsking ? keep : dismiss;
  const modal = useContext(ModalContext);
  useEffect(() => (over ? undefined : modal?.(escape)));

  const shared = useMemo(
    () => ({ elicitation, catalogue, titleRef, messageId, dismiss, announce }),
    [elicitation, catalogue, messageId, dismiss, announce],
  );
  const props = {
    role: "group",
    "aria-label": title,
    "aria-busy": elicitation.status === "submitting" || undefined,
    "data-elicitation": id,
    lang: catalogue.locale,
    dir: catalogue.dir,
    tabIndex: -1,
    onFocus: ({ target }: FocusEvent<HTMLElement>) => {
      hadFocus.current = true;
      // Whoever goes on with the form has answered the question.
      if (isControl(target)) setAsked(undefined);
    },
    onBlur: ({ relatedTarget, currentTarget }: FocusEvent<HTMLElement>) => {
      if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) hadFocus.current = false;
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented || over) return;
      if (isAboutComposition(event.nativeEvent) || usesEscape(event.target)) return;
      event.preventDefault();
      if (!leaveControl(event.target)) escape();
    },
  };
  return { shared, rootRef, view: { tag: "div", ref: rootRef, state: {}, props }, region, question };
}

const never = (): boolean => false;

/** Looks into shadow roots, where widgets live. */
function activeElementFor(root: HTMLElement | null): Element | null {
  let element = root?.ownerDocument.activeElement ?? null;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element;
}

/** Never from a field somebody may be typing in, nor from another prompt. */
function mayTakeFocusFrom(element: Element | null): boolean {
  if (element === null || isNowhere(element)) return true;
  return !isControl(element) && element.closest("[data-elicitation]") === null;
}

function isNowhere(element: Element | null): boolean {
  return element === null || element === element.ownerDocument.body;
}
