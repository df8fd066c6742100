import { KitError } from "../contract/kit-error.ts";
import { features } from "./features.ts";
import { composeRuntime } from "./runtime.ts";
import type { Runtime } from "./runtime-interface.ts";
import type { RuntimeOptions } from "./runtime-options.ts";

const OPTIONS: Readonly<Record<keyof RuntimeOptions, true>> = {
  accounts: true,
  allowedOrigins: true,
  answerKey: true,
  assign: true,
  authenticate: true,
  basePath: true,
  beforeAsk: true,
  formats: true,
  hostedPage: true,
  isCompleted: true,
  limits: true,
  notices: true,
  onError: true,
  onTurnEnd: true,
  platform: true,
  ports: true,
  proposeAnswer: true,
  runTurn: true,
  telemetry: true,
  timeToAnswer: true,
};

/** What is spread into the options compiles, whatever it has. */
function ensureOptions(options: RuntimeOptions): void {
  const strange = Object.keys(options).filter((name) => !Object.hasOwn(OPTIONS, name));
  if (strange.length === 0) return;
  throw new KitError(
    `elicit-kit: createRuntime has no option ${strange.map((name) => `\`${name}\``).join(", ")}. Ports go into \`ports\`, limits into \`limits\`: docs/reference/runtime-options.md has all options.`,
  );
}

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
  ensureOptions(options);
  return composeRuntime(options, features);
}
