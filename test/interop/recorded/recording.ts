/**
 * The messages of another protocol while the user in the chat was asked one question. The interop tests record them with
 * third-party servers and clients. `docs/evidence/recorded` stores them in a file for each
 * protocol. Storybook's page "One card, every protocol" shows them with the cards.
 */
import { isObject } from "../../../src/contract/json.ts";

/** A file of docs/evidence/recorded. To add a protocol, write a test that records one; see `recorder.ts`. */
export interface RecordedProtocol {
  /** The protocol, a colon, and who asks whom. */
  title: string;
  /**
   * How a question is asked and answered, and the meaning of the columns. Markdown, with links from
   * docs/evidence.
   */
  about: string;
  /** Path of its guide, from docs/evidence. */
  guide: string;
  /** The columns: revisions of the protocol, or kinds of peers. */
  variants: readonly string[];
  /** The columns of peers that cannot send a form: their cards have the text and one text field. */
  textVariants?: readonly string[];
  exchanges: readonly RecordedExchange[];
  /** Cells that cannot be recorded, with the reason. Any other empty cell is a missing test. */
  gaps: readonly Gap[];
}

/** A row of the matrix. */
export interface Row {
  /** `form` or `url`. */
  mode: string;
  /** How the question ended. */
  outcome: string;
  /** If a protocol has more than one way to ask or to end: the name of this way. */
  way?: string;
}

export interface RecordedExchange extends Row {
  variant: string;
  /** The other side: package and version. */
  counterpart: string;
  /** The messages in the order in which they were sent. */
  wire: readonly WireMessage[];
  /** The request that the chat got, in its final state. */
  request: unknown;
}

export interface WireMessage {
  /** The sender, in the protocol's terms. */
  from: string;
  message: unknown;
}

export interface Gap extends Row {
  variants: readonly string[];
  why: string;
}

const MODES = ["form", "url"];
const OUTCOMES = ["accepted", "declined", "cancelled", "expired", "withdrawn", "failed"];

/** All rows of a protocol: every mode with every outcome, and those with a way of their own. */
export function rowsOf({ exchanges, gaps }: RecordedProtocol): readonly Row[] {
  const all = MODES.flatMap((mode) => OUTCOMES.map((outcome): Row => ({ mode, outcome })));
  return all.flatMap((row) => {
    const recorded = [...exchanges, ...gaps].filter(
      ({ mode, outcome }) => mode === row.mode && outcome === row.outcome,
    );
    const ways = new Set(recorded.flatMap(({ way }) => (way === undefined ? [] : [way])));
    return [row, ...[...ways].map((way) => ({ ...row, way }))];
  });
}

/** The content of a cell, if it has one. */
export function cellOf(
  { exchanges, gaps }: RecordedProtocol,
  row: Row,
  variant: string,
): { exchange: RecordedExchange } | { why: string } | undefined {
  const isHere = (other: Row) =>
    other.mode === row.mode && other.outcome === row.outcome && other.way === row.way;
  const exchange = exchanges.find((recorded) => isHere(recorded) && recorded.variant === variant);
  if (exchange !== undefined) return { exchange };
  const gap = gaps.find(({ variants, ...other }) => isHere(other) && variants.includes(variant));
  return gap && { why: gap.why };
}

export function nameOf({ mode, outcome, way }: Row): string {
  return [mode, outcome, ...(way === undefined ? [] : [way])].join(", ");
}

const TIME = "2027-01-01T12:00:00.000Z";
const UUID = /\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/g;
const ISO_TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const LOOPBACK = /\b(?:127\.0\.0\.1|localhost):\d+/g;
/** Members with random values. */
const IDS = new Set(["elicitationId", "taskId"]);

/** The same exchange, with ids numbered by their first appearance and equal times. It is the same in every run. */
export function normalised<T>(exchange: T): T {
  const names = new Map<string, string>();
  const named = (id: string): string => {
    const name = names.get(id) ?? `id-${names.size + 1}`;
    names.set(id, name);
    return name;
  };
  const collect = (value: unknown, key: string, parent: string): void => {
    if (typeof value === "string") {
      if ((IDS.has(key) || (key === "id" && parent === "round")) && value.length > 16) named(value);
      for (const [uuid] of value.matchAll(UUID)) named(uuid);
    } else if (Array.isArray(value)) for (const item of value) collect(item, key, parent);
    else if (isObject(value)) for (const [name, item] of Object.entries(value)) collect(item, name, key);
  };
  collect(exchange, "", "");
  let text = JSON.stringify(exchange).replaceAll(ISO_TIME, TIME).replaceAll(LOOPBACK, "127.0.0.1:0");
  for (const [id, name] of names) text = text.replaceAll(id, name);
  return JSON.parse(text);
}
