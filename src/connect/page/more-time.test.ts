import { expect, test } from "vitest";
import { hiddenFields } from "../../../test/stages/browser.ts";
import { TRIP, send, stageAnswerPage } from "../../../test/stages/answer-page-stage.ts";
import { AUTH } from "../../../test/stages/page-stage.ts";

const MINUTE = 60_000;

test("a user without scripts gets more time on the page of a form, and keeps what is filled in", async () => {
  const s = await stageAnswerPage(TRIP);
  expect(s.shown.text).toMatch(/id="ends"[^>]*>in 10 minutes</);
  s.runtime.clock.advance(4 * MINUTE);
  const more = await send(s, s.shown, { f0: "Rome", f1: "", action: "extend" });
  expect(more.status).toBe(200);
  expect(more.text).toMatch(/id="ends"[^>]*>in 16 minutes</);
  expect(more.text).toContain('value="Rome"');
  expect(more.text).not.toContain('role="alert"');
  await send(s, more, { f0: "Rome", f1: "2" });
  expect(await s.result()).toEqual({ outcome: "accepted", content: { city: "Rome", nights: 2 } });
  expect(s.errors).toEqual([]);
});

test("the script of the page gets more time from a page without answers, and only for the user who is asked", async () => {
  const s = await stageAnswerPage(TRIP, {}, { timeToAnswer: { maxExpiresInMs: 12 * MINUTE } });
  const refused = await s.newBrowser("bob").post(`${AUTH}/auth/extend`, hiddenFields(s.shown));
  expect(refused.status).toBe(403);
  const given = await s.browser.post(`${AUTH}/auth/extend`, hiddenFields(s.shown));
  expect(given.status).toBe(303);
  const fresh = await s.browser.get(given.headers.get("location") ?? "", { "sec-fetch-dest": "empty" });
  expect(fresh.text).toMatch(/id="ends"[^>]*>in 12 minutes</);
  // The server gives no more.
  expect(fresh.text).not.toContain('id="more-time"');
});
