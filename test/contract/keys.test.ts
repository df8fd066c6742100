import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createRequestStates } from "../../extras/mcp-server/request-state.ts";
import { createRuntime } from "../../src/runtime/index.ts";
import { systemClock } from "../../src/base/clock.ts";
import { createFileCredentials } from "../../src/node/index.ts";
import { createPostgresPorts } from "../../extras/postgres/index.ts";

type Key = Uint8Array | string;

/** Each option that takes a key, and its name in the error. */
const OPTIONS: readonly [string, (key: Key) => unknown][] = [
  [
    "answerKey",
    (answerKey) =>
      createRuntime({ answerKey, authenticate: () => undefined, allowedOrigins: [], onError: () => {} }),
  ],
  ["stateKey", (stateKey) => createRequestStates(stateKey, systemClock)],
  ["the key of createFileCredentials", (key) => createFileCredentials({ path: "/nowhere/file", key })],
  [
    "the key of createPostgresPorts",
    (key) =>
      createPostgresPorts({
        connectionString: "postgres://127.0.0.1:1/x",
        retryForMs: 0,
        key,
        onError: () => {},
      }),
  ],
];

describe.each(OPTIONS)("the option %s", (name, create) => {
  test.each<[string, Key, string]>([
    ["hexadecimal", randomBytes(32).toString("hex"), "has 48 bytes"],
    ["too short", "c2hvcnQ=", "has 5 bytes"],
    ["empty", "", "has 0 bytes"],
    ["too many bytes", new Uint8Array(33), "has 33 bytes"],
    ["no base64", "päss", "is not base64"],
    ["not a key at all", 32 as unknown as string, "is number"],
  ])("refuses a key that is %s, with an error that describes the key", async (_, key, found) => {
    const created = async () => create(key);
    await expect(created).rejects.toThrow(
      `elicit-kit: ${name} must be 32 bytes, raw or as base64, such as \`openssl rand -base64 32\` prints. This one ${found}.`,
    );
  });

  test("accepts base64url", async () => {
    const key = Buffer.alloc(32, 0xfb).toString("base64url");
    const error: unknown = await (async () => create(key))().catch((reason: unknown) => reason);
    expect(String(error)).not.toContain("must be 32 bytes");
  });
});
