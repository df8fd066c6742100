import { Chat } from "@ai-sdk/react";
import { DefaultChatTransport, isTextUIPart, isToolUIPart, type UIMessage } from "ai";
import { createElicitation, type ElicitationOptions } from "elicit-kit/ai-sdk";
import type { ElicitationItem } from "elicit-kit/client";
import type { MockServer } from "elicit-kit/mock-server";
import { expect, onTestFinished } from "vitest";

/** A chat of the AI SDK with the kit's client, as an app has it, on a mock server. Ends with the test. */
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
    /** Waits until so many requests are on the screen. */
    async asked(count = 1): Promise<readonly ElicitationItem[]> {
      await expect.poll(() => items().length).toBeGreaterThanOrEqual(count);
      return items();
    },
    /** All that the agent has said. */
    said: () =>
      answer()
        .filter(isTextUIPart)
        .map(({ text }) => text)
        .join(" "),
    /** What the agent's tools returned, or why they failed, in their order. */
    outputs: () =>
      answer()
        .filter((part) => isToolUIPart(part))
        .map((part) => (part.state === "output-error" ? part.errorText : part.output)),
    /** Parts of any kind, such as the data of other platforms. */
    parts: answer,
  };
}
