import { TaskState } from "@a2a-js/sdk";
import { describe, expect, test } from "vitest";
import { createDeferred } from "../../../src/base/deadlines.ts";
import { readAnswers } from "../../../src/a2a/wire/translate.ts";
import { CONTENT, FORM, PAGE } from "../recorded/questions.ts";
import { serveAgent } from "./agents.ts";
import { chatWith } from "./chat.ts";
import { openPage } from "./page.ts";

const form = (message: string) => ({ elicitationId: "one", mode: "form" as const, ...FORM, message });
const page = (url: string) => ({ elicitationId: "one", mode: "url" as const, ...PAGE, url });

/** An agent that replaces its open page, under the same id. */
function replacing() {
  const replace = createDeferred<void>();
  const finish = createDeferred<void>();
  const agent = serveAgent(async (task) => {
    task.ask([page("https://bank.example.com/1")]);
    await replace.promise;
    task.ask([page("https://bank.example.com/2")]);
    await finish.promise;
    task.artifact("Paid");
    task.status(TaskState.TASK_STATE_COMPLETED);
  });
  return { agent, replace, finish };
}

describe("an agent that uses an id again,", () => {
  test("with another form, gets each answer for its own form", async () => {
    const got: unknown[] = [];
    const agent = await serveAgent((task) => {
      const read = readAnswers(task.message);
      if (read?.ok === true) got.push(read.value[0]?.content);
      if (got.length === 0) return task.ask([form("Where do you sit?")]);
      if (got.length === 1) return task.ask([form("Delete the account for good?")]);
      task.status(TaskState.TASK_STATE_COMPLETED);
    });
    const { channel, client, item, statuses } = await openPage(agent.url);
    const result = channel.send("Go");
    await client.accept((await item(0)).id, CONTENT);
    expect((await item(1)).request.message).toBe("Delete the account for good?");
    expect(statuses()).toEqual(["accepted", "pending"]);
    await client.accept((await item(1)).id, { ...CONTENT, seats: 2 });
    await result;
    expect(got).toEqual([CONTENT, { ...CONTENT, seats: 2 }]);
  });

  test("with another page while one is open, has the first card of a page withdrawn and shows a second", async () => {
    const { agent, replace, finish } = replacing();
    const { channel, item, statuses } = await openPage((await agent).url);
    const result = channel.send("Go");
    await item(0);
    replace.resolve();
    expect((await item(1)).request).toMatchObject({ url: "https://bank.example.com/2" });
    expect(statuses()).toEqual(["withdrawn", "pending"]);
    finish.resolve();
    await result;
  });

  test("with another page while one is open, has the first card of the chat withdrawn and shows a second", async () => {
    const { agent, replace, finish } = replacing();
    const chat = chatWith((await agent).url);
    const stream = await chat.send();
    expect(await stream.request()).toMatchObject({ url: "https://bank.example.com/1" });
    replace.resolve();
    await expect.poll(() => JSON.stringify(stream.chunks)).toContain("https://bank.example.com/2");
    expect(JSON.stringify(stream.chunks)).toContain('"outcome":"withdrawn"');
    finish.resolve();
    await stream.done;
    expect(chat.results()).toContain("Paid");
  });
});
