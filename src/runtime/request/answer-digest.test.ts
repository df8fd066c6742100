import { createHash } from "node:crypto";
import { expect, onTestFinished, test, vi } from "vitest";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { asking, createTestRuntime } from "../../../test/stages/test-runtime.ts";
import { type FormQuestion, createMemoryRecords, createMemoryWaiter } from "../index.ts";
import type { ElicitationRecord } from "../internal.ts";

const PIN: FormQuestion = {
  mode: "form",
  message: "Your PIN, please.",
  elicitationId: "an-id-of-the-asker-s-making",
  requestedSchema: {
    type: "object",
    properties: {
      pin: { type: "string" },
      tries: { type: "number" },
      days: { type: "array", items: { type: "string", enum: ["mo", "tu"] } },
    },
  },
};
const KEY = btoa("k".repeat(32));

/** Processes that share records and waits, each with its own key. The first one asks Ada. */
async function processes(...keys: (string | undefined)[]) {
  const records = createMemoryRecords();
  const waiter = createMemoryWaiter();
  const runtimes = keys.map((answerKey) =>
    createTestRuntime(asking(PIN), { ports: { records, waiter }, answerKey }),
  );
  const [first] = runtimes;
  if (first === undefined) throw new Error("there is no process");
  const clients = runtimes.map(({ fetch }) => createChatClient(fetch, { user: "ada" }));
  const stream = await clients[0]?.send("c1");
  const elicitationId = (await stream?.request())?.elicitationId ?? "";
  const answer = async (index: number, content: object) => {
    const response = await clients[index]?.answer("c1", { elicitationId, action: "accept", content });
    const body: unknown = await response?.json();
    return { status: response?.status, body };
  };
  return {
    records,
    elicitationId,
    answer,
    close: () => Promise.all(runtimes.map((runtime) => runtime.close())),
  };
}

/** Everything that an attacker with the records can compute without the key: digests of every PIN. */
function guesses(record: ElicitationRecord): Set<string> {
  const { elicitationId } = record.request;
  const found = new Set<string>();
  for (let pin = 0; pin < 10_000; pin += 1) {
    const content = { pin: String(pin).padStart(4, "0") };
    const texts = [JSON.stringify(content), JSON.stringify(Object.entries(content))];
    for (const text of texts.flatMap((one) => [one, `${elicitationId}\n${one}`])) {
      found.add(createHash("sha256").update(text).digest("base64url").slice(0, 22));
      found.add(fnv(text));
    }
  }
  return found;
}

/** The digest format of earlier versions. */
function fnv(text: string): string {
  let [left, right] = [0x811c9dc5, 0x811c9dc5];
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    left = Math.imul(left ^ unit, 0x01000193);
    right = Math.imul(right ^ unit, 0x85ebca6b);
  }
  return [left, right].map((half) => (half >>> 0).toString(36)).join("-");
}

test("a PIN cannot be found from the records by trying every value", async () => {
  const { records, elicitationId, answer, close } = await processes(undefined);
  await answer(0, { pin: "4711" });
  const record = await records.get(elicitationId);
  if (record?.answerDigest === undefined) throw new Error("the record has no digest");
  const tried = guesses(record);
  expect(record.answerDigest.split(".").filter((part) => tried.has(part))).toEqual([]);
  expect(JSON.stringify(record)).not.toContain('"4711"');
  await close();
});

test("two runtimes without a configured key store different digests of the same answer", async () => {
  const digests = [];
  for (let process = 0; process < 2; process += 1) {
    const { records, answer, elicitationId, close } = await processes(undefined);
    await answer(0, { pin: "4711" });
    digests.push((await records.get(elicitationId))?.answerDigest);
    await close();
  }
  expect(digests[0]).not.toBe(digests[1]);
});

test("without WebCrypto, no digest is stored", async () => {
  const { getRandomValues } = crypto;
  vi.stubGlobal("crypto", { getRandomValues: getRandomValues.bind(crypto) });
  onTestFinished(() => void vi.unstubAllGlobals());
  const { records, elicitationId, answer, close } = await processes(undefined);
  expect((await answer(0, { pin: "4711" })).status).toBe(200);
  expect((await records.get(elicitationId))?.answerDigest).toBeUndefined();
  expect((await answer(0, { pin: "4711" })).body).toMatchObject({ alreadyProcessed: true });
  await close();
});

test("processes that share a key recognise the same answer", async () => {
  const { answer, close } = await processes(KEY, KEY);
  expect(await answer(0, { pin: "4711" })).toMatchObject({ status: 200 });
  expect(await answer(1, { pin: "4711" })).toMatchObject({ status: 200, body: { alreadyProcessed: true } });
  expect(await answer(1, { pin: "4712" })).toMatchObject({ status: 409, body: { code: "content-differs" } });
  await close();
});

test("a process with another key reports the outcome, and does not compare the content", async () => {
  const { answer, close } = await processes(KEY, btoa("o".repeat(32)));
  await answer(0, { pin: "4711" });
  const [same, other] = [await answer(1, { pin: "4711" }), await answer(1, { pin: "4712" })];
  expect(same).toMatchObject({ status: 409, body: { outcome: "accepted" } });
  expect(same.body).not.toHaveProperty("code");
  expect(other).toEqual(same);
  await close();
});

test.each<[string, object, object, number]>([
  ["its keys in another order", { pin: "1", tries: 2 }, { tries: 2, pin: "1" }, 200],
  ["a list in another order", { days: ["mo", "tu"] }, { days: ["tu", "mo"] }, 409],
  ["a number as text", { tries: 2 }, { pin: "2" }, 409],
  ["an untouched field left out", { pin: "1", tries: 2 }, { pin: "1" }, 409],
])(
  "an answer with %s counts as the same answer or not, as the contract says",
  async (_, first, second, status) => {
    const { answer, close } = await processes(KEY);
    expect((await answer(0, first)).status).toBe(200);
    expect((await answer(0, second)).status).toBe(status);
    await close();
  },
);

test("numbers in answers are compared by value, not by notation", async () => {
  const runtime = createTestRuntime(asking(PIN));
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const { elicitationId } = await (await ada.send("c1")).request();
  const say = (number: string) =>
    ada.fetch("/run/api/elicitation-responses", {
      body: `{"conversationId":"c1","elicitationId":"${elicitationId}","action":"accept","content":{"tries":${number}}}`,
    });
  expect((await say("100")).status).toBe(200);
  for (const number of ["1e2", "100.0", "10.0E1"]) {
    expect(await (await say(number)).json()).toMatchObject({ alreadyProcessed: true });
  }
  expect((await say("100.5")).status).toBe(409);
  await runtime.close();
});
