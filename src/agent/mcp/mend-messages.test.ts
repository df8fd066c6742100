import type { Transport } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { mendMessages } from "./mend-messages.ts";
import { isUnreadable } from "./readable-tools.ts";

// A transport is no event target.
/* oxlint-disable unicorn/prefer-add-event-listener */

test("a tool that cannot be called stays one when a handler calls the one before it", () => {
  const transport: Transport = { async start() {}, async send() {}, async close() {} };
  const lists: unknown[] = [];
  mendMessages(transport);
  transport.onmessage = (message) => lists.push("result" in message ? message.result["tools"] : undefined);
  const before = transport.onmessage;
  transport.onmessage = (message, extra) => before(message, extra);
  transport.onmessage({ jsonrpc: "2.0", id: 1, result: { tools: [{ name: "odd", inputSchema: true }] } });
  expect(lists).toEqual([[expect.toSatisfy(isUnreadable)]]);
});
