import { expect, test } from "vitest";
import { createManualClock } from "../../base/testing/manual-clock.ts";
import { createMetadataCache } from "./metadata-cache.ts";

const HOST = "login.example.com";

function setUp() {
  const clock = createManualClock();
  const cache = createMetadataCache<string>(clock, 5 * 60_000);
  let reads = 0;
  let fault: Error | undefined;
  const read = async () => {
    reads += 1;
    if (fault !== undefined) throw fault;
    return `read ${reads}`;
  };
  return {
    clock,
    get: (key = "issuer", host = HOST) => cache.get(key, host, read),
    fail: (error: Error | undefined) => {
      fault = error;
    },
    forget: () => cache.forget("issuer"),
    reads: () => reads,
  };
}

test("two hundred views of a page with unreadable metadata cause one HTTP request to its host in ten seconds", async () => {
  const { get, fail, reads, clock } = setUp();
  fail(new Error("down"));
  for (let view = 0; view < 200; view += 1) await expect(get()).rejects.toThrow("down");
  expect(reads()).toBe(1);
  fail(undefined);
  clock.advance(10_000);
  expect(await get()).toBe("read 2");
});

test("simultaneous views of a page share one HTTP request for its metadata", async () => {
  const { get, reads } = setUp();
  expect(new Set(await Promise.all([get(), get(), get()]))).toEqual(new Set(["read 1"]));
  expect(reads()).toBe(1);
});

test("metadata is used for five minutes, unless it is dropped", async () => {
  const { get, clock, forget } = setUp();
  await get();
  clock.advance(5 * 60_000 - 1);
  expect(await get()).toBe("read 1");
  forget();
  expect(await get()).toBe("read 2");
  clock.advance(5 * 60_000);
  expect(await get()).toBe("read 3");
});

test("a host gets at most twenty failing HTTP requests a minute, however many URLs a server invents on it", async () => {
  const { get, fail, reads, clock } = setUp();
  expect(await get("known")).toBe("read 1");
  fail(new Error("no"));
  const views = Array.from({ length: 200 }, (_, view) => get(`made-up-${view}`).catch(String));
  const seen = await Promise.all(views);
  expect(reads()).toBe(21);
  expect(seen.at(-1)).toContain("too often");
  fail(undefined);
  // Other hosts, and URLs that the host has served before, are not affected.
  expect(await get("elsewhere", "other.example.com")).toBe("read 22");
  clock.advance(60_000);
  expect(await get("made-up-again")).toBe("read 23");
});

test("many failing HTTP requests do not stop sign-ins that have worked before", async () => {
  const { get, fail, clock } = setUp();
  await get();
  clock.advance(5 * 60_000);
  fail(new Error("no"));
  await Promise.all(Array.from({ length: 30 }, (_, view) => get(`made-up-${view}`).catch(String)));
  fail(undefined);
  expect(await get()).toBe("read 22");
});

test("the metadata of at most a hundred issuers is kept, and the oldest is dropped first", async () => {
  const { get, reads } = setUp();
  for (let index = 0; index <= 100; index += 1) await get(`issuer ${index}`, `host ${index}`);
  await get("issuer 1", "host 1");
  expect(reads()).toBe(101);
  await get("issuer 0", "host 0");
  expect(reads()).toBe(102);
});
