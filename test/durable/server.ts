/** A runtime on PostgreSQL in a separate process. Its arguments: the connection string, and `sweepMs`. */
import { Client } from "pg";
import { type Elicitor, type Turn, createElicitor, createRuntime } from "../../src/runtime/index.ts";
import { createPostgresPorts } from "../../extras/postgres/index.ts";
import { authenticateTestUser } from "../stages/chat-client.ts";
import { serveUntilStopped } from "../stages/serve-until-stopped.ts";

const WORDS = Array.from({ length: 40 }, (_, index) => `word${index} `);

const [, , connectionString, sweepMs] = process.argv;
const ports = await createPostgresPorts({
  connectionString,
  sweepMs: Number(sweepMs),
  retryForMs: 5000,
  onError: console.error,
});
const runtime = createRuntime({
  ports,
  authenticate: authenticateTestUser,
  allowedOrigins: ["https://chat.example.com"],
  answerKey: Buffer.alloc(32, 1),
  hostedPage: { origin: "http://127.0.0.1:1" },
  limits: { writesPerMinute: 10_000 },
  onError: console.error,
  async *runTurn(turn) {
    yield { type: "start", messageId: turn.id };
    const elicitor = createElicitor({ turn, tool: "greet", toolCallId: "call_1" });
    const [script = ""] = turn.conversationId.split("-");
    yield { type: "text-start", id: "t" };
    for await (const delta of SCRIPTS[script]?.(turn, elicitor) ?? askOne(turn, elicitor)) {
      yield { type: "text-delta", id: "t", delta, by: process.pid };
    }
    yield { type: "text-end", id: "t" };
    yield { type: "finish" };
  },
});
await serveUntilStopped(runtime, ports);

type Script = (turn: Turn, elicitor: Elicitor) => AsyncIterable<string>;

async function* askOne(_: Turn, elicitor: Elicitor): AsyncIterable<string> {
  const name = await elicitor.text("What is your name?");
  yield name.outcome === "accepted" ? name.value : name.outcome;
}

/** The actions of the agent, by the first word of the conversation's id. */
const SCRIPTS: Readonly<Record<string, Script>> = {
  /** Asks three parallel questions. */
  async *three(_, elicitor) {
    const names = await Promise.all(["one", "two", "three"].map((word) => elicitor.text(`Name ${word}?`)));
    yield names.map((name) => (name.outcome === "accepted" ? name.value : name.outcome)).join(", ");
  },
  /** Asks with two seconds to answer. */
  async *hurry(_, elicitor) {
    const name = await elicitor.text("Quick, what is your name?", { expiresInMs: 2000 });
    yield name.outcome === "accepted" ? name.value : name.outcome;
  },
  /** Asks, and then runs an effect that counts in a tool, once the test lets it end. */
  async *book(turn, elicitor) {
    const name = await elicitor.text("What is your name?");
    if (name.outcome !== "accepted") return;
    const booked = await turn.runner.tool({ id: "call_2", name: "book" }, () =>
      turn.runner.step("book", () => book(turn.id, name.value)),
    );
    yield `booked for ${booked}`;
  },
  /** Asks, and then writes a long text. */
  async *talk(_, elicitor) {
    yield* askOne(_, elicitor);
    for (const word of WORDS) {
      await new Promise((resolve) => setTimeout(resolve, 25));
      yield word;
    }
  },
};

/** A row for each effect. If the test has said so, waits until it may end. */
async function book(turnId: string, name: string): Promise<string> {
  const client = new Client(connectionString);
  await client.connect();
  try {
    await client.query("insert into effects (turn_id, name, process) values ($1, $2, $3)", [
      turnId,
      name,
      process.pid,
    ]);
    while ((await client.query("select from holds where name = $1", [name])).rows.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return name;
  } finally {
    await client.end();
  }
}
