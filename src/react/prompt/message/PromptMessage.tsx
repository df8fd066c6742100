"use client";
import { type ForwardedRef, forwardRef } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import { usePrompt } from "../context.ts";

/** UTF-16 units. */
const LONGEST = 1_000;
const MOST_LINES = 15;

/** Why the person is asked, in the words of whoever asks: plain text, and links in it are never live. Renders a `<p>`. */
export const PromptMessage = forwardRef(function PromptMessage(
  props: PromptMessageProps,
  ref: ForwardedRef<HTMLParagraphElement>,
) {
  const { elicitation, messageId } = usePrompt("Message");
  const { message } = elicitation.request;
  const long = message.length > LONGEST || message.split("\n").length > MOST_LINES;
  return usePartElement("p", props, {
    ref,
    state: { long },
    // What scrolls must take the focus, or the keyboard cannot scroll it.
    props: { id: messageId, dir: "auto", tabIndex: long ? 0 : undefined, children: message },
  });
});

export type PromptMessageProps = PartProps<"p", PromptMessageState>;
export interface PromptMessageState {
  /** `data-long`: so much text that it should scroll, for the buttons to stay near. It takes the focus then. */
  long: boolean;
}
