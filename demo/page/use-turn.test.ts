import type { UIMessage } from "ai";
import type { BoundElicitation } from "elicit-kit";
import { expect, it } from "vitest";
import { createScript } from "../../src/client/testing/scripted-client.ts";
import { formRequest } from "../../src/contract/testing/requests.ts";
import { turnOf } from "./use-turn.ts";

const { client } = createScript({ requests: [formRequest({ toolCallId: "call-1" })] });
const elicitations = client.getSnapshot().items as readonly BoundElicitation[];

const asked: UIMessage["parts"] = [
  { type: "text", text: "I ask.", state: "done" },
  {
    type: "dynamic-tool",
    toolName: "book_flight",
    toolCallId: "call-1",
    state: "output-available",
    input: {},
    output: "Asked.",
    preliminary: true,
  },
  { type: "data-elicitation-request", id: "form-1", data: {} },
];
/** The same call with its only result. */
const answered = asked.map((part) => ("preliminary" in part ? { ...part, preliminary: false } : part));
const weather: UIMessage["parts"][number] = {
  type: "dynamic-tool",
  toolName: "check_weather",
  toolCallId: "call-2",
  state: "input-available",
  input: {},
};
const phase = (...parts: UIMessage["parts"]) =>
  turnOf({ messages: [{ id: "m", role: "assistant", parts }], status: "streaming", elicitations })?.phase;

it("the strip says that the agent works while it asks in the background, and that it waits at its end", () => {
  expect(phase(...asked)).toBe("running");
  expect(phase(...asked, { type: "step-start" }, weather)).toBe("running");
  expect(phase(...asked, { type: "text", text: "It is", state: "streaming" })).toBe("running");
  expect(phase(...asked, { type: "text", text: "It is sunny.", state: "done" })).toBe("paused");
});

it("the strip says that the turn waits where the stream does not say that another result of the call follows", () => {
  expect(phase(...answered)).toBe("paused");
  expect(phase(...answered, weather)).toBe("paused");
});
