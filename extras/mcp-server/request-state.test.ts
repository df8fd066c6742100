import { describe, expect, test } from "vitest";
import { createManualClock } from "../../src/base/testing/manual-clock.ts";
import { RequestStateError, createRequestStates } from "./request-state.ts";

const KEY = new Uint8Array(32).fill(7);
const BINDING = { userId: "ada", clientId: "code", call: "ask" };

function states({ key }: { key?: Uint8Array | string | undefined } = { key: KEY }) {
  const clock = createManualClock();
  return { clock, ...createRequestStates(key, clock) };
}

describe("the sealed state of a call", () => {
  test("can be opened again, even if it is large", async () => {
    const { seal, open, clock } = states();
    for (const payload of [{ turnId: "t1" }, "é\u2028", ["x".repeat(50_000)]]) {
      expect(await open(await seal(payload, BINDING, clock.now() + 1), BINDING)).toEqual(payload);
    }
  });

  test("can be opened if an earlier version has sealed it", async () => {
    const { open } = createRequestStates(new Uint8Array(32).fill(8), {
      ...createManualClock(),
      now: () => 0,
    });
    const state = "ek1.HMniuQqt.R5gA-qb7RpJzJ6mg4YJMUYCoFrjLaTWfX4QHvhrnfFneGotcwVGc";
    expect(await open(state, { userId: "ada", clientId: undefined, call: "c" })).toEqual({ a: 1 });
  });

  test("is different each time the same value is sealed", async () => {
    const { seal, clock } = states();
    const [a, b] = await Promise.all([seal(1, BINDING, clock.now() + 1), seal(1, BINDING, clock.now() + 1)]);
    expect(a).not.toBe(b);
  });

  test.each([
    ["another person", { ...BINDING, userId: "bob" }],
    ["no person", { ...BINDING, userId: undefined }],
    ["another client", { ...BINDING, clientId: "other" }],
    ["another call", { ...BINDING, call: "other" }],
    ["names that read the same when joined", { userId: "ad", clientId: "acode", call: "ask" }],
  ])("cannot be opened for %s", async (_, binding) => {
    const { seal, open, clock } = states();
    const state = await seal(1, BINDING, clock.now() + 1);
    await expect(open(state, binding)).rejects.toThrow("belongs to another user, client or call");
  });

  test("cannot be opened when any character has changed", async () => {
    const { seal, open, clock } = states();
    const state = await seal({ a: 1 }, BINDING, clock.now() + 1);
    // The last base64 character may contain unused bits.
    for (let at = 0; at < state.length - 1; at += 1) {
      const changed = `${state.slice(0, at)}${state[at] === "x" ? "y" : "x"}${state.slice(at + 1)}`;
      await expect(open(changed, BINDING)).rejects.toBeInstanceOf(RequestStateError);
    }
  });

  test("can be opened only until it expires", async () => {
    const { seal, open, clock } = states();
    const state = await seal(1, BINDING, clock.now() + 1000);
    clock.advance(999);
    expect(await open(state, BINDING)).toBe(1);
    clock.advance(1);
    await expect(open(state, BINDING)).rejects.toThrow("has expired");
  });

  test("causes one error if it has another key, and another one if it is forged", async () => {
    const { seal, clock } = states();
    const state = await seal(1, BINDING, clock.now() + 1);
    await expect(states({ key: new Uint8Array(32) }).open(state, BINDING)).rejects.toThrow(
      "another `stateKey`",
    );
    await expect(states({}).open(state, BINDING)).rejects.toThrow("pass the same `stateKey`");
  });
});

test("the key of sealed states must be 32 bytes, raw or in base64", async () => {
  const raw = states();
  const state = await raw.seal(1, BINDING, raw.clock.now() + 1);
  expect(await states({ key: btoa(String.fromCharCode(...KEY)) }).open(state, BINDING)).toBe(1);
  for (const key of ["", "short", "!", new Uint8Array(16)]) {
    expect(() => states({ key })).toThrow("stateKey must be 32 bytes");
  }
});
