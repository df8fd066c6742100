import { Chat } from "@ai-sdk/react";
import { DefaultChatTransport, isTextUIPart, isToolUIPart, type UIMessage } from "ai";
import { createElicitation, type ElicitationOptions } from "elicit-kit/ai-sdk";
import type { ElicitationItem } from "elicit-kit/client";
import type { MockServer } from "elicit-kit/mock-server";
import { expect, onTestFinished } from "vitest";

/** An AI SDK chat with the kit's client, as in an app, on a mock server. Ends with the test. */
export function chatOn(server: MockServer, options: ElicitationOptions = {}) {
  const elicit = createElicitation({
    api: "http://mock.test/run/api",
    fetch: server.fetch,
    storage: null,
    detach: true,
    ...options,
  });
  const chat = new Chat<UIMessage>({
    id: crypto.randomUUID(),
    transport: new DefaultChatTransport(elicit.transportOptions),
  });
  onTestFinished(async () => {
    elicit.dispose();
    await server.close();
  });
  const answer = () => chat.messages.filter(({ role }) => role === "assistant").flatMap(({ parts }) => parts);
  const items = () => elicit.getSnapshot().items;

  return {
    elicit,
    chat,
    items,
    /** Waits until this many requests are shown. */
    async asked(count = 1): Promise<readonly ElicitationItem[]> {
      await expect.poll(() => items().length).toBeGreaterThanOrEqual(count);
      return items();
    },
    /** All text of the agent. */
    said: () =>
      answer()
        .filter(isTextUIPart)
        .map(({ text }) => text)
        .join(" "),
    /** The results or errors of the agent's tools, in their order. */
    outputs: () =>
      answer()
        .filter((part) => isToolUIPart(part))
        .map((part) => (part.state === "output-error" ? part.errorText : part.output)),
    /** Parts of any kind, such as data of other platforms. */
    parts: answer,
  };
}
