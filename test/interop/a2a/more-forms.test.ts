import { createA2aChannel } from "elicit-kit/a2a";
import { createElicitationClient } from "elicit-kit/client";
import { describe, expect, onTestFinished, test } from "vitest";
import { createDeferred } from "../../../src/base/deadlines.ts";
import { CITY, text } from "../../stages/test-runtime.ts";
import { caller, serve } from "./served.ts";

/** A page, and an agent of this kit that asks for several cities. Each may start late, or be taken back. */
async function openPageOf(names: readonly string[]) {
  const cities = names.map((name) => ({ name, begin: createDeferred<void>(), stop: new AbortController() }));
  const served = serve(async function* run(turn) {
    const answers = cities.map(async ({ name, begin, stop }) => {
      await begin.promise;
      const asked = { ...CITY, message: name, toolCallId: name, signal: stop.signal };
      const answer = await turn.ask(asked);
      return "content" in answer
        ? `${name}: ${String(answer.content?.["city"])}`
        : `${name}: ${answer.outcome}`;
    });
    yield* text((await Promise.all(answers)).join(", "));
  });
  const { client: agent } = await caller(served);
  const channel = createA2aChannel({ client: agent, agentName: "Contoso Travel" });
  const client = createElicitationClient({ channel, storage: null });
  onTestFinished(() => client.dispose());
  const items = () => client.getSnapshot().items;
  const result = channel.send("Book a trip");
  return {
    result,
    async asks(...indexes: number[]): Promise<string[]> {
      for (const index of indexes) cities[index]?.begin.resolve();
      const wanted = indexes.map((index) => cities[index]?.name);
      const found = () => items().filter(({ request }) => wanted.includes(request.message));
      await expect.poll(() => found().length).toBe(indexes.length);
      return found().map(({ id }) => id);
    },
    takesBack: (index: number) => cities[index]?.stop.abort(),
    accept: (id: string | undefined, city: string) => client.accept(id ?? "", { city }),
    statuses: () => items().map(({ status }) => status),
  };
}

describe("an agent that asks with another form while the user reads", () => {
  test("gets both answers", async () => {
    const { asks, accept, result } = await openPageOf(["First", "Second"]);
    const [first] = await asks(0);
    const [second] = await asks(1);
    await Promise.all([accept(first, "Rome"), accept(second, "Oslo")]);
    expect((await result).text).toBe("First: Rome, Second: Oslo");
  });

  test("gets all three answers if it asked with two forms before", async () => {
    const { asks, accept, result } = await openPageOf(["First", "Second", "Third"]);
    const [first, second] = await asks(0, 1);
    const [third] = await asks(2);
    await Promise.all([accept(first, "Rome"), accept(second, "Oslo"), accept(third, "Bern")]);
    expect((await result).text).toBe("First: Rome, Second: Oslo, Third: Bern");
  });

  test("gets an answer that waits for the second form also if it asks with a third", async () => {
    const { asks, accept, statuses, result } = await openPageOf(["First", "Second", "Third"]);
    const [first] = await asks(0);
    const [second] = await asks(1);
    const answered = accept(first, "Rome");
    const [third] = await asks(2);
    expect(statuses()).toEqual(["submitting", "pending", "pending"]);
    await Promise.all([answered, accept(second, "Oslo"), accept(third, "Bern")]);
    expect((await result).text).toBe("First: Rome, Second: Oslo, Third: Bern");
  });

  test("gets an answer that waits for the second form as soon as it takes that form back", async () => {
    const { asks, accept, takesBack, statuses, result } = await openPageOf(["First", "Second"]);
    const [first] = await asks(0);
    await asks(1);
    const answered = accept(first, "Rome");
    takesBack(1);
    await answered;
    expect((await result).text).toBe("First: Rome, Second: withdrawn");
    expect(statuses()).toEqual(["accepted", "withdrawn"]);
  });
});
