/**
 * A runtime whose turns survive its process. Its arguments: the connection string and `sweepMs`, then optionally the URL
 * of an MCP server, and for steps in DBOS its connection string and `recordWithinMs`.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { tool } from "ai";
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { MockLanguageModelV4 } from "ai/test";
import { Client } from "pg";
import { z } from "zod";
import {
  type AgentTool,
  type AgentTurnOptions,
  createAgentTurn,
  elicitationTools,
} from "../../src/agent/index.ts";
import { type RunTurn, createRuntime } from "../../src/runtime/index.ts";
import { authenticateTestUser } from "../stages/chat-client.ts";
import { serveUntilStopped } from "../stages/serve-until-stopped.ts";
import { createDurablePorts, onDbos } from "../stages/durable-ports.ts";
import { SECRETS_KEY } from "../stages/secrets-key.ts";
import { type Step, createStatelessModel } from "../stages/scripted-model.ts";

const [, , connectionString = "", sweepMs, mcpUrl = "", dbosUrl = "", recordWithinMs] = process.argv;
const effects = new Client(connectionString);
await effects.connect();
const did = async (what: string) =>
  void (await effects.query("insert into effects (what, process) values ($1, $2)", [what, process.pid]));

const never = () => new Promise<never>(() => {});
/** How often an effect happened, in all processes. */
async function timesOf(what: string): Promise<number> {
  return (await effects.query("select from effects where what = $1", [what])).rows.length;
}

const ask: AgentTool = ({ elicitor, turn }) =>
  tool({
    inputSchema: z.object({ what: z.string() }),
    async execute({ what }, { toolCallId }) {
      const answered = await elicitor(toolCallId).text(`Which ${what}?`);
      if (answered.outcome !== "accepted") return answered.outcome;
      return turn.runner.step("book", async () => {
        await did(`${turn.conversationId} booked ${answered.value}`);
        return `booked ${answered.value}`;
      });
    },
  });

/** Asks a question that its user may let be remembered, and stays busy after the second time. */
const recall: AgentTool = ({ elicitor, turn }) =>
  tool({
    inputSchema: z.object({}),
    async execute(_, { toolCallId }) {
      const answered = await elicitor(toolCallId).text("Which city?", { remember: true });
      if (answered.outcome !== "accepted") return answered.outcome;
      await did(`${turn.conversationId} got ${answered.value}`);
      if (turn.conversationId === "recall-2" && (await timesOf("recall-2 got Rome")) === 1) await never();
      return turn.runner.step("book", async () => {
        await did(`${turn.conversationId} booked ${answered.value}`);
        return `booked ${answered.value}`;
      });
    },
  });

/** Runs one effect, and stays busy in the first run. */
const work: AgentTool = ({ turn }) =>
  tool({
    inputSchema: z.object({}),
    async execute() {
      await turn.runner.step("prepare", () => did(`${turn.conversationId} prepared`));
      await did(`${turn.conversationId} worked`);
      if ((await timesOf(`${turn.conversationId} worked`)) === 1) await never();
      return turn.runner.step("finish", async () => {
        await did(`${turn.conversationId} finished`);
        return "finished";
      });
    },
  });

/** Works for a while, and records nothing before its end. */
const slow: AgentTool = ({ turn }) =>
  tool({
    inputSchema: z.object({}),
    async execute() {
      await did(`${turn.conversationId} worked`);
      await sleep(300);
      return "worked";
    },
  });

/** Kills its process. */
const die: AgentTool = ({ turn }) =>
  tool({
    inputSchema: z.object({}),
    async execute(): Promise<string> {
      await did(`${turn.conversationId} died`);
      process.kill(process.pid, "SIGKILL");
      return never();
    },
  });

/** A model that stops in the middle of its first text. The next run of the turn gets another text. */
async function cutModel(conversationId: string): Promise<MockLanguageModelV4> {
  if ((await timesOf(`${conversationId} spoke`)) > 0) {
    return createStatelessModel([{ ask: { what: "title" } }, "The end."], async () => {});
  }
  const model = createStatelessModel(["Once upon a time"], () => did(`${conversationId} spoke`));
  return new MockLanguageModelV4({
    async doStream(options) {
      const { stream } = await model.doStream(options);
      const stopsInTheMiddle = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
        async transform(part, controller) {
          controller.enqueue(part);
          if (part.type === "text-delta") await never();
        },
      });
      return { stream: stream.pipeThrough(stopsInTheMiddle) };
    },
  });
}

const SCRIPTS: Readonly<Record<string, readonly Step[]>> = {
  two: [{ ask: { what: "city" } }, { ask: { what: "hotel" } }, "Have a nice trip."],
  three: [{ "ask#1": { what: "one" }, "ask#2": { what: "two" }, "ask#3": { what: "three" } }, "All booked."],
  recall: [{ recall: {} }, "All done."],
  busy: [{ work: {} }, "All done."],
  slow: [{ slow: {} }, "All done."],
  deadly: [{ die: {} }, "All done."],
  choice: [
    { elicit_confirm: { question: "Send the invoice to Ann?" } },
    { elicit_choice: { question: "Send it to whom?", options: ["Bob", "Cleo"] } },
    { elicit_confirm: { question: "Send the invoice to Bob?" } },
    "Sent.",
  ],
  later: [
    { elicit_input: { question: "Which city?", background: true } },
    { slow: {} },
    "That is all I know.",
  ],
  task: [{ travel_ask: {} }, "All done."],
  scopes: [{ issues_create_issue: {} }, "All done."],
};

const SERVERS: Readonly<Record<string, NonNullable<AgentTurnOptions["mcpServers"]>>> = {
  task: [{ name: "travel", service: "Travel", url: mcpUrl, credentialScope: "none" }],
  scopes: [{ name: "issues", service: "Issues", url: mcpUrl, credentialScope: "user", signIn: "on-demand" }],
};

function agentOf(conversationId: string, cut: MockLanguageModelV4 | undefined): RunTurn {
  const [name = ""] = conversationId.split("-");
  return createAgentTurn({
    model:
      cut ??
      createStatelessModel(SCRIPTS[name] ?? ["Hello."], () => did(`${conversationId} asked the model`)),
    tools: { ask, recall, work, slow, die, ...elicitationTools() },
    mcpServers: SERVERS[name],
    credentials: ports.credentials,
    connectUrl: "https://auth.example.com/auth/connect",
    requester: { name: "Demo" },
    onError: console.error,
  });
}

const ports = await createDurablePorts(
  {
    connectionString,
    sweepMs: Number(sweepMs),
    retryForMs: 5000,
    key: SECRETS_KEY,
    onError: console.error,
  },
  {},
  onDbos || dbosUrl !== ""
    ? {
        connectionString: dbosUrl || connectionString,
        recordWithinMs: recordWithinMs === undefined ? undefined : Number(recordWithinMs),
      }
    : undefined,
);
const runtime = createRuntime({
  ports,
  authenticate: authenticateTestUser,
  allowedOrigins: ["https://chat.example.com"],
  answerKey: Buffer.alloc(32, 1),
  limits: { writesPerMinute: 10_000 },
  onError: console.error,
  async runTurn(turn) {
    const { conversationId } = turn;
    const model = conversationId.startsWith("cut") ? await cutModel(conversationId) : undefined;
    return agentOf(conversationId, model)(turn);
  },
  onTurnEnd: (turn) => did(`${turn.conversationId} kept`),
});
await serveUntilStopped(runtime, ports, effects);
