import { expect, test } from "vitest";
import { type RunTurn, createRuntime } from "elicit-kit/runtime";
import { createSlackSurface } from "elicit-kit/slack";
import { elicitation } from "elicit-kit/slack/bolt";
import type { FakeSlack } from "elicit-kit/slack/testing";
import type { FakeChannel } from "../../../extras/slack/testing/state.ts";
import { withBolt } from "./served.ts";

const plain = (text: string) => ({ type: "plain_text" as const, text });

async function shown(slack: FakeSlack, channel: FakeChannel, words: string) {
  const find = () =>
    slack.messages(channel).findLast((one) => (one.text + JSON.stringify(one.blocks)).includes(words));
  await expect.poll(find).toBeDefined();
  return find()!;
}

test("an app built with Bolt works with the fake Slack", async () => {
  const { slack, ada, ops } = await withBolt((app) => {
    app.event("app_mention", async ({ event, say }) => {
      const button = { type: "button" as const, action_id: "open", text: plain("Order") };
      await say({ text: "Lunch?", thread_ts: event.ts, blocks: [{ type: "actions", elements: [button] }] });
    });
    app.action("open", async ({ ack, body, client }) => {
      await ack();
      await client.views.open({
        trigger_id: "trigger_id" in body ? body.trigger_id : "",
        view: {
          type: "modal",
          callback_id: "order",
          private_metadata: "channel" in body ? (body.channel?.id ?? "") : "",
          title: plain("Order"),
          submit: plain("Send"),
          blocks: [
            {
              type: "input",
              block_id: "count",
              label: plain("Count"),
              element: { type: "number_input", action_id: "v", is_decimal_allowed: false },
            },
            {
              type: "input",
              block_id: "dish",
              label: plain("Dish"),
              element: { type: "external_select", action_id: "dish" },
            },
          ],
        },
      });
    });
    app.options("dish", async ({ ack, options }) =>
      ack({
        options: ["Soup", "Salad"]
          .filter((dish) => dish.includes(options.value))
          .map((dish) => ({ text: plain(dish), value: dish })),
      }),
    );
    app.view("order", async ({ ack, view, client }) => {
      const { count, dish } = view.state.values;
      if (Number(count?.["v"]?.value) > 9)
        return ack({ response_action: "errors", errors: { count: "We are not that hungry." } });
      await ack();
      const what = dish?.["dish"]?.selected_option?.value;
      await client.chat.postMessage({
        channel: view.private_metadata,
        text: `${count?.["v"]?.value} × ${what}`,
      });
    });
  });
  await ada.say(ops, `${slack.mention} lunch`);
  await ada.press(await shown(slack, ops, "Lunch?"), "Order");
  await expect.poll(() => ada.view()).toBeDefined();
  expect(await ada.search("Dish", "S")).toEqual(["Soup", "Salad"]);
  expect(await ada.submit({ Count: 12, Dish: "Soup" })).toEqual({ Count: "We are not that hungry." });
  expect(await ada.submit({ Count: 2 })).toEqual({});
  await shown(slack, ops, "2 × Soup");
  expect(slack.failures).toEqual([]);
});

test("Bolt refuses requests that are old or not signed with the app's secret", async () => {
  const { slack, address } = await withBolt(() => undefined);
  const body = {
    contentType: "application/json",
    text: JSON.stringify({ type: "event_callback", event: { type: "x" } }),
  };
  const now = Math.floor(Date.now() / 1000);
  for (const signing of [{ secret: "guessed" }, { timestamp: now - 301 }]) {
    const request = await slack.delivery.sign(body, signing);
    expect((await fetch(new Request(address, request))).status).toBe(401);
  }
  expect((await fetch(new Request(address, await slack.delivery.sign(body)))).status).toBe(200);
});

const trip: RunTurn = async function* run(turn) {
  yield { type: "start", messageId: turn.id };
  yield* said("Let me see. ");
  const result = await turn.ask({
    mode: "form",
    message: "Where to?",
    tool: { id: "trip", name: "trip" },
    requestedSchema: {
      type: "object",
      properties: {
        city: { type: "string", title: "City", pattern: "^[A-Z]" },
        country: {
          type: "string",
          title: "Country",
          enum: Array.from({ length: 400 }, (_, i) => `Country ${i}`),
        },
      },
      required: ["city", "country"],
    },
  });
  yield* said(JSON.stringify(result));
  yield { type: "finish" };
};

function* said(delta: string) {
  const id = `t${delta.length}`;
  yield { type: "text-start", id };
  yield { type: "text-delta", id, delta };
  yield { type: "text-end", id };
}

test("with app.use(elicitation(surface)), the kit's questions work beside the app's own listeners", async () => {
  const own: string[] = [];
  const errors: unknown[] = [];
  const { slack, ada, bob, ops } = await withBolt((app, fake) => {
    const onError = (error: unknown): void => void errors.push(error);
    const runtime = createRuntime({
      runTurn: trip,
      authenticate: () => undefined,
      allowedOrigins: [],
      onError,
    });
    const surface = createSlackSurface({
      runtime,
      token: fake.token,
      userOf: ({ team, user }) => ({ id: `${team}:${user}` }),
      commands: ["/trip"],
      fetch: fake.fetch,
      onError,
    });
    app.use(elicitation(surface));
    app.event("app_mention", async ({ event }) => void own.push(`event ${event.type}`));
    app.command("/lunch", async ({ ack, command }) => {
      own.push(command.command);
      await ack("Soup.");
    });
    app.action(/.*/, async ({ ack }) => {
      own.push("action");
      await ack();
    });
  });

  await ada.say(ops, `${slack.mention} book me a trip`);
  const question = await shown(slack, ops, "Where to?");
  await bob.press(question, "Decline");
  await expect.poll(() => slack.ephemerals).toMatchObject([{ user: "UBOB" }]);
  await ada.press(question, "Answer…");
  await expect.poll(() => ada.view()).toBeDefined();
  expect(await ada.search("Country", "39")).toHaveLength(14);
  expect(await ada.submit({ City: "rome", Country: "Country 39" })).toEqual({
    City: "Please use the requested format.",
  });
  expect(await ada.submit({ City: "Rome" })).toEqual({});
  await shown(slack, ops, '"content":{"city":"Rome","country":"Country 39"}');
  expect(await ada.command(ops, "/lunch", "")).toEqual({ text: "Soup." });
  expect(own).toEqual(["event app_mention", "/lunch"]);
  expect(slack.failures).toEqual([]);
  expect(errors).toEqual([]);
});
