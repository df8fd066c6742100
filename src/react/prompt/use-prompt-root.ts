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
import { type BoundElicitation, waitsForOther } from "../bound-elicitation.ts";
import { useBrowserLayoutEffect } from "../use-shared.ts";
import type { CardSettings } from "../card-props.ts";
import type { Catalogue } from "../../words/cards/catalogue.ts";
import { PlaceContext, type PromptShared } from "./context.ts";
import { DiscardQuestion } from "./discard-question.tsx";
import { isAboutComposition, isControl, leaveControl, usesEscape } from "./keys.ts";
import { keepEnterInside, keptInside } from "./kept-inside.ts";
import { type Announce, ended, useLiveRegion } from "./live-region.tsx";
import { reviewOf } from "../../contract/review.ts";
import { canAskAgain, isMessageTitle, isOver, statusText, titleText } from "./status-text.ts";
import type { PartRender } from "../view.ts";

export interface PromptRoot {
  shared: PromptShared;
  rootRef: RefObject<HTMLElement | null>;
  /** The root's element, without children. */
  view: PartRender;
  /** The live region: render it inside of the root's element, after its children. */
  region: ReactElement | null;
  /** The confirmation before user input is discarded, after a dismissal. Render it inside the root's element. */
  question: ReactElement | null;
}

// Outside the hook, because React Compiler skips hooks that contain `import()`.
const loadMotion = () => import("./receipt-motion.ts");

/**
 * The common behaviour of both kinds of prompt: a named group, Escape, focus, and announcements. `onAskAgain` gets the
 * user's message to the agent to ask again. `holdsTyping` takes the
 * root's element and returns whether a dismissal would lose user input. Pass the same function on each render. `onKey`
 * gets each key before Escape is handled.
 */
export function usePromptRoot(
  elicitation: BoundElicitation,
  catalogue: Catalogue,
  onAskAgain: CardSettings["onAskAgain"],
  holdsTyping: (root: HTMLElement | null) => boolean = never,
  onKey?: (event: KeyboardEvent<HTMLElement>) => void,
): PromptRoot {
  const rootRef = useRef<HTMLElement>(null);
  const titleRef = useRef<HTMLElement>(null);
  const messageId = useId();
  const { announce, region } = useLiveRegion();
  const { request, id } = elicitation;
  const over = isOver(elicitation);
  const title = titleText(elicitation, catalogue);

  const status = statusText(elicitation, catalogue);
  // The initial status of a card is not announced.
  const known = useRef(status);
  const said = useRef<string>(undefined);
  useEffect(() => {
    if (status !== undefined && status !== known.current) {
      announce(status, said.current);
      said.current = status;
    }
    known.current = status;
  }, [status, announce]);

  // A card that waits for another user asks nothing. It says who decides, and does not take the focus.
  const waits = waitsForOther(elicitation);
  const own = reviewOf(request) === undefined ? request.message : catalogue.approval.asks;
  const detail = waits ? status : isMessageTitle(elicitation) ? undefined : own;
  const arrival = useRef(over ? undefined : spoken(title, detail));
  const asks = useRef(!waits);
  const [isAgain] = useState(() => shownBy(announce).has(id));
  /** The card has the focus without an action of the user. Escape may be meant for something else, so it ends nothing. */
  const tookFocus = useRef(false);
  useEffect(() => {
    const isNew = !shownBy(announce).has(id);
    shownBy(announce).add(id);
    const root = rootRef.current;
    const focused = activeElementFor(root);
    if (root === null || arrival.current === undefined || root.contains(focused)) return;
    // In a modal dialog the user cannot be using anything else, so take the focus.
    const modal = root.closest('[aria-modal="true"]');
    const isFree = asks.current && (modal?.contains(focused) === false || isNowhere(focused));
    // A hidden card takes no focus.
    if (isFree && !isBesideUser(root) && root.closest("[hidden]") === null) {
      focusCard(titleRef.current ?? root);
      tookFocus.current = modal === null;
    } else if (isNew) {
      announce(arrival.current);
      said.current = arrival.current;
    }
  }, [announce, id]);

  useEffect(() => {
    const card = rootRef.current;
    // Loaded later, because a card without animation works as well.
    if (card && !over) void loadMotion().then((motion) => motion.followReceipt(card), ignore);
  }, [over]);

  const hadFocus = useRef(false);
  useBrowserLayoutEffect(() => {
    const root = rootRef.current;
    // The focused control has disappeared: keep the focus in the card instead of the top of the page.
    if (hadFocus.current && isNowhere(activeElementFor(root))) {
      focusCard(titleRef.current ?? root);
    }
  });

  // A dialog handles Escape before the card does.
  const { onEscape: modal, fold } = useContext(PlaceContext) ?? {};
  const decline = useCallback(
    (note?: string): unknown => (note === undefined ? elicitation.decline() : elicitation.declineWith(note)),
    [elicitation],
  );
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
  function discard(): void {
    setAsked(undefined);
    elicitation.saveDrafts(undefined);
    void elicitation.cancel();
  }
  const question = isAsking
    ? createElement(DiscardQuestion, { catalogue, onKeep: keep, onDiscard: discard })
    : null;

  const escape = isAsking ? keep : (fold ?? dismiss);
  useEffect(() => (over ? undefined : modal?.(escape)));

  const askAgain = canAskAgain(elicitation) ? onAskAgain : undefined;
  const shared = useMemo(
    () => ({ elicitation, catalogue, titleRef, messageId, decline, dismiss, fold, announce, askAgain }),
    [elicitation, catalogue, messageId, decline, dismiss, fold, announce, askAgain],
  );
  const props = {
    ...keptInside,
    role: "group",
    "aria-label": title,
    "aria-busy": elicitation.status === "submitting" || undefined,
    "data-elicitation": id,
    "data-again": isAgain || undefined,
    lang: catalogue.locale,
    dir: catalogue.dir,
    tabIndex: -1,
    onPointerDown: () => {
      tookFocus.current = false;
    },
    onFocus: ({ target }: FocusEvent<HTMLElement>) => {
      hadFocus.current = true;
      tookFocus.current = false;
      // Continuing with the form answers the confirmation.
      if (isControl(target)) setAsked(undefined);
    },
    // React does not report blur for a removed element, so the user caused this one. Nothing has the focus until the next
    // control gets it, also inside the card: a render in between must not take that for a control that has disappeared.
    // Before the handlers of the controls, because Preact may render between two handlers of one event.
    onBlurCapture: () => {
      hadFocus.current = false;
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      onKey?.(event);
      keepEnterInside(event);
      if (event.key !== "Escape" || event.defaultPrevented || over || waits) return;
      if (isAboutComposition(event.nativeEvent) || usesEscape(event.target)) return;
      event.preventDefault();
      if (tookFocus.current) return blur(event.target);
      if (!leaveControl(event.target)) escape();
    },
  };
  return { shared, rootRef, view: { tag: "div", ref: rootRef, state: {}, props }, region, question };
}

/** The requests that have had a card, by their live region. Cards may mount again, but a request is new only once. */
const shown = new WeakMap<Announce, Set<string>>();

function shownBy(announce: Announce): Set<string> {
  const ids = shown.get(announce) ?? new Set();
  shown.set(announce, ids);
  return ids;
}

/** What a screen reader says about two things, one after the other. */
export function spoken(first: string, second: string | undefined): string {
  return second ? `${ended(first)} ${second}` : first;
}

const never = (): boolean => false;
const ignore = (): void => undefined;

/** Also looks into shadow roots, because widgets use them. */
export function activeElementFor(root: HTMLElement | null): Element | null {
  let element = root?.ownerDocument.activeElement ?? null;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element;
}

/**
 * Without scrolling, because the user may be reading elsewhere, for example at the top of a page that has just loaded.
 */
export function focusCard(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
}

function blur(target: EventTarget): void {
  if (target instanceof HTMLElement) target.blur();
}

/** The card is in a frame, and the user is in the page around it, where they may be typing. */
function isBesideUser({ ownerDocument: document }: HTMLElement): boolean {
  return document.defaultView !== document.defaultView?.parent && !document.hasFocus();
}

export function isNowhere(element: Element | null): boolean {
  return element === null || element === element.ownerDocument.body;
}
