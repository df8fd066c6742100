/**
 * One version of an application with durable turns, whose tool archives a report if the user agrees. Its arguments: the
 * connection string, `sweepMs`, and the version.
 */
import { tool } from "ai";
import { Client } from "pg";
import { z } from "zod";
import { type AgentTool, createAgentTurn } from "../../src/agent/index.ts";
import { type Elicitor, createRuntime } from "../../src/runtime/index.ts";
import { createDurablePorts } from "../stages/durable-ports.ts";
import { authenticateTestUser } from "../stages/chat-client.ts";
import { serveUntilStopped } from "../stages/serve-until-stopped.ts";
import { createStatelessModel } from "../stages/scripted-model.ts";

const [, , connectionString = "", sweepMs, version = ""] = process.argv;
const effects = new Client(connectionString);
await effects.connect();
const did = async (what: string) =>
  void (await effects.query("insert into effects (what, process) values ($1, $2)", [what, process.pid]));

const Input = z.object({ report: z.string() });
type Input = z.output<typeof Input>;
const agreed = async (asked: ReturnType<Elicitor["confirm"]>) => {
  const { outcome } = await asked;
  return outcome === "accepted";
};

/** A tool that asks with `ask`, and archives the report. */
const archive =
  (
    ask = (elicitor: Elicitor, { report }: Input) => agreed(elicitor.confirm(`Archive report ${report}?`)),
    inputSchema: z.ZodType<Input> = Input,
  ): AgentTool =>
  ({ elicitor, turn }) =>
    tool({
      inputSchema,
      async execute(input, { toolCallId }) {
        if (!(await ask(elicitor(toolCallId), input))) return "Kept.";
        await turn.runner.step("archive", () => did(`archived ${JSON.stringify(input)} by ${version}`));
        return "Archived.";
      },
    });

const deleteFirst: AgentTool = ({ elicitor, turn }) =>
  tool({
    inputSchema: Input,
    async execute({ report }, { toolCallId }) {
      const ask = elicitor(toolCallId);
      if (await agreed(ask.confirm("Delete the production database?"))) {
        await turn.runner.step("delete", () => did("deleted the database"));
      }
      if (await agreed(ask.confirm(`Archive report ${report}?`))) {
        await turn.runner.step("archive", () => did(`archived ${report} by ${version}`));
      }
      return "Done.";
    },
  });

const VERSIONS: Readonly<Record<string, Readonly<Record<string, AgentTool>>>> = {
  first: { archive: archive() },
  "without the tool": { look: tool({ inputSchema: z.object({}), execute: async () => "Nothing." }) },
  "with the tool renamed": { archive_report: archive() },
  "with another input": {
    archive: archive(undefined, Input.extend({ reason: z.string() })),
  },
  "with a default in the input": {
    archive: archive(undefined, Input.extend({ copies: z.int().default(2) })),
  },
  "with other fields": {
    archive: archive(async (elicitor, { report }) => {
      const fields = z.object({ year: z.int(), sure: z.boolean() });
      return (await elicitor.form(`Archive report ${report}?`, fields)).outcome === "accepted";
    }),
  },
  "with another question before": { archive: deleteFirst },
  "with a change elsewhere": {
    look: tool({ inputSchema: z.object({}), execute: async () => "Nothing." }),
    archive: archive(
      async (elicitor, { report }) =>
        (await agreed(elicitor.confirm(`Archive report ${report}?`))) &&
        agreed(elicitor.confirm(`Keep report ${report} for ten years?`)),
    ),
  },
};

const ports = await createDurablePorts(
  { connectionString, sweepMs: Number(sweepMs), retryForMs: 5000, onError: console.error },
  { parkAfterMs: 50 },
);
const runtime = createRuntime({
  ports,
  authenticate: authenticateTestUser,
  allowedOrigins: ["https://chat.example.com"],
  answerKey: Buffer.alloc(32, 1),
  limits: { writesPerMinute: 10_000 },
  onError: console.error,
  runTurn: createAgentTurn({
    model: createStatelessModel(
      [{ "archive#1": { report: "A" }, "archive#2": { report: "B" } }, "All done."],
      () => did("asked the model"),
    ),
    version,
    tools: VERSIONS[version] ?? {},
    requester: { name: "Demo" },
    onError: console.error,
  }),
});
await serveUntilStopped(runtime, ports, effects);
