import { features } from "./features.ts";
import { composeRuntime } from "./runtime.ts";
import type { Runtime } from "./runtime-interface.ts";
import type { RuntimeOptions } from "./runtime-options.ts";

/**
 * Creates the server side of the contract. It keeps its state in memory by default. Pass `fetch` to your HTTP server.
 *
 * @example
 * const runtime = createRuntime({
 *   authenticate: (request) => sessions.userOf(request),
 *   allowedOrigins: ["https://chat.example.com"],
 *   onError: console.error,
 *   async *runTurn(turn) {
 *     const elicitor = createElicitor({ turn, tool: "greet", toolCallId: turn.id });
 *     const name = await elicitor.text("What is your name?");
 *     const delta = name.outcome === "accepted" ? `Hello, ${name.value}!` : name.text;
 *     yield { type: "text-start", id: "1" };
 *     yield { type: "text-delta", id: "1", delta };
 *     yield { type: "text-end", id: "1" };
 *   },
 * });
 * app.all("/run/*", (c) => runtime.fetch(c.req.raw));
 */
export function createRuntime(options: RuntimeOptions): Runtime {
  return composeRuntime(options, features);
}
