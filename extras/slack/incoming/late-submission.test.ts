import { describe, expect, test } from "vitest";
import { type FormQuestion, createMemoryRecords } from "../../../src/runtime/index.ts";
import { createSlackStage } from "../../../test/stages/slack/slack-stage.ts";
import { CITY, asking } from "../../../test/stages/test-runtime.ts";

/** A runtime whose records take four seconds for each read while `slow.isOn`: longer than Slack waits for a reply. */
function setUp(question: FormQuestion = CITY) {
  const slow = { isOn: false };
  /** While `lost.isOn`, requests of Slack do not reach the surface. */
  const lost = { isOn: false };
  const records = createMemoryRecords();
  const stage = createSlackStage(asking(question), {
    slack: { app: async (request) => (lost.isOn ? new Response() : stage.surface.fetch(request)) },
    runtime: {
      ports: {
        records: {
          ...records,
          async get(elicitationId) {
            if (slow.isOn) await new Promise<void>((resolve) => void stage.clock.after(4000, resolve));
            return records.get(elicitationId);
          },
        },
      },
    },
  });
  return { stage, slow, lost };
}

const shownIn = (view: unknown) => JSON.stringify(view);

describe("a form whose answer takes longer than Slack waits", () => {
  test("says that it is being checked, then that it was sent, and the turn gets the answer", async () => {
    const { stage, slow } = setUp();
    const { ada, slack } = stage;
    const thread = await stage.ask();
    await ada.press(await stage.shown(thread, "Where to?"), "Answer…");
    await ada.enter({ City: "Rome", nights: "2" });
    slow.isOn = true;
    expect(await stage.during(ada.submit())).toEqual({});
    expect(shownIn(ada.view()?.view)).toContain("Your answer is being checked…");
    slow.isOn = false;
    await stage.shown(thread, '{"outcome":"accepted","content":{"city":"Rome","nights":2}}');
    expect(await stage.until(() => shownIn(ada.view()?.view).includes("Sent"))).toBe(true);
    expect(slack.failures).toEqual([]);
    expect(stage.errors).toEqual([]);
  });

  test("counts even if the user closes the modal in the meantime", async () => {
    const { stage, slow } = setUp();
    const thread = await stage.ask();
    await stage.ada.press(await stage.shown(thread, "Where to?"), "Answer…");
    await stage.ada.enter({ City: "Rome" });
    slow.isOn = true;
    await stage.during(stage.ada.submit());
    await stage.ada.close();
    slow.isOn = false;
    expect(await stage.shown(thread, '"city":"Rome"')).toBeTruthy();
    expect(stage.slack.failures).toEqual([]);
  });

  test("says that it was not accepted, and opens again with the user's input", async () => {
    const code = { type: "string", title: "Code", pattern: "^[A-Z]{3}$" };
    const { stage, slow, lost } = setUp({
      ...CITY,
      requestedSchema: { type: "object", properties: { code }, required: ["code"] },
    });
    const { ada, slack } = stage;
    const thread = await stage.ask();
    const question = await stage.shown(thread, "Where to?");
    await ada.press(question, "Answer…");
    // Lose the events of the input, so that only the submission contains it.
    lost.isOn = true;
    await ada.enter({ Code: "abc" });
    lost.isOn = false;
    slow.isOn = true;
    await stage.during(ada.submit());
    expect(shownIn(ada.view()?.view)).toContain("Your answer is being checked…");
    await stage.until(() => shownIn(ada.view()?.view).includes("could not be delivered"));
    slow.isOn = false;
    await ada.press(question, "Answer…");
    expect(shownIn(ada.view()?.values)).toContain("abc");
    expect(await ada.submit({ Code: "ABC" })).toEqual({});
    expect(await stage.shown(thread, '"code":"ABC"')).toBeTruthy();
    expect(slack.failures).toEqual([]);
  });
});
