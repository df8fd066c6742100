/**
 * Makes texts of users, models and third parties safe and short enough for Slack. Lengths count UTF-16 units, as in
 * Slack.
 */

import type { Catalogue } from "../../../src/words/cards/catalogue.ts";
import { en } from "../../../src/words/cards/en.ts";
import { type SlackWords, slackEn } from "../words/slack-words.ts";

/** Control characters, and characters that change the text direction. */
const UNWANTED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Removes characters that could disguise a text: control characters, direction marks, lone surrogates. */
export function cleanText(text: string): string {
  return text.replaceAll(UNWANTED, " ").replaceAll(/\p{Surrogate}/gu, "\ufffd");
}

/** Shortens a text to at most `most` units, with "…" at the end. Never splits a surrogate pair or a joined emoji. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  // A lone surrogate, then joiners and variation selectors without their character.
  const kept = text.slice(0, Math.max(0, most - 1)).replace(/[\ud800-\udbff]$/, "");
  let end = kept.length;
  while (end > 0 && "\u200d\ufe0f".includes(kept.charAt(end - 1))) end -= 1;
  return `${kept.slice(0, end)}…`;
}

/** A plain text object: no markup, no mentions, no emoji names. Slack refuses empty texts, so those become a dash. */
export function plainText(text: string, most: number): PlainText {
  const clean = shorten(cleanText(text.slice(0, most + 1)), most);
  return { type: "plain_text", text: clean.trim() === "" ? "–" : clean, emoji: false };
}

/** A text object of Block Kit without markup. */
export interface PlainText {
  readonly type: "plain_text";
  readonly text: string;
  readonly emoji: false;
}

/** Escapes a text for mrkdwn, so that it contains no mention and no link. */
export function escapeMrkdwn(text: string): string {
  return cleanText(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** The text beside `blocks`, for notifications and screen readers. */
export function fallbackText(text: string): string {
  return shorten(escapeMrkdwn(shorten(cleanText(text.slice(0, 501)), 500)).trim(), 3000) || "–";
}

/**
 * A model's Markdown for `markdown_text`, with escaped mentions, so that a model, or a text that it quotes, notifies no
 * one. A piece may end inside a mention: add `rest` to the start of the next piece.
 */
export function safeMarkdown(piece: string): { text: string; rest: string } {
  const rest = /(?:<|[\ud800-\udbff])$/.exec(piece)?.[0] ?? "";
  const whole = piece.slice(0, piece.length - rest.length);
  return { text: whole.replaceAll(/<(?=[!@])/g, "&lt;").replaceAll(/\p{Surrogate}/gu, "\ufffd"), rest };
}

/** Splits a text at `most` units, at a line break or space if one is near, never inside a surrogate pair. */
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

/** The texts of messages and modals, in one language. */
export interface SlackLanguage {
  readonly catalogue: Catalogue;
  readonly words: SlackWords;
}

/** Separate from the other languages, so that an app that uses only the functions does not load those. */
export const english: SlackLanguage = { catalogue: en, words: slackEn };
