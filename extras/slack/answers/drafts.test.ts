import { expect, test } from "vitest";
import { createManualClock } from "../../../src/base/testing/manual-clock.ts";
import { formRequest, question, urlRequest } from "../../../src/contract/testing/requests.ts";
import { createMemoryDrafts, createTypedValues } from "./drafts.ts";

const typed = (value: string) => ({ "field:0": { "elicit_kit:field": { value } } });

test("values that a user has typed are kept for an hour after the last change, or until they are deleted", async () => {
  const clock = createManualClock();
  const errors: unknown[] = [];
  const store = createMemoryDrafts(clock);
  const values = createTypedValues({ store, clock, onError: (error) => errors.push(error) });
  const request = question({ type: "string", title: "City" });
  await values.keep(request.elicitationId, typed("Rom"));
  await clock.advanceAsync(30 * 60_000);
  await values.keep(request.elicitationId, typed("Rome"));
  await clock.advanceAsync(60 * 60_000 - 1);
  expect(await values.typedFor(request)).toEqual({ drafts: { value: "Rome" }, remember: false });
  await clock.advanceAsync(1);
  expect(await values.typedFor(request)).toEqual({});
  await values.keep(request.elicitationId, typed("Paris"));
  await values.forget(request.elicitationId);
  expect(await values.typedFor(request)).toEqual({});
  expect(await values.typedFor(urlRequest())).toEqual({});
  expect(errors).toEqual([]);
});

test("the memory store keeps what users typed in the newest 1,000 forms, and typing makes a form the newest again", async () => {
  const clock = createManualClock();
  const store = createMemoryDrafts(clock);
  for (let index = 0; index < 1000; index += 1) await store.set(`e${index}`, "x", clock.now() + 1000);
  await store.set("e0", "again", clock.now() + 1000);
  await store.set("e1000", "x", clock.now() + 1000);
  expect(await store.get("e0")).toBe("again");
  expect(await store.get("e1")).toBeUndefined();
  expect(await store.get("e2")).toBe("x");
});

test("when the store fails or returns an invalid draft, the error is reported and the form opens empty", async () => {
  const clock = createManualClock();
  const errors: unknown[] = [];
  const fail = () => Promise.reject(new Error("the store is down"));
  const onError = (error: unknown) => errors.push(error);
  const down = createTypedValues({ store: { set: fail, get: fail, delete: fail }, clock, onError });
  await down.keep("form-1", typed("Rome"));
  expect(await down.typedFor(formRequest())).toEqual({});
  await down.forget("form-1");
  expect(errors.map(String)).toEqual(Array.from({ length: 3 }, () => "Error: the store is down"));
  const store = createMemoryDrafts(clock);
  await store.set(formRequest().elicitationId, "no JSON", clock.now() + 1000);
  expect(await createTypedValues({ store, clock, onError }).typedFor(formRequest())).toEqual({});
  expect(errors).toHaveLength(4);
});
