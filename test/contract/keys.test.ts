import { expect, test } from "vitest";
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

// src/base/key-bytes.test.ts has the other keys that are refused, and those that are accepted.
test.each(OPTIONS)(
  "the option %s refuses a key that is too short, with an error that describes the key",
  async (name, create) => {
    const created = async () => create("c2hvcnQ=");
    await expect(created).rejects.toThrow(
      `elicit-kit: ${name} must be 32 bytes, raw or as base64, such as \`openssl rand -base64 32\` prints. This one has 5 bytes.`,
    );
  },
);
