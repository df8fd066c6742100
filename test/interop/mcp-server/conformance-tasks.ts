import { z } from "zod";
import { createMcpSurface } from "../../../extras/mcp-server/index.ts";
import { type Elicitor, createElicitor, createRuntime } from "../../../src/runtime/index.ts";

/** The agent's questions for each tool of the scenario. */
const TOOLS: Readonly<Record<string, (elicitor: Elicitor) => Promise<unknown>>> = {
  confirm_delete: (elicitor) => elicitor.form("Delete the file?", z.object({ confirm: z.boolean() })),
  multi_input(elicitor) {
    const schema = z.object({ name: z.string(), confirm: z.boolean() });
    return Promise.all([elicitor.form("First?", schema), elicitor.form("Second?", schema)]);
  },
};

/** The agent for `tasks-mrtr-input`. It has one tool, so calls of the scenario's tools become messages to it. */
export function createTasksAgent(): (request: Request) => Promise<Response> {
  const runtime = createRuntime({
    async *runTurn(turn) {
      const said = JSON.stringify(turn.messages.at(-1));
      const [name, ask] = Object.entries(TOOLS).find(([tool]) => said.includes(tool)) ?? [];
      if (name === undefined || ask === undefined) return;
      const asked = JSON.stringify(await ask(createElicitor({ turn, tool: name })));
      yield { type: "text-start", id: "t1" };
      yield { type: "text-delta", id: "t1", delta: asked };
      yield { type: "text-end", id: "t1" };
    },
    authenticate: () => undefined,
    allowedOrigins: [],
    onError: console.error,
  });
  const { fetch } = createMcpSurface({
    runtime,
    url: "http://127.0.0.1/tasks",
    name: "conformance-tasks",
    authenticate: () => ({ user: { id: "ada" } }),
    onError: console.error,
  });
  return async (request) => {
    const body = request.method === "POST" ? await request.clone().text() : "";
    const called = Object.keys(TOOLS).find((name) => body.includes(`"name":"${name}"`));
    if (called === undefined) return fetch(request);
    const message = JSON.parse(body);
    message.params.name = "ask_agent";
    message.params.arguments = { message: called };
    const headers = new Headers(request.headers);
    headers.set("mcp-name", "ask_agent");
    headers.delete("content-length");
    return fetch(new Request(request.url, { method: "POST", headers, body: JSON.stringify(message) }));
  };
}
