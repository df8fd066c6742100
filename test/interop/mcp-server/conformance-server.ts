/**
 * The server that `@modelcontextprotocol/conformance` calls: its tools ask with the kit's elicitor, in every revision on
 * one URL. At `/tasks`, an agent whose calls run as tasks. The SDK itself handles other features (sampling, a tool that
 * needs an undeclared capability).
 */
import {
  McpServer,
  type McpServerFactory,
  type ServerContext,
  inputRequired,
  inputResponse,
  isInputRequiredResult,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { ElicitationResult } from "../../../src/runtime/internal.ts";
import { toRequestedSchema } from "../../../src/form/zod-form.ts";
import {
  type ToolElicitor,
  createEliciting,
  createElicitingHandler,
  elicitorFor,
  registerElicitTools,
} from "../../../extras/mcp-server/index.ts";
import { serve } from "../../../src/node/index.ts";
import { createTasksAgent } from "./conformance-tasks.ts";

const eliciting = createEliciting();
const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });
const actionOf = ({ outcome }: ElicitationResult) =>
  outcome === "accepted" ? "accept" : outcome === "declined" ? "decline" : "cancel";

/** A tool without arguments that asks. */
function asks(server: McpServer, name: string, run: (elicitor: ToolElicitor) => Promise<string>): void {
  server.registerTool(
    name,
    { description: `Asks: ${name}`, inputSchema: z.object({}) },
    eliciting(name, async (_, ctx) => text(await run(elicitorFor(ctx)))),
  );
}

/** Shows a form, and reports its outcome in the format of the 2025 scenarios. */
function asksForm(server: McpServer, name: string, properties: Readonly<Record<string, unknown>>): void {
  asks(server, name, async (elicitor) => {
    const requestedSchema = { type: "object" as const, properties, required: [] };
    const result = await elicitor.ask({ mode: "form", message: "Please review", requestedSchema });
    const content = result.outcome === "accepted" ? result.content : {};
    return `Elicitation completed: action=${actionOf(result)}, content=${JSON.stringify(content)}`;
  });
}

const titled = [
  { const: "value1", title: "First Option" },
  { const: "value2", title: "Second Option" },
  { const: "value3", title: "Third Option" },
];
const untitled = ["option1", "option2", "option3"];

const build: McpServerFactory = () => {
  const server = new McpServer(
    { name: "elicit-kit-conformance", version: "1" },
    { ...eliciting.serverOptions, capabilities: { logging: {} } },
  );
  registerElicitTools(server, eliciting);
  server.registerTool(
    "test_elicitation",
    { description: "Asks for a name", inputSchema: z.object({ message: z.string() }) },
    eliciting("test_elicitation", async ({ message }, ctx) => {
      const result = await elicitorFor(ctx).ask({
        mode: "form",
        message,
        requestedSchema: {
          type: "object",
          properties: {
            username: { type: "string", description: "User's response" },
            email: { type: "string", description: "User's email address" },
          },
          required: ["username", "email"],
        },
      });
      const content = result.outcome === "accepted" ? result.content : {};
      return text(`User response: action=${actionOf(result)}, content=${JSON.stringify(content)}`);
    }),
  );
  asksForm(server, "test_elicitation_sep1034_defaults", {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  });
  asksForm(server, "test_elicitation_sep1330_enums", {
    untitledSingle: { type: "string", enum: untitled },
    titledSingle: { type: "string", oneOf: titled },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array", items: { type: "string", enum: untitled } },
    titledMulti: { type: "array", items: { anyOf: titled } },
  });

  const name = z.object({ name: z.string() });
  const asksForName = async (elicitor: ToolElicitor) => {
    const requestedSchema = toRequestedSchema(name);
    const asked = await elicitor.ask({
      key: "user_name",
      mode: "form",
      message: "What is your name?",
      requestedSchema,
    });
    return asked.outcome === "accepted" ? `Hello, ${String(asked.content["name"])}!` : asked.outcome;
  };
  const confirms = async (elicitor: ToolElicitor) => {
    const asked = await elicitor.form("Please confirm", z.object({ ok: z.boolean() }));
    return `state-ok ${asked.outcome}`;
  };
  asks(server, "test_input_required_result_elicitation", asksForName);
  asks(server, "test_streaming_elicitation", asksForName);
  asks(server, "test_input_required_result_request_state", confirms);
  asks(server, "test_input_required_result_tampered_state", confirms);
  // One round contains the elicitor's questions and requests of other kinds.
  const asksToo = eliciting(
    "test_input_required_result_multiple_inputs",
    async (_: object, ctx: ServerContext) => text(await asksForName(elicitorFor(ctx))),
  );
  server.registerTool(
    "test_input_required_result_multiple_inputs",
    { description: "Asks, samples and lists roots", inputSchema: z.object({}) },
    async (args, ctx) => {
      const result = await asksToo(args, ctx);
      if (!isInputRequiredResult(result)) return result;
      const inputRequests = { ...result.inputRequests, sample: sampling, roots: inputRequired.listRoots() };
      return { ...result, inputRequests };
    },
  );
  asks(server, "test_input_required_result_multi_round", async (elicitor) => {
    await elicitor.form("Step 1: What is your name?", name);
    await elicitor.form("Step 2: What is your favorite color?", z.object({ color: z.string() }));
    return "Both steps are done.";
  });
  server.registerPrompt(
    "test_input_required_result_prompt",
    { description: "Asks for its context", argsSchema: z.object({}) },
    eliciting("test_input_required_result_prompt", async (_, ctx) => {
      const context = z.object({ context: z.string() });
      const asked = await elicitorFor(ctx).form("What context should the prompt use?", context);
      const said = asked.outcome === "accepted" ? asked.value.context : asked.text;
      return { messages: [{ role: "user" as const, content: { type: "text" as const, text: said } }] };
    }),
  );
  server.registerTool("test_missing_capability", { description: "Needs sampling" }, async () =>
    inputRequired({ inputRequests: { sample: sampling } }),
  );
  server.registerTool("test_input_required_result_capabilities", { description: "Samples" }, async (ctx) =>
    inputResponse(ctx.mcpReq.inputResponses, "sample").kind === "missing"
      ? inputRequired({ inputRequests: { sample: sampling } })
      : text("done"),
  );
  server.registerTool("test_logging_tool", { description: "Logs" }, async (ctx) => {
    await ctx.mcpReq.log("info", "logged");
    return text("logged");
  });
  // The SDK declares that lists may change, so the suite expects notifications of changes.
  server.registerTool("test_trigger_tool_change", { description: "Announces a changed tool list" }, () => {
    handler.notify.toolsChanged();
    return text("announced");
  });
  server.registerTool(
    "test_trigger_prompt_change",
    { description: "Announces a changed prompt list" },
    () => {
      handler.notify.promptsChanged();
      return text("announced");
    },
  );
  return server;
};

const sampling = inputRequired.createMessage({
  messages: [{ role: "user", content: { type: "text", text: "Say hello" } }],
  maxTokens: 50,
});

const handler = createElicitingHandler(build, { onError: console.error });
const tasksAgent = createTasksAgent();

const { url } = await serve({
  async fetch(request) {
    if (new URL(request.url).pathname === "/tasks") return tasksAgent(request);
    return handler.fetch(request);
  },
});
console.log(`${url}/mcp`);
