/** Slack on PostgreSQL: any process may receive Slack's HTTP requests. */
import { expect, test } from "vitest";
import { createRuntime } from "../../src/runtime/index.ts";
import { createTestDatabase, startPorts } from "../stages/postgres-database.ts";
import { CITY } from "../stages/test-runtime.ts";
import { type SlackSurface, createSlackSurface } from "../../extras/slack/index.ts";
import { talking } from "../stages/slack/talking.ts";
import { type FakeMessage, type FakeSlack, createFakeSlack } from "../../extras/slack/testing/index.ts";

async function startProcess(url: string, slack: FakeSlack, errors: unknown[]): Promise<SlackSurface> {
  const { records, waiter, stream, runner, clock, drafts } = await startPorts(url);
  const onError = (error: unknown): void => void errors.push(error);
  const runtime = createRuntime({
    ports: { records, waiter, stream, runner, clock },
    answerKey: Buffer.alloc(32, 3).toString("base64"),
    runTurn: talking(CITY),
    authenticate: () => undefined,
    allowedOrigins: [],
    onError,
  });
  return createSlackSurface({
    runtime,
    drafts,
    signingSecret: slack.signingSecret,
    token: slack.token,
    userOf: ({ user }) => ({ id: user }),
    fetch: slack.fetch,
    onError,
  });
}

test("a Slack question of one process is answered through another, with the user's earlier input, and the message shows the answer", async () => {
  const { url } = await createTestDatabase();
  const errors: unknown[] = [];
  let current: SlackSurface | undefined;
  const slack = createFakeSlack({
    app: async (request) => current?.fetch(request) ?? new Response(null, { status: 500 }),
  });
  const [first, second] = [await startProcess(url, slack, errors), await startProcess(url, slack, errors)];
  const ada = slack.person({ name: "Ada" });
  const ops = slack.channel({ name: "ops", members: [ada] });
  async function shown(words: string): Promise<FakeMessage> {
    const has = (one: FakeMessage) => (one.text + JSON.stringify(one.blocks)).includes(words);
    const find = () => slack.messages(ops).findLast((one) => one.isFromApp && has(one));
    await expect.poll(find).toBeDefined();
    return find()!;
  }

  current = first;
  await ada.say(ops, `${slack.mention} go`);
  const question = await shown("Where to?");
  await ada.press(question, "Answer…");
  await ada.enter({ City: "Rome" });
  await ada.close();
  current = second;
  await ada.press(question, "Answer…");
  expect(JSON.stringify(ada.view()?.values)).toContain('"Rome"');
  expect(await ada.submit()).toEqual({});
  await shown("It was accepted.");
  await shown("City: Rome");
  expect(question.text).toBe("✓ Sent");
  expect(slack.failures).toEqual([]);
  expect(errors).toEqual([]);
});
