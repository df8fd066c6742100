import { randomBytes } from "node:crypto";
import { request } from "node:http";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { createDurableRuntime } from "../../docs/examples/durable-runtime.ts";
import { startWholeServer } from "../../docs/examples/whole-server.ts";
import { takeStateIn } from "../../docs/examples/take-state.ts";
import { createSharedRuntime } from "../../docs/examples/postgres-runtime.ts";
import { createVercelRuntime } from "../../docs/examples/vercel-runtime.ts";
import { authenticateTestUser, createChatClient, readStream } from "../stages/chat-client.ts";
import { createTestDatabase } from "../stages/postgres-database.ts";
import { createStatelessModel } from "../stages/scripted-model.ts";
import { CITY, asking } from "../stages/test-runtime.ts";

const newKey = () => randomBytes(32).toString("base64");
const options = {
  runTurn: asking(CITY),
  authenticate: async (sent: Request) => authenticateTestUser(sent),
  keys: { secrets: newKey(), answers: newKey() },
};

test("with the shared runtime of docs/run/processes.md, an answer in one process continues the turn of another", async () => {
  const { url } = await createTestDatabase({ empty: true });
  vi.stubEnv("DATABASE_URL", url);
  onTestFinished(() => void vi.unstubAllEnvs());
  const [asks, answers] = await Promise.all([createSharedRuntime(options), createSharedRuntime(options)]);
  onTestFinished(async () => {
    for (const { runtime, ports } of [asks, answers]) {
      await runtime.close();
      await ports.close();
    }
  });
  const stream = await createChatClient(asks.runtime.fetch, { user: "ada" }).send("c1");
  const { elicitationId } = await stream.request();
  const answer = { elicitationId, action: "accept", content: { city: "Rome" } };
  const ada = createChatClient(answers.runtime.fetch, { user: "ada" });
  expect((await ada.answer("c1", answer)).status).toBe(200);
  await stream.done;
  expect(stream.chunks).toContainEqual(expect.objectContaining({ delta: expect.stringContaining("Rome") }));
});

test("with the durable runtime of docs/run/durable.md, a turn waits through a shutdown and continues after the restart", async () => {
  const { url: connectionString } = await createTestDatabase({ empty: true });
  const first = await createDurableRuntime({ ...options, connectionString });
  const stream = await createChatClient(first.runtime.fetch, { user: "ada" }).send("c1");
  const { elicitationId } = await stream.request();
  await first.close();
  const next = await createDurableRuntime({ ...options, connectionString });
  onTestFinished(() => next.close());
  const ada = createChatClient(next.runtime.fetch, { user: "ada" });
  const answer = { elicitationId, action: "accept", content: { city: "Rome" } };
  expect((await ada.answer("c1", answer)).status).toBe(200);
  const again = readStream(await ada.fetch("/run/api/chat/c1/stream"));
  await again.done;
  expect(again.chunks).toContainEqual(expect.objectContaining({ delta: expect.stringContaining("Rome") }));
});

test("with the runtime of docs/run/vercel.md, a second function that receives the answer continues the turn of the first", async () => {
  const { url: connectionString } = await createTestDatabase({ empty: true });
  const awake: Promise<unknown>[] = [];
  const waitUntil = (run: Promise<unknown>) => void awake.push(run);
  const functions = { ...options, connectionString, waitUntil };
  const first = await createVercelRuntime(functions);
  const stream = await createChatClient(first.runtime.fetch, { user: "ada" }).send("c1");
  const { elicitationId } = await stream.request();
  expect(awake).toHaveLength(1);
  await first.close();
  const second = await createVercelRuntime(functions);
  onTestFinished(() => second.close());
  const ada = createChatClient(second.runtime.fetch, { user: "ada" });
  const answer = { elicitationId, action: "accept", content: { city: "Rome" } };
  expect((await ada.answer("c1", answer)).status).toBe(200);
  const again = readStream(await ada.fetch("/run/api/chat/c1/stream"));
  await again.done;
  expect(again.chunks).toContainEqual(expect.objectContaining({ delta: expect.stringContaining("Rome") }));
  expect(awake).toHaveLength(2);
  await Promise.all(awake);
});

test("with the store of docs/protocols/mcp-tools.md, one of several processes takes a state, once", async () => {
  const { url } = await createTestDatabase({ empty: true });
  const pool = new pg.Pool({ connectionString: url });
  onTestFinished(() => pool.end());
  await pool.query("create table mcp_states (id text primary key, expires_at bigint not null)");
  const later = Date.now() + 60_000;
  const taken = await Promise.all([1, 2, 3, 4].map(() => takeStateIn(pool)("state-1", later)));
  expect(taken.filter(Boolean)).toHaveLength(1);
  expect(await takeStateIn(pool)("state-2", later)).toBe(true);
});

test("with the server of docs/run/kubernetes.md, another pod takes the answer when the first one is ended", async () => {
  const { url } = await createTestDatabase({ empty: true });
  const env = { DATABASE_URL: url, SECRETS_KEY: newKey(), ANSWER_KEY: newKey(), PORT: "0" };
  const start = () =>
    startWholeServer({
      model: createStatelessModel([{ list_repositories: {} }, "Done."], async () => {}),
      authenticate: options.authenticate,
      operatorOf: async () => null,
      env,
    });
  const [first, second] = [await start(), await start()];
  onTestFinished(() => second.close());
  const addressOf = (pod: { url: string }) => pod.url.replace("0.0.0.0", "127.0.0.1");
  const get = (pod: { url: string }, host: string, path: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const sent = request(addressOf(pod) + path, { headers: { host } }, (reply) => {
        let text = `${reply.statusCode} `;
        reply.setEncoding("utf8");
        reply.on("data", (part) => (text += part)).on("end", () => resolve(text));
      });
      sent.on("error", reject).end();
    });
  expect(await get(first, "chat.example.com", "/readyz")).toBe("200 ");
  expect(await get(first, "evil.example.com", "/readyz")).toMatch(/^403 /);
  expect(await get(first, "ops.example.com", "/operator")).toContain("You are not signed in as one.");

  const clientOf = (pod: { url: string }) =>
    createChatClient(
      (asked) => {
        const { method, headers, body } = asked;
        const init = { method, headers, body, duplex: "half" } as const;
        return fetch(new Request(addressOf(pod) + new URL(asked.url).pathname, init));
      },
      { user: "ada" },
    );
  const stream = await clientOf(first).send("c1");
  const { elicitationId } = await stream.request();
  await first.close();
  const declined = { elicitationId, action: "decline" };
  expect((await clientOf(second).answer("c1", declined)).status).toBe(200);
});
