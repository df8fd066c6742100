import { randomBytes } from "node:crypto";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { Credential } from "../connect/ports/credentials.ts";
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
/** Collects the warnings of this process until the test ends. */
function warnings(): string[] {
  const told: string[] = [];
  const listen = (warning: Error): void => void told.push(warning.message);
  process.on("warning", listen);
  onTestFinished(() => void process.off("warning", listen));
  return told;
}
const newPath = (): string => join(newFolder(), "credentials");

test("stored credentials survive a restart, and deleted ones do not come back", async () => {
  const path = newPath();
  const before = await createFileCredentials({ path, key: KEY });
  await before.set("tracker", "ada", TOKEN);
  await before.set("tracker", "bob", { accessToken: "b" });
  await before.delete("tracker", "bob");
  const after = await createFileCredentials({ path, key: KEY.toString("base64") });
  expect(await after.get("tracker", "ada")).toEqual(TOKEN);
  expect(await after.get("tracker", "bob")).toBeUndefined();
});

test("a token is replaced only if it is still the stored one, also after a restart", async () => {
  const path = newPath();
  const store = await createFileCredentials({ path, key: KEY });
  const fresh = { ...TOKEN, accessToken: "fresh" };
  expect(await store.replace("tracker", "ada", TOKEN, fresh)).toBe(false);
  await store.set("tracker", "ada", TOKEN);
  // The second change sees the result of the first.
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

test("the file contains no readable credential or name, and only its owner may open it", async () => {
  const path = newPath();
  const store = await createFileCredentials({ path, key: KEY });
  await store.set("tracker", "ada", TOKEN);
  expect(readFileSync(path, "latin1")).not.toMatch(/very-secret|tracker|\bada\b/);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("the same content is encrypted differently every time", async () => {
  const path = newPath();
  const store = await createFileCredentials({ path, key: KEY });
  await store.set("tracker", "ada", TOKEN);
  const first = readFileSync(path);
  await store.set("tracker", "ada", TOKEN);
  expect(readFileSync(path).equals(first)).toBe(false);
});

test("opening the file with another key fails with an error that says so, and the file is unchanged", async () => {
  const path = newPath();
  await (await createFileCredentials({ path, key: KEY })).set("tracker", "ada", TOKEN);
  const file = readFileSync(path);
  await expect(createFileCredentials({ path, key: randomBytes(32) })).rejects.toThrow(
    `elicit-kit: ${path} was written with another key.`,
  );
  expect(readFileSync(path).equals(file)).toBe(true);
});

test("a file with any byte changed is refused", async () => {
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
])("%s is refused as a credentials file", async (_, content) => {
  const path = newPath();
  writeFileSync(path, content);
  await expect(createFileCredentials({ path, key: KEY })).rejects.toThrow("is not a credentials file");
});

test("concurrent changes are all kept, and leave one file", async () => {
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

test("no name of a tool or user can read the credentials of another one", async () => {
  const store = await createFileCredentials({ path: newPath(), key: KEY });
  await store.set("__proto__", "constructor", { accessToken: "1" });
  await store.set('a","b', "c", { accessToken: "2" });
  expect(await store.get("__proto__", "constructor")).toEqual({ accessToken: "1" });
  expect(await store.get("a", 'b","c')).toBeUndefined();
  expect(await store.get("toString", "")).toBeUndefined();
});

test("a folder that does not exist is made, for this user only", async () => {
  const folder = join(newFolder(), "later");
  const path = join(folder, "credentials");
  await (await createFileCredentials({ path, key: KEY })).set("tracker", "ada", TOKEN);
  expect(await (await createFileCredentials({ path, key: KEY })).get("tracker", "ada")).toEqual(TOKEN);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test("a failed write rejects, stores nothing, and does not block the next change", async () => {
  const folder = newFolder();
  const store = await createFileCredentials({ path: join(folder, "credentials"), key: KEY });
  rmSync(folder, { recursive: true });
  await expect(store.set("tracker", "ada", TOKEN)).rejects.toThrow("ENOENT");
  expect(await store.get("tracker", "ada")).toBeUndefined();
  await expect(store.set("tracker", "ada", TOKEN)).rejects.toThrow("ENOENT");
});

test("an unreadable file is an error, not an empty store", async () => {
  const folder = newFolder();
  await expect(createFileCredentials({ path: folder, key: KEY })).rejects.toThrow("EISDIR");
});

/** Steps of a write: the program stands still after one of them. */
const LAST_STEPS = {
  "creates the temporary file": "handle.writeFile = stay;",
  "writes half of it":
    "const { writeFile } = handle; handle.writeFile = (data) => writeFile.call(handle, data.subarray(100_000)).then(stay);",
  "writes all of it": "handle.sync = stay;",
  "syncs it to disk": "promises.rename = stay; syncBuiltinESMExports();",
};

/** A process that stores a credential, begins to store another one, and is killed after `lastStep`. */
async function killedAfter(lastStep: keyof typeof LAST_STEPS, path: string): Promise<void> {
  const program = `
    import { promises } from "node:fs";
    import { syncBuiltinESMExports } from "node:module";
    import { createFileCredentials } from ${JSON.stringify(new URL("file-credentials.ts", import.meta.url))};
    const store = await createFileCredentials(${JSON.stringify({ path, key: KEY.toString("base64") })});
    await store.set("tracker", "ada", { accessToken: "x".repeat(200_000), scope: "stored before it ${lastStep}" });
    const { open } = promises;
    const stay = () => new Promise(() => { console.log("killed here"); setInterval(() => {}, 60_000); });
    promises.open = async (...args) => {
      const handle = await open(...args);
      if (args[0].endsWith(".tmp")) { ${LAST_STEPS[lastStep]} }
      return handle;
    };
    syncBuiltinESMExports();
    await store.set("tracker", "ada", { accessToken: "x".repeat(200_000), scope: "never stored" });`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "close");
}

test.each(Object.keys(LAST_STEPS) as (keyof typeof LAST_STEPS)[])(
  "when a process is killed after it %s, the file is complete, and the next process removes the other one",
  async (lastStep) => {
    const path = newPath();
    await killedAfter(lastStep, path);
    expect(readdirSync(join(path, "..")).toSorted()).toEqual(["credentials", "credentials.tmp"]);
    const store = await createFileCredentials({ path, key: KEY });
    expect(readdirSync(join(path, ".."))).toEqual(["credentials"]);
    expect(await store.get("tracker", "ada")).toMatchObject({ scope: `stored before it ${lastStep}` });
  },
);

test("other files in the folder stay", async () => {
  const path = newPath();
  const others = [`${path}.backup.tmp`, `${path}.old`];
  for (const file of [`${path}.tmp`, ...others]) writeFileSync(file, "x");
  await createFileCredentials({ path, key: KEY });
  const left = readdirSync(join(path, "..")).map((name) => join(path, "..", name));
  expect(left.toSorted()).toEqual(others.toSorted());
});

test("a file that others can read is made private when it is opened, with a warning for the operator", async () => {
  const path = newPath();
  await (await createFileCredentials({ path, key: KEY })).set("tracker", "ada", TOKEN);
  const told = warnings();
  chmodSync(path, 0o644);
  const store = await createFileCredentials({ path, key: KEY });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await store.get("tracker", "ada")).toEqual(TOKEN);
  await expect.poll(() => told).toEqual([expect.stringContaining(`elicit-kit: ${path} could be read`)]);
  await createFileCredentials({ path, key: KEY });
  await new Promise((resolve) => setImmediate(resolve));
  expect(told).toHaveLength(1);
});

test("changes of another process are read and kept, and the operator gets one warning", async () => {
  const path = newPath();
  const told = warnings();
  const one = await createFileCredentials({ path, key: KEY });
  await one.set("tracker", "ada", TOKEN);
  const other = await createFileCredentials({ path, key: KEY });
  await other.set("tracker", "bob", { accessToken: "b" });
  await one.set("tracker", "cid", { accessToken: "c" });
  await other.delete("tracker", "ada");
  expect(await one.get("tracker", "ada")).toBeUndefined();
  expect(await one.replace("tracker", "ada", TOKEN, { accessToken: "stale" })).toBe(false);
  for (const store of [one, other, await createFileCredentials({ path, key: KEY })]) {
    expect(await store.get("tracker", "ada")).toBeUndefined();
    expect(await store.get("tracker", "bob")).toEqual({ accessToken: "b" });
    expect(await store.get("tracker", "cid")).toEqual({ accessToken: "c" });
  }
  await expect.poll(() => told).toHaveLength(2);
  expect(told[0]).toContain(`elicit-kit: another process has written ${path}`);
});

test("concurrent changes of two processes are all kept", async () => {
  const path = newPath();
  warnings();
  const one = await createFileCredentials({ path, key: KEY });
  const other = await createFileCredentials({ path, key: KEY });
  const people = Array.from({ length: 20 }, (_, index) => `user-${index}`);
  await Promise.all(
    people.map((user, index) => (index % 2 === 0 ? one : other).set("tracker", user, { accessToken: user })),
  );
  const after = await createFileCredentials({ path, key: KEY });
  expect(await Promise.all(people.map((user) => after.get("tracker", user)))).toEqual(
    people.map((accessToken) => ({ accessToken })),
  );
});

test.each<[string, (path: string) => void]>([
  ["an older copy", (path) => copyFileSync(`${path}.old`, path)],
  ["nothing", (path) => rmSync(path)],
])(
  "when %s is in place of the file, it is not overwritten: the change rejects and the error says what to do",
  async (_, roll) => {
    const path = newPath();
    const store = await createFileCredentials({ path, key: KEY });
    await store.set("tracker", "ada", TOKEN);
    copyFileSync(path, `${path}.old`);
    await store.set("tracker", "ada", { accessToken: "newer" });
    roll(path);
    const before = readdirSync(join(path, "..")).map((name) => [
      name,
      readFileSync(join(path, "..", name), "hex"),
    ]);
    await expect(store.set("tracker", "bob", TOKEN)).rejects.toThrow(
      /^elicit-kit: .*credentials has been (replaced by an older copy|deleted).*restart the process/,
    );
    expect(await store.get("tracker", "ada")).toEqual({ accessToken: "newer" });
    expect(await store.get("tracker", "bob")).toBeUndefined();
    expect(
      readdirSync(join(path, "..")).map((name) => [name, readFileSync(join(path, "..", name), "hex")]),
    ).toEqual(before);
  },
);
