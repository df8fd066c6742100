import { expect, test } from "vitest";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { CITY, createTestRuntime, text } from "../../../test/stages/test-runtime.ts";
import { type Turn, createElicitor } from "../index.ts";

const CITIES = ["Rome", "Oslo"] as const;

/** Runs a tool call in memory. It ends with a text, or with the message of an error. */
function runTool(tool: (turn: Turn) => Promise<string>) {
  const runtime = createTestRuntime(async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    const said = await turn.runner
      .tool({ id: `${turn.id}/call`, name: "trip" }, () => tool(turn))
      .catch((error: unknown) => String(error));
    yield* text(said);
  });
  return createChatClient(runtime.fetch, { user: "ada" });
}

/** Asks for each city and books it, with all cities in parallel. */
const bookAll = (turn: Turn, booked: string[], keyOf: (city: string) => { key?: string }) =>
  Promise.all(
    CITIES.map(async (city) => {
      const elicitor = createElicitor({ turn, tool: "trip", toolCallId: "call" });
      const name = await elicitor.text(`Who goes to ${city}?`);
      await turn.runner.step("book", async () => void booked.push(city), keyOf(city));
      return name.outcome === "accepted" ? `${city} ${name.value}` : city;
    }),
  );

test.each([
  ["one after another", [0, 1], true],
  ["in the other order", [1, 0], true],
  ["at once", [0, 1], false],
] as const)(
  "two branches of a tool that run steps with the same name fail when the answers arrive %s",
  async (_, order, isSlow) => {
    const booked: string[] = [];
    const ada = runTool(async (turn) => (await bookAll(turn, booked, () => ({}))).join());
    const stream = await ada.send("c1");
    const asked = [await stream.request(0), await stream.request(1)];
    const answers = order.map(
      (index) => () => ada.answer("c1", { ...asked[index], action: "accept", content: { answer: "Ada" } }),
    );
    if (isSlow) for (const send of answers) await send();
    else await Promise.all(answers.map((send) => send()));
    await stream.done;
    expect(JSON.stringify(stream.chunks)).toMatch(/step\(.*book.*, run, \{ key \}\)/);
    expect(booked).toHaveLength(1);
  },
);

test("two branches of a tool that give their steps keys all run", async () => {
  const booked: string[] = [];
  const ada = runTool(async (turn) => (await bookAll(turn, booked, (key) => ({ key }))).join());
  const stream = await ada.send("c1");
  const asked = [await stream.request(0), await stream.request(1)];
  for (const [index, name] of ["Ada", "Bob"].entries()) {
    await ada.answer("c1", { ...asked[index], action: "accept", content: { answer: name } });
  }
  await stream.done;
  expect(stream.chunks).toContainEqual(expect.objectContaining({ delta: "Rome Ada,Oslo Bob" }));
  expect(booked).toEqual(CITIES);
});

test("steps with the same name that run one after the other need no keys, even beside an open question", async () => {
  const booked: number[] = [];
  const ada = runTool(async (turn) => {
    const asked = turn.ask(CITY);
    for (const number of [1, 2, 3]) await turn.runner.step("book", async () => void booked.push(number));
    return (await asked).outcome;
  });
  const stream = await ada.send("c1");
  const asked = await stream.request();
  await expect.poll(() => booked).toHaveLength(3);
  await ada.answer("c1", { ...asked, action: "decline" });
  await stream.done;
  expect(stream.chunks).toContainEqual(expect.objectContaining({ delta: "declined" }));
  expect(booked).toEqual([1, 2, 3]);
});

test("two equal parallel questions fail, and with keys both are asked", async () => {
  const ada = runTool(async (turn) => {
    const elicitor = createElicitor({ turn, tool: "trip", toolCallId: "call" });
    const first = elicitor.confirm("Sure?");
    const second = elicitor.confirm("Sure?").then(({ outcome }) => outcome);
    const refused = await second.catch(String);
    const named = elicitor.confirm("Sure?", { key: "again" });
    return `${refused},${(await first).outcome},${(await named).outcome}`;
  });
  const stream = await ada.send("c1");
  const asked = [await stream.request(0), await stream.request(1)];
  for (const request of asked) {
    await ada.answer("c1", { ...request, action: "accept", content: { answer: true } });
  }
  await stream.done;
  const said = stream.chunks.find(({ type }) => type === "text-delta")?.["delta"];
  expect(said).toMatch(/^ElicitorError: elicit-kit: .*key.*,accepted,accepted$/);
});
