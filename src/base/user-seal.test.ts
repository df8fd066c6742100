import { expect, test } from "vitest";
import type { User } from "./identity.ts";
import { createUserSeals } from "./user-seal.ts";

const KEY = new Uint8Array(32).fill(7);
const ADA = { id: "ada", name: "Ada", account: "ada@acme.example" };
const STATEMENT = { purpose: "vouch", subject: "a challenge" } as const;

test("an encrypted user can be read by every process with the key, and not without the key", async () => {
  const sealed = await createUserSeals(KEY).seal(ADA, STATEMENT, 1000);
  expect(await createUserSeals(KEY).read(sealed, STATEMENT)).toEqual({ user: ADA, expiresAt: 1000 });
  expect(sealed).toMatch(/^[\w-]+$/);
  expect(atob(sealed.replaceAll("-", "+").replaceAll("_", "/"))).not.toContain("ada");
  expect(await createUserSeals(undefined).read(sealed, STATEMENT)).toBeUndefined();
});

test("a user whose name is null can be encrypted", async () => {
  const seals = createUserSeals(KEY);
  const ada: User = JSON.parse('{"id":"ada","name":null,"account":null}');
  expect(await seals.read(await seals.seal(ada, STATEMENT, 1000), STATEMENT)).toEqual({
    user: { id: "ada" },
    expiresAt: 1000,
  });
});

test("an encrypted user has a shortened name and account if these are too long", async () => {
  const seals = createUserSeals(KEY);
  const ada = { id: "ada".repeat(100), name: "\u0000".repeat(3000), account: "😀".repeat(3000) };
  expect(await seals.read(await seals.seal(ada, STATEMENT, 1000), STATEMENT)).toEqual({
    user: { id: ada.id, name: "\u0000".repeat(200), account: "😀".repeat(200) },
    expiresAt: 1000,
  });
});

test("an encrypted user is accepted only for the browser and purpose that it was made for", async () => {
  const seals = createUserSeals(KEY);
  const sealed = await seals.seal({ id: "ada" }, STATEMENT, 1000);
  expect(await seals.read(sealed, STATEMENT)).toEqual({ user: { id: "ada" }, expiresAt: 1000 });
  expect(await seals.read(sealed, { ...STATEMENT, subject: "another challenge" })).toBeUndefined();
  expect(await seals.read(sealed, { ...STATEMENT, purpose: "page" })).toBeUndefined();
  const changed = (sealed.startsWith("A") ? "B" : "A") + sealed.slice(1);
  for (const forged of ["", "a", "%", sealed.slice(0, 12), "x".repeat(5000), changed])
    expect(await seals.read(forged, STATEMENT)).toBeUndefined();
});

test("a user that an earlier version has encrypted can still be read", async () => {
  const seals = createUserSeals(new Uint8Array(32).fill(8));
  const sealed = "T-gxC1s_hZmm5a_7rm7R0mtRs2BBhzsXcfpMVD3iaMCZiZCCYevT2uFk4Ys";
  const read = await seals.read(sealed, { purpose: "vouch", subject: "s" });
  expect(read).toEqual({ user: { id: "ada" }, expiresAt: 5 });
});
