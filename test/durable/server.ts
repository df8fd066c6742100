/** A runtime on PostgreSQL in a process of its own: the first argument is the connection string. */
import { createElicitor, createRuntime } from "../../src/runtime/core/index.ts";
import { serve } from "../../src/runtime/node/index.ts";
import { createPostgresPorts } from "../../src/runtime/postgres/index.ts";
import { authenticateTestUser } from "../../src/runtime/testing/chat-client.ts";

const [, , connectionString] = process.argv;
const ports = await createPostgresPorts({ connectionString, sweepMs: 300, onError: console.error });
const runtime = createRuntime({
  ...ports,
  authenticate: authenticateTestUser,
  allowedOrigins: ["https://chat.example.com"],
  answerKey: Buffer.alloc(32, 1),
  hostedPage: { origin: "http://127.0.0.1:1" },
  onError: console.error,
  async *runTurn(turn) {
    yield { type: "start", messageId: turn.id };
    const elicitor = createElicitor({ turn, tool: "greet", toolCallId: "call_1" });
    const names = await Promise.all(
      turn.conversationId.startsWith("three")
        ? ["one", "two", "three"].map((word) => elicitor.text(`Name ${word}?`))
        : [elicitor.text("What is your name?")],
    );
    const delta = names.map((name) => (name.outcome === "accepted" ? name.value : name.outcome)).join(", ");
    yield { type: "text-start", id: "t" };
    yield { type: "text-delta", id: "t", delta, by: process.pid };
    yield { type: "text-end", id: "t" };
    yield { type: "finish" };
  },
});
const server = await serve({ fetch: runtime.fetch });
process.on("SIGTERM", () => void shutDown());
console.log(server.url);

async function shutDown(): Promise<void> {
  await runtime.close();
  await server.close();
  await ports.close();
}
