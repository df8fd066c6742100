import { expect, test } from "vitest";
import { createAgentTurn } from "../../src/agent/index.ts";
import { createDeferred } from "../../src/base/deadlines.ts";
import { StoreAway } from "../../src/base/foreign-error.ts";
import { createMemoryCredentials } from "../../src/connect/ports/credentials.ts";
import type { RunTurn } from "../../src/runtime/index.ts";
import { STEPS } from "../stages/durable-ports.ts";
import { createDurableProcesses } from "../stages/durable-processes.ts";
import { createSqlProxy } from "../stages/sql-proxy.ts";
import { readStream } from "../stages/chat-client.ts";
import { createMcpTracker } from "../stages/mcp-tracker.ts";
import { createScriptedModel } from "../stages/scripted-model.ts";
import { CITY, text } from "../stages/test-runtime.ts";

/** The statement with which a process starts the first run of a turn. */
const BEGIN = /insert into "elicit_kit"\.runs as r/;

test("when the database is away for longer than the retry time while a turn writes, the turn continues afterwards and repeats no step", async () => {
  const { startProcess, query, url } = await createDurableProcesses();
  const network = await createSqlProxy(url);
  const goOn = createDeferred<void>();
  let times = 0;
  let hasFailed = false;
  const runTurn: RunTurn = async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    await turn.runner.step("book", async () => void (times += 1));
    await goOn.promise;
    yield* text("Booked.");
  };
  const { ada } = await startProcess(runTurn, {
    connectionString: network.url,
    retryForMs: 300,
    withPorts: (ports) => ({
      ...ports,
      stream: {
        ...ports.stream,
        async append(...of) {
          await ports.stream.append(...of).catch((error: unknown) => {
            hasFailed = true;
            throw error;
          });
        },
      },
    }),
  });
  const before = await ada.send("c1");
  before.done.catch(() => {});
  await expect.poll(async () => (await query(`select from ${STEPS.table}`)).rows).not.toEqual([]);
  network.cut();
  goOn.resolve();
  await expect.poll(() => hasFailed).toBe(true);
  network.open();

  const log = async () =>
    (await query("select chunk::json as chunk from elicit_kit.log order by seq")).rows.map(
      ({ chunk }) => chunk,
    );
  await expect.poll(async () => (await log()).at(-1)?.type).toMatch(/^(finish|error|abort)$/);
  const chunks = await log();
  expect(chunks.at(-1)).toEqual({ type: "finish" });
  expect(chunks.map(({ delta = "" }) => delta).join("")).toBe("Booked.");
  expect(times).toBe(1);
});

test("when the database is away for longer than the retry time before an accepted message runs, the message runs afterwards", async () => {
  const { startProcess, query, url } = await createDurableProcesses();
  const network = await createSqlProxy(url);
  let isGivenUp = false;
  const watched =
    <Of extends unknown[]>(start: (...of: Of) => Promise<void>) =>
    (...of: Of) =>
      start(...of).finally(() => {
        isGivenUp = true;
      });
  const runTurn: RunTurn = async function* run() {
    yield* text("Done.");
  };
  const { ada } = await startProcess(runTurn, {
    connectionString: network.url,
    retryForMs: 1000,
    withPorts: (ports) => ({
      ...ports,
      // The runner on DBOS starts turns with the claims.
      claims: { ...ports.claims, register: (...of) => watched(ports.claims.register(...of)) },
      runner: { ...ports.runner, register: (...of) => watched(ports.runner.register(...of)) },
    }),
  });
  const isHeld = network.holdNext(BEGIN);
  const before = await ada.send("c1");
  before.done.catch(() => {});
  await isHeld;
  network.cut();
  await expect.poll(() => isGivenUp).toBe(true);
  network.open();

  const log = async () =>
    (await query("select chunk::json as chunk from elicit_kit.log order by seq")).rows.map(
      ({ chunk }) => chunk,
    );
  await expect.poll(async () => (await log()).at(-1)?.type).toMatch(/^(finish|error|abort)$/);
  const chunks = await log();
  expect(chunks.at(-1)).toEqual({ type: "finish" });
  expect(chunks.map(({ delta = "" }) => delta).join("")).toBe("Done.");
});

test.each([
  { outage: "for less time than calls are tried again", retryForMs: 60_000 },
  { outage: "for longer than calls are tried again", retryForMs: 0 },
])(
  "when the database is away $outage while a turn asks, the agent sees no error, and the turn asks and gets the answer afterwards",
  async ({ retryForMs }) => {
    const { startProcess, query, url } = await createDurableProcesses();
    const network = await createSqlProxy(url);
    const outcomes: string[] = [];
    const runTurn: RunTurn = async function* run(turn) {
      yield { type: "start", messageId: turn.id };
      const { outcome } = await turn.ask(CITY);
      outcomes.push(outcome);
      yield* text(outcome);
    };
    let tries = 0;
    const first = await startProcess(runTurn, {
      connectionString: network.url,
      retryForMs,
      withPorts: (ports) => ({
        ...ports,
        records: {
          ...ports.records,
          create(record) {
            tries += 1;
            if (tries === 1) network.cut();
            return ports.records.create(record);
          },
        },
      }),
    });
    const second = await startProcess(runTurn);
    const before = await first.ada.send("c1");
    before.done.catch(() => {});
    // The process has reported the outage, or the question has failed.
    const noticed = () => [...first.errors(), ...first.portErrors];
    await expect.poll(() => [tries, noticed().length > 0]).toEqual([1, true]);
    network.open();
    await expect
      .poll(async () => (await query("select is_open from elicit_kit.records")).rows)
      .toEqual([{ is_open: true }]);

    const shown = readStream(await second.ada.fetch("/run/api/chat/c1/stream"));
    const { elicitationId } = await shown.request();
    const content = { city: "Rome" };
    expect((await second.ada.answer("c1", { elicitationId, action: "accept", content })).status).toBe(200);
    await shown.done;
    expect(shown.chunks.at(-1)).toEqual({ type: "finish" });
    expect(outcomes).toEqual(["accepted"]);
  },
);

test("when the database is away while a tool reads the account of its user, the tool is called afterwards, and the model gets no error", async () => {
  const { startProcess, left } = await createDurableProcesses();
  const tracker = createMcpTracker();
  const memory = createMemoryCredentials();
  await memory.set("tracker", "ada", { accessToken: "ada-token" });
  tracker.accepted.add("ada-token");
  let isAway = true;
  const runTurn = createAgentTurn({
    model: createScriptedModel({ tracker_create_issue: { title: "Login fails" } }, "Done."),
    credentials: {
      ...memory,
      get(...of) {
        // The tools are listed before.
        const fails = isAway && tracker.requests.includes("tools/list");
        if (fails) isAway = false;
        return fails ? Promise.reject(new StoreAway("The disk is full.")) : memory.get(...of);
      },
    },
    mcpServers: [
      {
        name: "tracker",
        url: "https://tracker.example.com/mcp",
        service: "Tracker",
        credentialScope: "user",
        fetch: tracker.fetch,
      },
    ],
    connectUrl: "https://auth.example.com/auth/connect",
    requester: { name: "Demo" },
    onError: () => {},
  });
  const { ada } = await startProcess(runTurn);
  const stream = await ada.send("c1");
  await stream.done;
  expect(isAway).toBe(false);
  expect(tracker.calls).toEqual([{ tool: "create_issue", token: "ada-token" }]);
  const outputs = stream.chunks.filter(({ type }) => type === "tool-output-available");
  expect(outputs).toHaveLength(1);
  expect(JSON.stringify(outputs)).not.toContain("cannot be read");
  expect(stream.chunks.at(-1)).toMatchObject({ type: "finish" });
  await expect.poll(left).toBe(0);
});
