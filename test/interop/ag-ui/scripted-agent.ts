import { HttpAgent, type RunAgentInput } from "@ag-ui/client";
import { createAgUiChannel } from "elicit-kit/ag-ui";
import type { AgUiAgent } from "../../../extras/ag-ui/page/watch-runs.ts";
import type { AgUiChannelOptions } from "../../../extras/ag-ui/page/channel.ts";
import { createElicitationClient, type ElicitationItem } from "elicit-kit/client";
import { onTestFinished } from "vitest";
import { createManualClock } from "../../../src/base/testing/manual-clock.ts";
import { FakeBrowser } from "../../../src/client/popup/testing/fake-browser.ts";

export type Event = { type: string } & Record<string, unknown>;
export type Script = (input: RunAgentInput, count: number) => readonly Event[];

/** A real agent whose server is scripted. */
export function createAgent(Agent: typeof HttpAgent, script: Script) {
  const inputs: RunAgentInput[] = [];
  const agent = new Agent({
    url: "https://agent.example.com",
    threadId: "t1",
    async fetch(_, init) {
      const input = JSON.parse(typeof init.body === "string" ? init.body : "{}") as RunAgentInput;
      inputs.push(input);
      const base = { threadId: input.threadId, runId: input.runId };
      const events = [{ type: "RUN_STARTED" }, ...script(input, inputs.length)].map((event) => ({
        ...(event.type.startsWith("RUN_") && event.type !== "RUN_ERROR" && base),
        ...event,
      }));
      const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
  });
  return { agent, inputs };
}

export function open(agent: AgUiAgent, options: Partial<AgUiChannelOptions> = {}) {
  const clock = createManualClock();
  const channel = createAgUiChannel({ agent, agentName: "Planner", storage: null, clock, ...options });
  const client = createElicitationClient({
    channel,
    storage: null,
    clock,
    popupEnvironment: new FakeBrowser(),
  });
  onTestFinished(() => client.dispose());
  const items = (): readonly ElicitationItem[] => client.getSnapshot().items;
  return { channel, client, clock, items, statuses: () => items().map(({ status }) => status) };
}

export const interrupts = (...list: object[]): Event => ({
  type: "RUN_FINISHED",
  outcome: { type: "interrupt", interrupts: list },
});
export const success: Event = { type: "RUN_FINISHED", outcome: { type: "success" } };
export const FORM = {
  id: "i1",
  reason: "input_required",
  message: "Where to?",
  responseSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};
