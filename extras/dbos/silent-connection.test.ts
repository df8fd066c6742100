import { expect, onTestFinished, test } from "vitest";
import type { RunTurn } from "../../src/runtime/index.ts";
import { authenticateTestUser, createChatClient } from "../../test/stages/chat-client.ts";
import { createTestDatabase, startPorts } from "../../test/stages/postgres-database.ts";
import { createSqlProxy } from "../../test/stages/sql-proxy.ts";
import { createTestRuntime, text } from "../../test/stages/test-runtime.ts";
import { createDbosRunner } from "./index.ts";

/** The statement with which DBOS records a step. */
const RECORD = /insert into "dbos"\.operation_outputs/i;

test(
  "when the connection that records a step goes silent, the step is recorded on another connection, and the turn continues",
  { tags: ["long"] },
  async () => {
    const warnings: string[] = [];
    const onWarning = ({ message }: Error) => void warnings.push(message);
    process.on("warning", onWarning);
    onTestFinished(() => void process.off("warning", onWarning));
    const { url } = await createTestDatabase();
    const network = await createSqlProxy(url);
    const ports = await startPorts(url);
    const errors: unknown[] = [];
    const onError = (error: unknown) => void errors.push(error);
    const runner = await createDbosRunner({ ports, connectionString: network.url, onError });
    onTestFinished(() => runner.close());
    let times = 0;
    const runTurn: RunTurn = async function* run(turn) {
      yield { type: "start", messageId: turn.id };
      yield* text(await turn.runner.step("book", async () => `booked ${(times += 1)}`));
    };
    const runtime = createTestRuntime(runTurn, {
      ports: { ...ports, runner },
      authenticate: authenticateTestUser,
    });
    onTestFinished(() => runtime.close());
    const ada = createChatClient(runtime.fetch, { user: "ada" });
    const isHeld = network.holdNext(RECORD);
    const stream = await ada.send("c1");
    await isHeld;
    await stream.done;
    expect(stream.chunks).toContainEqual(expect.objectContaining({ delta: "booked 1" }));
    expect(stream.chunks.at(-1)).toMatchObject({ type: "finish" });
    expect(times).toBe(1);
    expect(warnings.filter((message) => message.includes("client.query()"))).toEqual([]);
  },
);
