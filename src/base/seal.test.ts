import { expect, test } from "vitest";
import { newSecret } from "./ids.ts";
import { type SealedStatement, challengeOf, hmac, readSeal, seal } from "./seal.ts";

const statement: SealedStatement = { purpose: "vouch", elicitationId: "e1", subject: "s1" };

test("the expiry of a seal can be read only with its key and its statement", async () => {
  const key = newSecret();
  const sealed = await seal(key, statement, 1000);
  expect(sealed).toMatch(/^1000\.[\w-]{43}$/);
  expect(await readSeal(key, statement, sealed)).toBe(1000);
  const others: [string, SealedStatement, string][] = [
    [newSecret(), statement, sealed],
    [key, { ...statement, purpose: "bind" }, sealed],
    [key, { ...statement, purpose: "page" }, sealed],
    [key, { ...statement, elicitationId: "e2" }, sealed],
    [key, { ...statement, subject: "s2" }, sealed],
    [key, statement, sealed.replace("1000", "1001")],
    [key, statement, sealed.replace("1000", "01000")],
    [key, statement, `${sealed}x`],
    [key, statement, sealed.slice(0, -1)],
    [key, statement, ""],
  ];
  for (const [otherKey, says, text] of others) expect(await readSeal(otherKey, says, text)).toBeUndefined();
});

test("a challenge is bound to one kind, one request and one secret", async () => {
  const all = await Promise.all([
    challengeOf("vouch", "e1", "s1"),
    challengeOf("bind", "e1", "s1"),
    challengeOf("vouch", "e2", "s1"),
    challengeOf("vouch", "e1", "s2"),
  ]);
  expect(new Set(all).size).toBe(4);
  expect(all[0]).toMatch(/^[\w-]{43}$/);
});

test.each(["", "k", "k".repeat(42)])("signing with an invalid key is refused: %j", async (key) => {
  await expect(hmac(key, "text")).rejects.toThrow("elicit-kit: the key of a MAC must be 32 bytes");
  await expect(readSeal(key, statement, "1.x")).rejects.toThrow("elicit-kit: the key of a MAC");
});
