/** The servers of CopilotKit and TanStack AI, set up as their documentation shows, with the scripted model. */
import { AbstractAgent } from "@ag-ui/client";
import { CopilotRuntime, InMemoryAgentRunner } from "@copilotkit/runtime/v2";
import { createCopilotEndpoint } from "@copilotkit/runtime/v2/hono";
import { chat, chatParamsFromRequest, toolDefinition, toServerSentEventsResponse } from "@tanstack/ai";
import { Observable } from "rxjs";
import { z } from "zod";
import { events } from "./model.mjs";

/** CopilotKit: the page defines the tool. */
class ToolAgent extends AbstractAgent {
  run({ threadId, runId, messages }) {
    return new Observable((subscriber) => {
      subscriber.next({ type: "RUN_STARTED", threadId, runId });
      for (const event of events(messages.at(-1)?.role === "tool")) subscriber.next(event);
      subscriber.next({ type: "RUN_FINISHED", threadId, runId });
      subscriber.complete();
    });
  }
}

/** CopilotKit: the agent defines the tool and interrupts its run. */
class InterruptAgent extends AbstractAgent {
  run({ threadId, runId, resume }) {
    const isAnswered = resume !== undefined && resume.length > 0;
    const outcome = isAnswered
      ? { type: "success" }
      : {
          type: "interrupt",
          interrupts: [{ id: `book-${runId}`, reason: "input_required", message: "Where to?" }],
        };
    return new Observable((subscriber) => {
      subscriber.next({ type: "RUN_STARTED", threadId, runId });
      if (isAnswered) for (const event of events(true)) subscriber.next(event);
      subscriber.next({ type: "RUN_FINISHED", threadId, runId, outcome });
      subscriber.complete();
    });
  }
}

const copilot = createCopilotEndpoint({
  runtime: new CopilotRuntime({
    agents: { tool: new ToolAgent(), interrupt: new InterruptAgent() },
    runner: new InMemoryAgentRunner(),
  }),
  basePath: "/copilot-api",
});

const bookFlight = toolDefinition({
  name: "book_flight",
  description: "Books a flight",
  inputSchema: z.object({}),
  needsApproval: true,
}).server(async () => "Booked: Lisbon");

/** TanStack AI calls its adapter again after each tool call. */
const adapter = {
  kind: "text",
  name: "bench",
  model: "bench",
  async *chatStream({ messages, threadId = "t", runId = "r" }) {
    const isAnswered = messages.at(-1)?.role === "tool";
    yield { type: "RUN_STARTED", threadId, runId };
    yield* events(isAnswered);
    yield { type: "RUN_FINISHED", threadId, runId, finishReason: isAnswered ? "stop" : "tool_calls" };
  },
};

async function tanstack(request) {
  const { messages, threadId, runId, parentRunId, resume } = await chatParamsFromRequest(request);
  const stream = chat({ adapter, messages, tools: [bookFlight], threadId, runId, parentRunId, resume });
  return toServerSentEventsResponse(stream);
}

/** Answers a request to one of these servers. Returns `undefined` for any other request. */
export function peers(request) {
  const { pathname } = new URL(request.url);
  if (pathname === "/tanstack") return tanstack(request);
  if (pathname.startsWith("/copilot-api")) return copilot.fetch(request);
}
