/** One of the processes of a chaos run. Its argument is the connection string. Prints its address. */
import { setTimeout as sleep } from "node:timers/promises";
import { tool } from "ai";
import { Pool } from "pg";
import { z } from "zod";
import { type AgentTool, createAgentTurn } from "../../src/agent/index.ts";
import { createRuntime } from "../../src/runtime/index.ts";
import { createDurablePorts } from "../stages/durable-ports.ts";
import { authenticateTestUser } from "../stages/chat-client.ts";
import { serveUntilStopped } from "../stages/serve-until-stopped.ts";
import { createStatelessModel } from "../stages/scripted-model.ts";

const [, , connectionString = ""] = process.argv;
/** The effect of a tool is a row. */
const effects = new Pool({ connectionString, max: 3 });
effects.on("error", console.error);

/** Retries while the database is away, because an error of the tool would be recorded as its result. */
async function insertEffect(
  values: readonly [turnId: string, message: string, answer: string],
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await effects.query("insert into effects (turn_id, message, answer) values ($1, $2, $3)", [...values]);
      return;
    } catch (error) {
      if (tries === 100) throw error;
      await sleep(200);
    }
  }
}

/** Asks, does something with each answer, and asks again, in two parallel lanes. */
const book: AgentTool = ({ elicitor, turn }) =>
  tool({
    inputSchema: z.object({ trip: z.string() }),
    async execute({ trip }, { toolCallId }) {
      const ask = elicitor(toolCallId);
      const lanes = ["north", "south"].map(async (lane) => {
        const booked: string[] = [];
        for (const what of ["city", "hotel"]) {
          const message = `Which ${what} in the ${lane} on the ${trip} trip?`;
          const answered = await ask.text(message);
          if (answered.outcome !== "accepted") return answered.outcome;
          const { value } = answered;
          booked.push(
            await turn.runner.step(`book ${what} in the ${lane}`, async () => {
              await insertEffect([turn.id, message, value]);
              return value;
            }),
          );
        }
        return booked.join(", ");
      });
      return Promise.all(lanes);
    },
  });

const ports = await createDurablePorts(
  { connectionString, sweepMs: 500, onError: console.error },
  { parkAfterMs: 300 },
);
const runtime = createRuntime({
  ports,
  authenticate: authenticateTestUser,
  allowedOrigins: ["https://chat.example.com"],
  answerKey: Buffer.alloc(32, 1),
  limits: { writesPerMinute: 1e6, open: { perPerson: 1e6 }, turns: { perPerson: 1e6 } },
  onError: console.error,
  runTurn: createAgentTurn({
    model: createStatelessModel(
      [{ "book#1": { trip: "first" }, "book#2": { trip: "second" } }, "All booked."],
      async () => {},
    ),
    tools: { book },
    requester: { name: "Chaos" },
    onError: console.error,
  }),
});
await serveUntilStopped(runtime, ports, effects);
