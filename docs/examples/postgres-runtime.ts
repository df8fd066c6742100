import { type RunTurn, type Runtime, type User, createRuntime } from "elicit-kit/runtime";
import { type PostgresPorts, createPostgresPorts } from "elicit-kit/postgres";

export interface ServerOptions {
  runTurn: RunTurn;
  authenticate: (request: Request) => Promise<User | undefined>;
  /** Keys from a secret store: 32 bytes as base64 each. */
  keys: { secrets: string; answers: string };
}

export async function createSharedRuntime(
  options: ServerOptions,
): Promise<{ runtime: Runtime; ports: PostgresPorts }> {
  const ports = await createPostgresPorts({
    connectionString: process.env["DATABASE_URL"],
    key: options.keys.secrets,
    onError: console.error,
  });
  const runtime = createRuntime({
    ports, // records, waiter, stream, runner, clock, writeLimit, remembered
    runTurn: options.runTurn,
    authenticate: options.authenticate,
    answerKey: options.keys.answers, // the same in all processes
    allowedOrigins: ["https://chat.example.com"],
    onError: console.error,
  });
  return { runtime, ports };
}
