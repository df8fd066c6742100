import { createPostgresPorts } from "elicit-kit/postgres";
import { type RunTurn, type Runtime, type User, createRuntime } from "elicit-kit/runtime";

export interface VercelOptions {
  runTurn: RunTurn;
  authenticate: (request: Request) => Promise<User | undefined>;
  /** `waitUntil` of `@vercel/functions`. */
  waitUntil: (run: Promise<unknown>) => void;
  /** Connection string of PostgreSQL, directly or through a pooler in session mode. */
  connectionString: string;
  /** 32 bytes as base64 each, the same in all functions. */
  keys: { secrets: string; answers: string };
}

export async function createVercelRuntime(
  options: VercelOptions,
): Promise<{ runtime: Runtime; close: () => Promise<void> }> {
  const { runTurn, authenticate, waitUntil, connectionString, keys } = options;
  const onError = console.error;
  const ports = await createPostgresPorts({
    connectionString,
    key: keys.secrets,
    durable: { parkAfterMs: 10_000 }, // a turn whose user does not answer needs no function
    onError,
  });
  const runtime = createRuntime({
    ports,
    runTurn,
    authenticate,
    answerKey: keys.answers,
    allowedOrigins: ["https://chat.example.com"],
    platform: {
      maxStreamMs: 280_000, // below `maxDuration` of the route, 300 seconds
      waitUntil, // a turn continues when its stream has ended
    },
    onError,
  });
  return {
    runtime,
    // For tests: platforms with serverless functions end them without notice.
    async close() {
      await runtime.close();
      await ports.close();
    },
  };
}
