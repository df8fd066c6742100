import { createElement, type ReactElement, type ReactNode } from "react";

const CIRCLE = "M8 2a6 6 0 1 0 0 12A6 6 0 1 0 8 2z";

/** Line paths on a 16 by 16 square. */
const PATHS = {
  alert: `${CIRCLE}M8 5v3.5m0 2.5v0`,
  back: "M6 4 3 7l3 3M3 7h6a3.5 3.5 0 0 1 3.5 3.5v1",
  check: "m3.5 8.5 3 3 6-7",
  clock: `${CIRCLE}M8 5v3l2 1.5`,
  close: "m4.5 4.5 7 7m0-7-7 7",
  copy: "M6 6h7.5v7.5H6zm4-.5v-3H2.5V10h3",
  done: `${CIRCLE}M5.5 8l2 2 3-4`,
  enter: "M12.75 4v2.75a2 2 0 0 1-2 2H3.5M6 6 3.25 8.75 6 11.5",
  form: "M3 2h10v12H3zm3 4h4M6 9h4",
  inbox: "M2.5 9.25 4.25 3.75h7.5l1.75 5.5v3.25h-11zh3.5a2 2 0 0 0 4 0h3.5",
  link: "m6.5 9.5 3-3m-2-2 1-1a2.65 2.65 0 0 1 4 4l-1 1m-3 3-1 1a2.65 2.65 0 0 1-4-4l1-1",
  lock: "M3 7h10v7H3zm2 0V5a3 3 0 0 1 6 0v2",
  no: `${CIRCLE}M5.5 8h5`,
  open: "m5 11 6-6M6 5h5v5",
  people:
    "M6 7.5a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5M2 13v-.5A3 3 0 0 1 5 9.5h2a3 3 0 0 1 3 3v.5m.5-9.75a2.25 2.25 0 0 1 0 4.25m1.5 2.25a3 3 0 0 1 2 2.75v.5",
  pencil: "m3 13 .6-2.8 7-7a1.4 1.4 0 0 1 2 2l-7 7zm6.6-8.8 2.2 2.2",
  phone: "M4.75 1.75h6.5v12.5h-6.5zm2.25 10.25h2",
  question: `${CIRCLE}M6.5 6.5a1.5 1.5 0 1 1 1.5 2m0 2.5v0`,
  search: "M7.25 2.5a4.75 4.75 0 1 0 0 9.5 4.75 4.75 0 1 0 0-9.5zM10.75 10.75 13.5 13.5",
  screen: "M2 3h12v8H2zm4 11h4m-2-3v3",
  star: "m8 1.9 1.85 3.9 4.3.55-3.15 2.95.8 4.25L8 11.5l-3.8 2.05.8-4.25-3.15-2.95 4.3-.55z",
  up: "M8 13V3.5m-4 4 4-4 4 4",
  warning: "m8 2.5 6 11H2zm0 4v3m0 2v0",
};

export type IconName = keyof typeof PATHS;

/** A decorative icon: a text always has the same information. It looks right without the stylesheet. */
export function icon(name: IconName): ReactElement {
  return (
    <svg
      className="elicit-icon"
      data-icon={name}
      aria-hidden="true"
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

/** An icon with a text beside it. */
export function withIcon(name: IconName, ...words: readonly ReactNode[]): ReactElement {
  const parts = words.length === 1 ? words : words.map(inElement);
  return (
    <>
      {icon(name)}
      {createElement("span", null, ...parts)}
    </>
  );
}

/**
 * Puts a text that has siblings into an element of its own. Browsers translate a page by putting elements around text
 * nodes, and React then fails to remove a text node that it has rendered itself, or to insert something before it.
 */
function inElement(word: ReactNode): ReactNode {
  return typeof word === "string" && word !== "" ? <span>{word}</span> : word;
}
