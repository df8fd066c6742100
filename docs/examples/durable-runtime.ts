import { type RunTurn, type Runtime, type User, createRuntime } from "elicit-kit/runtime";
import { createPostgresPorts } from "elicit-kit/postgres";

export interface DurableOptions {
  /** Connection string of PostgreSQL. */
  connectionString: string;
  runTurn: RunTurn;
  authenticate: (request: Request) => Promise<User | undefined>;
  /** Keys from a secret store: 32 bytes as base64 each, the same in all processes. */
  keys: { secrets: string; answers: string };
}

export async function createDurableRuntime(
  options: DurableOptions,
): Promise<{ runtime: Runtime; close: () => Promise<void> }> {
  const { connectionString, keys, runTurn, authenticate } = options;
  const onError = console.error;
  const ports = await createPostgresPorts({
    connectionString,
    key: keys.secrets,
    durable: true,
    onError,
  });
  const runtime = createRuntime({
    ports,
    runTurn,
    authenticate,
    answerKey: keys.answers,
    allowedOrigins: ["https://chat.example.com"],
    onError,
  });
  return {
    runtime,
    // On SIGTERM. Turns do not end: other processes continue them.
    async close() {
      await runtime.close();
      await ports.close();
    },
  };
}
