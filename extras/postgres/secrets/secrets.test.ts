import { expect, test } from "vitest";
import { readKeys, unsealed } from "./secrets.ts";

test("a secret that an earlier version stored can be read, but only in its own row", async () => {
  const stored = Buffer.from("TL2axCCYdwWK8MaPmceb3ZEAxRXV6qMQ7HlMqlohuN63A+bkL+aQlGI=", "base64");
  const [key] = readKeys(new Uint8Array(32).fill(8)) ?? [];
  if (key === undefined) throw new Error("no key");
  expect(await unsealed(stored, [key], "credential a")).toBe("t0ken");
  await expect(unsealed(stored, [key], "credential b")).rejects.toThrow("changed after it was stored");
});
