"use client";
import { type ForwardedRef, forwardRef } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import { usePrompt } from "../context.ts";

/** Why the person is asked, in the words of whoever asks: plain text, and links in it are never live. Renders a `<p>`. */
export const PromptMessage = forwardRef(function PromptMessage(
  props: PromptMessageProps,
  ref: ForwardedRef<HTMLParagraphElement>,
) {
  const { elicitation, messageId } = usePrompt("Message");
  return usePartElement("p", props, {
    ref,
    state: {},
    props: { id: messageId, dir: "auto", children: elicitation.request.message },
  });
});

export type PromptMessageProps = PartProps<"p", PromptMessageState>;
export type PromptMessageState = object;
