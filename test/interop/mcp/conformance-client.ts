/**
 * The client that `@modelcontextprotocol/conformance` starts, with the URL of its server as the last argument: the agent
 * calls every tool of the server, and a user accepts every form with its defaults.
 */
import { initialDrafts, parseRequestedSchema, validate } from "../../../src/form/index.ts";
import { createRuntime } from "../../../src/runtime/index.ts";
import { untilBlocked } from "../../../src/runtime/internal.ts";
import { systemClock } from "../../../src/base/clock.ts";
import type { ElicitationRequest, ElicitationResponse } from "../../../src/contract/contract.ts";
import { createAgentTurn } from "../../../src/agent/index.ts";
import { listMcpTools } from "../../../src/agent/mcp/mcp-client.ts";
import { createMcpProcesses } from "../../../src/agent/mcp/mcp-processes.ts";
import { declaredCapabilities } from "../../../src/mcp/relay/relay.ts";
import { createScriptedModel } from "../../stages/scripted-model.ts";

// The kit's timers do not keep a process alive, and this process has no server.
const alive = setInterval(() => {}, 1000);
const url = process.argv.at(-1) ?? "";
const { signal } = new AbortController();
const supports = { url: true, form: true };
const server = { name: "srv", url, service: "Conformance", credentialScope: "none" } as const;
const onError = (error: unknown) => console.error(error);

const capabilities = declaredCapabilities(supports);
const processes = createMcpProcesses(systemClock);
const call = { user: undefined, credential: undefined, signal, capabilities, processes };
const tools = await listMcpTools(server, call);
const steps = tools.map(({ name, inputSchema }) => ({ [`srv_${name}`]: argumentsFor(inputSchema) }));

const runtime = createRuntime({
  runTurn: createAgentTurn({
    model: createScriptedModel(...steps, "Done."),
    mcpServers: [server],
    maxSteps: steps.length + 1,
    requester: { name: "Conformance" },
    clock: systemClock,
    onError,
  }),
  authenticate: () => ({ id: "ada" }),
  allowedOrigins: [],
  onError,
});
const turn = await runtime.surface("conformance").start({
  user: { id: "ada" },
  conversationId: "c1",
  messages: [{ id: "m1", role: "user", parts: [{ type: "text", text: "Go" }] }],
  supports,
});
if ("refused" in turn) throw new Error(turn.refused);
for (let after: number | undefined; ;) {
  const pause = await untilBlocked(turn, { after, signal });
  if (pause.state === "ended") break;
  after = pause.after;
  await turn.answer(pause.requests.map(accepted));
}
await runtime.close();
clearInterval(alive);

function accepted(request: ElicitationRequest): ElicitationResponse {
  const { elicitationId } = request;
  const form = request.mode === "form" ? parseRequestedSchema(request.requestedSchema) : undefined;
  if (form?.ok !== true) return { elicitationId, action: "accept" };
  const checked = validate(form.fields, initialDrafts(form.fields));
  return checked.ok
    ? { elicitationId, action: "accept", content: checked.content }
    : { elicitationId, action: "cancel" };
}

/** A value for each property of a tool's input. */
function argumentsFor({ properties = {} }: { properties?: Readonly<Record<string, unknown>> | undefined }) {
  const values: Readonly<Record<string, unknown>> = { number: 5, integer: 5, boolean: true };
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const type =
        typeof property === "object" && property !== null && "type" in property ? property.type : "";
      return [name, values[String(type)] ?? "text"];
    }),
  );
}
