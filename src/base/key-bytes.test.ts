import { expect, test } from "vitest";
import fc from "fast-check";
import { keyBytes } from "./encryption.ts";

test("a key is 32 bytes, raw or in base64 of any kind", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const text = Buffer.from(bytes).toString("base64");
      for (const key of [bytes, text, `${text}\n`, Buffer.from(bytes).toString("base64url")]) {
        expect(keyBytes(key, "answerKey")).toEqual(bytes);
      }
    }),
  );
});

test("later changes to the bytes do not change the key", () => {
  const given = new Uint8Array(32);
  const key = keyBytes(given, "answerKey");
  given.fill(1);
  expect(key).toEqual(new Uint8Array(32));
});

test.each<[unknown, string]>([
  [new Uint8Array(31), "This one has 31 bytes."],
  [new Uint8Array(33), "This one has 33 bytes."],
  ["0".repeat(64), "This one has 48 bytes."],
  ["c2hvcnQ=", "This one has 5 bytes."],
  ["", "This one has 0 bytes."],
  ["correct horse!", "This one is not base64."],
  ["päss", "This one is not base64."],
  [32, "This one is number."],
])("an invalid key is refused with the reason: %o", (key, reason) => {
  expect(() => keyBytes(key as string, "answerKey")).toThrow(
    `elicit-kit: answerKey must be 32 bytes, raw or as base64, such as \`openssl rand -base64 32\` prints. ${reason}`,
  );
});
