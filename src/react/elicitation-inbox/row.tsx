"use client";
import { type KeyboardEvent, useContext, useEffect, useMemo, useRef, useState } from "react";
import type { InboxEntry } from "../../client/index.ts";
import type { Catalogue } from "../../words/cards/catalogue.ts";
import type { BoundElicitation } from "../bound-elicitation.ts";
import { useBrowserLayoutEffect } from "../use-shared.ts";
import { ElicitationPrompt } from "../elicitation-prompt/ElicitationPrompt.tsx";
import type { CardSettings } from "../card-props.ts";
import { isolate } from "../isolate.ts";
import { isRepeated } from "../prompt/button-view.ts";
import { PlaceContext } from "../prompt/context.ts";
import { useTileView } from "../prompt/head.tsx";
import { AnnounceContext } from "../prompt/live-region.tsx";
import { isMissed, isOver, statusText, titleText } from "../prompt/status-text.ts";
import { drawView } from "../view.ts";

/** The names of surfaces. The app's own chat has a translated name. */
const SURFACES: Readonly<Record<string, string>> = {
  a2a: "A2A",
  acp: "ACP",
  "ag-ui": "AG-UI",
  mcp: "MCP",
  slack: "Slack",
};

interface InboxRowProps {
  elicitation: BoundElicitation;
  entry: InboxEntry | undefined;
  /** The progress of its round, if it has one. */
  progress: string | undefined;
  catalogue: Catalogue;
  settings: CardSettings;
  now: number;
  isOpened: boolean;
  /** Opens the row of a request. `undefined` closes the open row. */
  onOpen: (id: string | undefined) => void;
}

/** One question: a row that expands to its card, and at the end shows the receipt. */
export function InboxRow({
  elicitation,
  entry,
  progress,
  catalogue,
  settings,
  now,
  isOpened,
  onOpen,
}: InboxRowProps) {
  const { id, request } = elicitation;
  const row = useRef<HTMLLIElement>(null);
  const isFolding = useRef(false);
  const title = titleText(elicitation, catalogue);
  const tile = useTileView({ elicitation });
  const over = isOver(elicitation);
  // A card that was opened stays in the page, so that it keeps user input.
  const [hasCard, setHasCard] = useState(false);
  if ((isOpened || over) && !hasCard) setHasCard(true);
  const showsCard = isOpened || over;

  const place = useMemo(() => {
    function fold(): void {
      isFolding.current = true;
      onOpen(undefined);
    }
    return { fold };
  }, [onOpen]);
  useBrowserLayoutEffect(() => {
    if (isOpened) return showCard(row.current);
    if (isFolding.current) row.current?.querySelector<HTMLElement>("button")?.focus();
    isFolding.current = false;
  }, [isOpened]);

  const isGiven = elicitation.status === "answered" || over;
  const isAnswered = isGiven && !isMissed(elicitation);
  const wasAnswered = useRef(isAnswered);
  useEffect(() => {
    const li = row.current;
    if (isAnswered && !wasAnswered.current && li?.querySelector(":focus")) focusNext(li);
    wasAnswered.current = isAnswered;
  }, [isAnswered]);

  // The card announces later changes, once it exists.
  const announce = useContext(AnnounceContext);
  const status = over ? statusText(elicitation, catalogue) : undefined;
  const hadCard = useRef(hasCard);
  useEffect(() => {
    if (hasCard && !hadCard.current && status !== undefined) announce?.(`${title}: ${status}`);
    hadCard.current = hasCard;
  }, [hasCard, status, title, announce]);

  const surface = entry?.surface;
  const where =
    surface === undefined || surface === "chat" ? catalogue.inbox.chat : (SURFACES[surface] ?? surface);
  const name = request.requester?.name;
  const from = request.from && catalogue.others.from(isolate(request.from.name));
  const line = [from, name && isolate(name), entry && where, progress].filter(Boolean).join(" · ");
  const age = entry && Math.max(0, now - Date.parse(entry.askedAt));
  return (
    <li ref={row}>
      {!showsCard && (
        <button
          className="elicit-inbox-row"
          type="button"
          onClick={(event) => {
            if (!isRepeated(event)) onOpen(id);
          }}
          onKeyDown={moveFocus}
        >
          {drawView(tile, "elicit-tile")}
          <b>
            <bdi>{title}</bdi>
          </b>
          {line !== "" && <small>{line}</small>}
          {age !== undefined && <time dateTime={entry?.askedAt}>{ageText(age, catalogue.locale)}</time>}
        </button>
      )}
      {hasCard && (
        <div hidden={!showsCard} tabIndex={-1}>
          <PlaceContext.Provider value={place}>
            <ElicitationPrompt elicitation={elicitation} {...settings} />
          </PlaceContext.Provider>
        </div>
      )}
    </li>
  );
}

/** Scrolls the whole card into view, and focuses its heading or the app's own card. */
function showCard(li: HTMLElement | null): void {
  li?.scrollIntoView({ block: "nearest" });
  // Of a card that is taller than the list, the focus shows the heading.
  (li?.querySelector<HTMLElement>("h3[tabindex]") ?? li?.querySelector<HTMLElement>(":scope > div"))?.focus();
}

const listOf = (element: Element) => element.closest<HTMLElement>(".elicit-inbox");
const rowsOf = (element: Element) => [
  ...(listOf(element)?.querySelectorAll<HTMLElement>(".elicit-inbox-row") ?? []),
];

/** Moves the focus after an answer: to the question below, else above, else the heading of the list. The list stays. */
function focusNext(li: HTMLElement): void {
  const rows = rowsOf(li);
  const isBelow = (row: HTMLElement) =>
    (li.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const next = rows.find(isBelow) ?? rows.at(-1);
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "nearest" });
  if (next === undefined) listOf(li)?.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const rows = rowsOf(event.currentTarget);
  const at = rows.indexOf(event.currentTarget);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  rows[to]?.focus();
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const UNITS = [
  ["day", DAY_MS],
  ["hour", HOUR_MS],
  ["minute", MINUTE_MS],
] as const;
const TICK_MS = 30_000;

/** The age in the largest unit that fits: `2 min`. Below a minute, the word for "now". */
function ageText(ageMs: number, locale: string): string {
  const fitting = UNITS.find(([, length]) => ageMs >= length);
  if (fitting === undefined)
    return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(0, "second");
  const [unit, length] = fitting;
  const format = new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "short" });
  return format.format(Math.floor(ageMs / length));
}

/** The current time for ages. It stays the same for half a minute, because React reads it repeatedly. */
export const coarseNow = (): number => Math.ceil(Date.now() / TICK_MS) * TICK_MS;

/** Calls `listener` whenever `coarseNow` may have changed. Returns a function that removes the listener. */
export function onTick(listener: () => void): () => void {
  const timer = setInterval(listener, TICK_MS);
  return () => clearInterval(timer);
}
