/** Texts of people, models and third parties, made safe and short enough for Slack. Lengths count UTF-16 units, as Slack does. */

/** Control characters, and characters that turn the reading direction of what follows. */
const UNWANTED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Removes what could disguise a text: control characters, reading directions, halves of surrogate pairs. */
export function cleanText(text: string): string {
  return text.replaceAll(UNWANTED, " ").replaceAll(/\p{Surrogate}/gu, "\ufffd");
}

/** Cuts a text to at most `most` units, with "…" at the cut. Never cuts a surrogate pair or a joined emoji in two. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  // The first half of a pair, then joiners and variation selectors that lost what they belong to.
  const kept = text.slice(0, Math.max(0, most - 1)).replace(/[\ud800-\udbff]$/, "");
  let end = kept.length;
  while (end > 0 && "\u200d\ufe0f".includes(kept.charAt(end - 1))) end -= 1;
  return `${kept.slice(0, end)}…`;
}

/** The object of a plain text: no markup, no mentions, no emoji names. Slack refuses empty ones, so those are a dash. */
export function plainText(text: string, most: number): PlainText {
  const clean = shorten(cleanText(text.slice(0, most + 1)), most);
  return { type: "plain_text", text: clean.trim() === "" ? "–" : clean, emoji: false };
}

/** A text object without markup, as Block Kit has it. */
export interface PlainText {
  readonly type: "plain_text";
  readonly text: string;
  readonly emoji: false;
}

/** Escapes a text for places that Slack reads as mrkdwn, so that it mentions nobody and links nothing. */
export function escapeMrkdwn(text: string): string {
  return cleanText(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Text beside `blocks`, which notifications and screen readers use. */
export function fallbackText(text: string): string {
  return shorten(escapeMrkdwn(shorten(cleanText(text.slice(0, 501)), 500)).trim(), 3000) || "–";
}

/**
 * Markdown of a model for `markdown_text`: mentions are escaped, so that a model, or a text that it quotes, notifies
 * nobody. A piece may end within a mention: `rest` belongs before the next piece.
 */
export function safeMarkdown(piece: string): { text: string; rest: string } {
  const rest = /(?:<|[\ud800-\udbff])$/.exec(piece)?.[0] ?? "";
  const whole = piece.slice(0, piece.length - rest.length);
  return { text: whole.replaceAll(/<(?=[!@])/g, "&lt;").replaceAll(/\p{Surrogate}/gu, "\ufffd"), rest };
}

/** Splits a text at `most` units, at a line break or space where one is near, never within a surrogate pair. */
export function splitText(text: string, most: number): readonly string[] {
  const pieces: string[] = [];
  let left = text;
  while (left.length > most) {
    const head = left.slice(0, most);
    const near = Math.max(head.lastIndexOf("\n"), head.lastIndexOf(" ")) + 1;
    const cut = near > most / 2 ? near : head.replace(/[\ud800-\udbff]$/, "").length;
    pieces.push(left.slice(0, cut));
    left = left.slice(cut);
  }
  if (left !== "") pieces.push(left);
  return pieces;
}
