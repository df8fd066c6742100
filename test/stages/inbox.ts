import { expect } from "vitest";
import type { InboxPage } from "../../src/contract/contract.ts";
import { inboxPageSchema } from "../../src/contract/schema.ts";
import type { createChatClient } from "./chat-client.ts";

/** Returns the pages of a stream, one at a time. */
export async function watchInbox(client: Pick<ReturnType<typeof createChatClient>, "fetch">) {
  const reply = await client.fetch("/run/api/elicitations", { headers: { accept: "text/event-stream" } });
  expect(reply.headers.get("content-type")).toBe("text/event-stream");
  const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  return {
    cancel: () => reader.cancel(),
    async next(): Promise<InboxPage | undefined> {
      while (!rest.includes("\n\n")) {
        const { done, value = "" } = await reader.read();
        if (done) return undefined;
        rest += value.startsWith(":") ? "" : value;
      }
      const [frame = "", ...more] = rest.split("\n\n");
      rest = more.join("\n\n");
      return inboxPageSchema.parse(JSON.parse(frame.slice("data: ".length)));
    },
  };
}
