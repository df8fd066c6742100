import { type RunTurn, type RuntimeOptions, createMemoryRecords } from "../../src/runtime/index.ts";
import { authenticateTestUser, createChatClient } from "./chat-client.ts";
import { createDurableEngine } from "./durable-engine.ts";
import { createTestRuntime } from "./test-runtime.ts";

/**
 * Returns a function that starts a process of one application, on the ports of an engine that outlives it. To crash a
 * process, call `runner.die()`; another one continues its turns with `runner.recover()`.
 */
export function createMemoryProcesses() {
  const { waiter, stream, ...engine } = createDurableEngine();
  const records = createMemoryRecords();
  return function startProcess(runTurn: RunTurn, options: Partial<RuntimeOptions> = {}) {
    const runner = engine.startProcess();
    const ports = { records, waiter, stream, runner };
    const runtime = createTestRuntime(runTurn, {
      authenticate: authenticateTestUser,
      ...options,
      ports: { ...ports, ...options.ports },
    });
    return { runner, ada: createChatClient(runtime.fetch, { user: "ada" }), errors: () => runtime.errors };
  };
}
