"use client";
import { type ForwardedRef, forwardRef } from "react";
import { directionOf } from "../../isolate.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import type { PartRender } from "../../view.ts";
import { type PromptShared, usePrompt } from "../context.ts";

/** UTF-16 units. */
const LONGEST = 1_000;
const MOST_LINES = 15;
/** The longest that stands in the head of the card. */
const LONGEST_IN_HEAD = 140;

/** Why the person is asked, in the requester's words: plain text, in which URLs are never links. Renders a `<p>`. */
export const PromptMessage = /* @__PURE__ */ forwardRef(function PromptMessage(
  props: PromptMessageProps,
  ref: ForwardedRef<HTMLParagraphElement>,
) {
  return usePartElement(props, ref, messageView(usePrompt("Message")));
});

export function messageView({
  elicitation,
  catalogue,
  messageId,
}: PromptShared): PartRender<PromptMessageState> {
  const { message } = elicitation.request;
  const lines = message.split("\n").length;
  const long = message.length > LONGEST || lines > MOST_LINES;
  const block = message.length > LONGEST_IN_HEAD || lines > 1;
  // An element that scrolls must be focusable, or the keyboard cannot scroll it.
  const tabIndex = long ? 0 : undefined;
  const dir = directionOf(message, catalogue.dir);
  return { tag: "p", state: { long, block }, props: { id: messageId, dir, tabIndex, children: message } };
}

export type PromptMessageProps = PartProps<"p", PromptMessageState>;
export interface PromptMessageState {
  /** `data-block`: it has several lines, and should stand by itself. */
  block: boolean;
  /** `data-long`: it should scroll, so that the buttons stay near. It is focusable then. */
  long: boolean;
}
