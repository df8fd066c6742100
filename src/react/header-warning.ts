import { useEffect, useRef } from "react";
import type { MessageLike } from "../ai-sdk/index.ts";
import type { ElicitationClient } from "../client/index.ts";

/** As bundlers know it: they put the value in, and leave out what cannot run. In a page without one it is absent. */
declare const process: { env: { NODE_ENV?: string } } | undefined;

/** What a server writes in place of a request when the chat did not say that it supports them. */
const NOT_SUPPORTED_PART = "data-tool-auth-required";

/**
 * Warns a developer, once a conversation, whose runs go out without the capability header: the server then never asks,
 * and nothing on the page would tell why.
 */
export function useHeaderWarning(
  client: ElicitationClient | undefined,
  conversationId: string | undefined,
  messages: readonly MessageLike[] | undefined,
): void {
  const asked = useRef<MessageLike>(undefined);
  const warned = useRef<string>(undefined);
  useEffect(() => {
    if (typeof process === "undefined" || process.env.NODE_ENV === "production") return;
    if (conversationId === undefined || warned.current === conversationId) return;
    const last = messages?.at(-1);
    // A run of this page: the question was here alone before its answer came. History comes with both.
    const isRun = asked.current !== undefined && messages?.at(-2) === asked.current;
    if (last?.role === "user") asked.current = last;
    if (last?.role !== "assistant" || !isRun) return;
    const refused = last.parts.some((part) => part.type === NOT_SUPPORTED_PART);
    if (!refused && client?.carries?.(conversationId) !== false) return;
    warned.current = conversationId;
    console.warn(
      `elicit-kit: conversation "${conversationId}" ran without the header "x-supports-elicitation: true", so the server ` +
        "will ask nothing. Make the chat's transport with `new DefaultChatTransport(elicit.transportOptions)`, or add the header to it.",
    );
  }, [client, conversationId, messages]);
}
