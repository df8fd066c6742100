import { createElicitor, createRuntime } from "elicit-kit/runtime";
import { serve } from "elicit-kit/node";

const runtime = createRuntime({
  authenticate: () => ({ id: "ada" }), // your session check
  allowedOrigins: ["http://localhost:5173"], // where your page is served
  onError: console.error,
  async *runTurn(turn) {
    const elicitor = createElicitor({ turn, tool: "greet", toolCallId: turn.id });
    const name = await elicitor.text("What is your name?");
    const delta = name.outcome === "accepted" ? `Hello, ${name.value}!` : name.text;
    yield { type: "text-start", id: "1" };
    yield { type: "text-delta", id: "1", delta };
    yield { type: "text-end", id: "1" };
  },
});
export const server = await serve({ fetch: runtime.fetch, port: Number(process.env["PORT"] ?? 3000) });
