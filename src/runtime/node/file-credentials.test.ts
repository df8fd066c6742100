import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { Credential } from "../core/index.ts";
import { createFileCredentials } from "./index.ts";

const KEY = randomBytes(32);
const TOKEN: Credential = {
  accessToken: "at-very-secret",
  refreshToken: "rt-very-secret",
  expiresAt: 1,
  scope: "a b",
};

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "elicit-kit-credentials-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
const newPath = (): string => join(newFolder(), "credentials");

test("what was stored is there after a restart, and what was deleted is not", async () => {
  const path = newPath();
  const before = await createFileCredentials({ path, key: KEY });
  await before.set("tracker", "ada", TOKEN);
  await before.set("tracker", "bob", { accessToken: "b" });
  await before.delete("tracker", "bob");
  const after = await createFileCredentials({ path, key: KEY.toString("base64") });
  expect(await after.get("tracker", "ada")).toEqual(TOKEN);
  expect(await after.get("tracker", "bob")).toBeUndefined();
});

test("a token is replaced only while it is the one that is stored, and the file tells the same after a restart", async () => {
  const path = newPath();
  const store = await createFileCredentials({ path, key: KEY });
  const fresh = { ...TOKEN, accessToken: "fresh" };
  expect(await store.replace("tracker", "ada", TOKEN, fresh)).toBe(false);
  await store.set("tracker", "ada", TOKEN);
  // The one that comes second finds what the first has left.
  expect(
    await Promise.all([
      store.replace("tracker", "ada", TOKEN, fresh),
      store.replace("tracker", "ada", TOKEN, undefined),
    ]),
  ).toEqual([true, false]);
  expect(await (await createFileCredentials({ path, key: KEY })).get("tracker", "ada")).toEqual(fresh);
  const gone = Promise.all([store.delete("tracker", "ada"), store.replace("tracker", "ada", fresh, TOKEN)]);
  expect(await gone).toEqual([undefined, false]);
  expect(await (await createFileCredentials({ path, key: KEY })).get("tracker", "ada")).toBeUndefined();
});

test("nothing of a credential or a name can be read in the file, and only its owner may open it", async () => {
  const path = newPath();
  const store = await createFileCredentials({ path, key: KEY });
  await store.set("tracker", "ada", TOKEN);
  expect(readFileSync(path, "latin1")).not.toMatch(/very-secret|tracker|ada/);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("the same content looks different every time it is written", async () => {
  const path = newPath();
  const store = await createFileCredentials({ path, key: KEY });
  await store.set("tracker", "ada", TOKEN);
  const first = readFileSync(path);
  await store.set("tracker", "ada", TOKEN);
  expect(readFileSync(path).equals(first)).toBe(false);
});

test("another key is refused with words that say so, and the file is left as it was", async () => {
  const path = newPath();
  await (await createFileCredentials({ path, key: KEY })).set("tracker", "ada", TOKEN);
  const file = readFileSync(path);
  await expect(createFileCredentials({ path, key: randomBytes(32) })).rejects.toThrow(
    `elicit-kit: ${path} was written with another key.`,
  );
  expect(readFileSync(path).equals(file)).toBe(true);
});

test("a file that was changed anywhere is refused", async () => {
  const path = newPath();
  await (await createFileCredentials({ path, key: KEY })).set("tracker", "ada", TOKEN);
  const good = readFileSync(path);
  await fc.assert(
    fc.asyncProperty(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
      const bad = Buffer.from(good);
      bad[at] = (bad[at] ?? 0) ^ by;
      writeFileSync(path, bad);
      await expect(createFileCredentials({ path, key: KEY })).rejects.toThrow(`elicit-kit: ${path} `);
    }),
    { numRuns: Number(process.env["FC_RUNS"] ?? 300) },
  );
});

test.each([
  ["nothing", ""],
  ["a plain file", '[["x",{"accessToken":"y"}]]'],
])("%s is no credentials file", async (_, content) => {
  const path = newPath();
  writeFileSync(path, content);
  await expect(createFileCredentials({ path, key: KEY })).rejects.toThrow("is not a credentials file");
});

test.each<[string, string | Uint8Array, number]>([
  ["a password", "correct horse battery staple", 18],
  ["sixteen bytes", randomBytes(16), 16],
  ["nothing", "", 0],
])("%s is no key", async (_, key, length) => {
  await expect(createFileCredentials({ path: newPath(), key })).rejects.toThrow(
    `This one has ${length} bytes.`,
  );
});

test("changes that are made at once are all kept, and leave one file", async () => {
  const path = newPath();
  const store = await createFileCredentials({ path, key: KEY });
  const people = Array.from({ length: 20 }, (_, index) => `user-${index}`);
  await Promise.all(people.map((user) => store.set("tracker", user, { accessToken: user })));
  const after = await createFileCredentials({ path, key: KEY });
  expect(await Promise.all(people.map((user) => after.get("tracker", user)))).toEqual(
    people.map((accessToken) => ({ accessToken })),
  );
  expect(readdirSync(join(path, ".."))).toEqual(["credentials"]);
});

test("tools and people may be called anything without reaching one another", async () => {
  const store = await createFileCredentials({ path: newPath(), key: KEY });
  await store.set("__proto__", "constructor", { accessToken: "1" });
  await store.set('a","b', "c", { accessToken: "2" });
  expect(await store.get("__proto__", "constructor")).toEqual({ accessToken: "1" });
  expect(await store.get("a", 'b","c')).toBeUndefined();
  expect(await store.get("toString", "")).toBeUndefined();
});

test("what could not be written rejects, is not there, and does not stop the next change", async () => {
  const path = join(newFolder(), "later", "credentials");
  const store = await createFileCredentials({ path, key: KEY });
  await expect(store.set("tracker", "ada", TOKEN)).rejects.toThrow("ENOENT");
  expect(await store.get("tracker", "ada")).toBeUndefined();
  await expect(store.set("tracker", "ada", TOKEN)).rejects.toThrow("ENOENT");
});

test("a file that may not be read is an error, not an empty store", async () => {
  const folder = newFolder();
  await expect(createFileCredentials({ path: folder, key: KEY })).rejects.toThrow("EISDIR");
});
