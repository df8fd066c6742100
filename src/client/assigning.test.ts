import { expect, onTestFinished, test } from "vitest";
import { FOR_ADA, stageAssigning } from "../../test/stages/assigning.ts";
import { createElicitationClient, createHttpChannel } from "./index.ts";
import { inboxOf } from "./inbox.ts";

const HOUR = 60 * 60_000;

/** Bo's agent asks Ada, and her page shows her inbox. */
async function setUp(options: Parameters<typeof stageAssigning>[1] = {}) {
  const { assign, ...others } = options;
  const stage = stageAssigning(
    { ...FOR_ADA, expiresInMs: 24 * HOUR },
    {
      ...others,
      assign: { choicesOf: () => [{ user: "cy" }, { group: "finance" }], ...assign },
    },
  );
  const network = { isDown: false };
  const clientOf = (user: string) => {
    const channel = createHttpChannel({
      api: "https://runtime.example.com/run/api",
      headers: { authorization: `Bearer ${user}` },
      async fetch(input, init) {
        if (network.isDown) throw new TypeError("offline");
        return stage.runtime.fetch(new Request(input, init));
      },
    });
    const client = createElicitationClient({ channel, storage: null });
    onTestFinished(() => client.dispose());
    return client;
  };
  const turn = await stage.bo.send("c1");
  const request = await turn.request();
  const { elicitationId: id } = request;
  const [ada, bo] = [clientOf("ada"), clientOf("bo")];
  bo.receive("c1", request);
  onTestFinished(inboxOf(ada).subscribe(() => {}));
  const item = (client = ada) => client.getSnapshot().items.find((one) => one.id === id);
  await expect.poll(() => item()?.status).toBe("pending");
  onTestFinished(() => stage.runtime.close());
  return { ...stage, boApi: stage.bo, cyApi: stage.cy, network, turn, id, ada, bo, item };
}

test("a user who passes on a form can no longer answer it, and sees who has it now", async () => {
  const { ada, id, item, cyApi } = await setUp();
  const choices = await ada.assignees(id);
  expect(choices?.map(({ name }) => name)).toEqual(["CY", "The finance team"]);
  expect(await ada.assign(id, choices![0]!.to)).toBe(true);
  expect(item()).toMatchObject({
    status: "gone",
    request: { assignee: { name: "CY" }, from: { name: "Bo" } },
  });
  expect(await cyApi.inbox()).toHaveLength(1);
  // `accept` and `assign` have no effect any more.
  await ada.accept(id, { city: "Rome" });
  expect(await ada.assign(id, { user: "dan" })).toBe(false);
  expect(item()?.status).toBe("gone");
});

test("a form that is given back to a user is open again", async () => {
  const { ada, id, item, cyApi, turn } = await setUp();
  await ada.assign(id, { user: "cy" });
  await cyApi.give(id, { user: "ada" });
  await expect.poll(() => item()?.status).toBe("pending");
  expect(item()?.request.assignee).toBe(undefined);
  await ada.accept(id, { city: "Rome" });
  await turn.done;
  expect(item()?.status).toBe("accepted");
});

test("a form that the asker takes back and assigns to the same user again is open again", async () => {
  const { id, item, bo, boApi } = await setUp();
  expect(await bo.assign(id, null)).toBe(true);
  expect(item(bo)?.request.assignee).toBe(undefined);
  await expect.poll(() => item()?.status).toBe("gone");
  await boApi.give(id, { user: "ada" });
  await expect.poll(() => item()?.status).toBe("pending");
});

test("a user who assigns a form to a group of their own can still answer it", async () => {
  const { ada, id, item } = await setUp();
  expect(await ada.assign(id, { group: "finance" })).toBe(true);
  expect(item()).toMatchObject({ status: "pending", request: { from: { name: "Bo" } } });
});

test("the asker gives their own form to somebody else, takes it back, and gives it again, without a stream", async () => {
  const { bo, id, item } = await setUp({ notices: { onWaiting: () => undefined } });
  await bo.assign(id, null);
  expect(item(bo)?.request).toMatchObject({ giveOn: true, assignee: undefined });
  const [cy] = (await bo.assignees(id)) ?? [];
  expect(await bo.assign(id, cy!.to)).toBe(true);
  expect(item(bo)).toMatchObject({
    status: "pending",
    request: { assignee: { name: "CY", takeBack: true, remind: true } },
  });
  // It can be given again when it is back.
  expect(await bo.assign(id, { group: "finance" })).toBe(false);
  expect(await bo.assign(id, null)).toBe(true);
  expect(await bo.assign(id, { group: "finance" })).toBe(true);
  expect(item(bo)?.request.assignee?.name).toBe("The finance team");
});

test("when the server refuses a reassignment or cannot be reached, nothing changes", async () => {
  const { ada, bo, id, item, network } = await setUp({ assign: { may: (user) => user.id !== "ada" } });
  expect(await ada.assign(id, { user: "cy" })).toBe(false);
  network.isDown = true;
  expect(await ada.assign(id, { user: "cy" })).toBe(false);
  expect(await ada.assignees(id)).toBe(undefined);
  expect(await bo.remind(id)).toEqual({ sent: false });
  expect(await bo.assign(id, null)).toBe(false);
  expect(item()?.status).toBe("pending");
  expect(item(bo)?.request.assignee?.name).toBe("ADA");
});

test("when the server offers no assignees and no reminders, the client does not request them", async () => {
  const { ada, bo, id, network } = await setUp({ assign: { choicesOf: () => [] } });
  network.isDown = true;
  expect(await ada.assign(id, { user: "cy" })).toBe(false);
  expect(await ada.assignees(id)).toBe(undefined);
  expect(await bo.remind(id)).toEqual({ sent: false });
});

test("the user who waits sends a reminder, and learns how long to wait when it is too soon for one", async () => {
  const { bo, id, clock } = await setUp({ notices: { onWaiting: () => undefined } });
  expect(await bo.remind(id)).toEqual({ sent: false, retryAfterMs: 660_000 });
  clock.advance(HOUR);
  expect(await bo.remind(id)).toEqual({ sent: true });
});
