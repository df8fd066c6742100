import { expect, test } from "vitest";
import type { Credential } from "../../../src/connect/ports/credentials.ts";
import type { Transaction } from "../../../src/connect/ports/transactions.ts";
import type { PostgresPorts } from "../index.ts";
import { createTestDatabase, startPorts } from "../../../test/stages/postgres-database.ts";

const TOKEN: Credential = {
  accessToken: "at-1",
  refreshToken: "rt-1",
  account: "ada@example.com",
  connectedAt: Date.UTC(2026, 10, 3),
  binding: {
    serverUrl: "https://mcp.example.com/mcp",
    issuer: "https://as.example.com",
    resource: "https://mcp.example.com/mcp",
    clientId: "c-2",
    registeredClient: { clientSecret: "cs-2", authMethod: "client_secret_post" },
  },
};

test("all processes can read a stored credential, and the database holds it encrypted", async () => {
  const { url, query } = await createTestDatabase();
  const [here, there] = [await startPorts(url), await startPorts(url)];
  await here.credentials.set("tracker", "ada", TOKEN);
  await here.registrations.add("https://as.example.com", { clientId: "c-1", clientSecret: "cs-1" });
  await here.transactions.put("state-1", transaction({ data: { codeVerifier: "cv-1" } }));
  expect(await there.credentials.get("tracker", "ada")).toEqual(TOKEN);
  expect(await there.credentials.get("tracker", "bob")).toBeUndefined();
  const { rows } = await query("select sealed from elicit_kit.secrets");
  expect(rows).toHaveLength(3);
  for (const { sealed } of rows) {
    for (const secret of ["at-1", "rt-1", "example.com", "c-1", "cs-1", "cs-2", "cv-1"]) {
      expect(sealed.includes(secret)).toBe(false);
    }
  }
  await there.credentials.delete("tracker", "ada");
  expect(await here.credentials.get("tracker", "ada")).toBeUndefined();
});

test("user input and provider data are stored unchanged, with NUL and lone surrogates", async () => {
  const { url } = await createTestDatabase();
  const [here, there] = [await startPorts(url), await startPorts(url)];
  const odd = "a\u0000b \ud800 \udfff 🦊";
  await here.credentials.set(odd, odd, { accessToken: odd });
  await here.registrations.add(odd, { clientId: odd });
  await here.transactions.put(odd, transaction({ data: odd }));
  await here.drafts.set(odd, odd, Date.now() + 60_000);
  expect(await there.credentials.get(odd, odd)).toEqual({ accessToken: odd });
  expect(await there.registrations.get(odd)).toEqual({ clientId: odd });
  expect(await there.transactions.take(odd)).toMatchObject({ data: odd });
  expect(await there.drafts.get(odd)).toBe(odd);
});

test("of two simultaneous changes, only the one that is based on the stored credential is written", async () => {
  const { url } = await createTestDatabase();
  const [here, there] = [await startPorts(url), await startPorts(url)];
  await here.credentials.set("tracker", "ada", TOKEN);
  const done = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      (index % 2 === 0 ? here : there).credentials.replace("tracker", "ada", TOKEN, {
        accessToken: `new-${index}`,
      }),
    ),
  );
  expect(done.filter(Boolean)).toHaveLength(1);
  expect((await here.credentials.get("tracker", "ada"))?.accessToken).toBe(`new-${done.indexOf(true)}`);
  expect(await here.credentials.replace("tracker", "ada", TOKEN, undefined)).toBe(false);
  expect(await here.credentials.replace("tracker", "bob", TOKEN, TOKEN)).toBe(false);
  const current = { accessToken: `new-${done.indexOf(true)}` };
  expect(await there.credentials.replace("tracker", "ada", current, undefined)).toBe(true);
  expect(await here.credentials.get("tracker", "ada")).toBeUndefined();
});

test("only one process at a time refreshes a user's token", async () => {
  const { url } = await createTestDatabase();
  const [here, there] = [await startPorts(url), await startPorts(url)];
  let inside = 0;
  const seen: number[] = [];
  const work = async () => {
    inside += 1;
    seen.push(inside);
    await new Promise((resolve) => setTimeout(resolve, 5));
    inside -= 1;
  };
  await Promise.all(
    Array.from({ length: 8 }, (_, index) => exclusively(index % 2 === 0 ? here : there, work)),
  );
  expect(seen).toEqual(Array(8).fill(1));
  const failed = here.credentials.exclusively?.("tracker", "ada", () =>
    Promise.reject(new Error("no network")),
  );
  await expect(failed).rejects.toThrow("no network");
  await exclusively(there, work);
  expect(seen).toHaveLength(9);
});

test("secrets sealed with another key are refused and not overwritten", async () => {
  const { url } = await createTestDatabase();
  await (await startPorts(url)).credentials.set("tracker", "ada", TOKEN);
  const other = await startPorts(url, { key: Buffer.alloc(32, 8) });
  await expect(other.credentials.get("tracker", "ada")).rejects.toThrow(
    /^elicit-kit: .*stored with another key/,
  );
  await expect(other.credentials.replace("tracker", "ada", TOKEN, undefined)).rejects.toThrow("another key");
});

test("keys can be rotated while users stay connected: the first key encrypts, all keys decrypt", async () => {
  const { url, query } = await createTestDatabase();
  const [older, newer] = [Buffer.alloc(32, 8), Buffer.alloc(32, 9).toString("base64url")];
  const before = await startPorts(url, { key: older });
  await before.credentials.set("tracker", "ada", TOKEN);
  await before.credentials.set("tracker", "bob", TOKEN);
  await before.transactions.put("state-1", transaction());

  // Every process first gets the new key, so that no process finds a secret that it cannot decrypt.
  const during = await startPorts(url, { key: [older, newer] });
  const after = await startPorts(url, { key: [newer, older] });
  const old = (await query("select id, sealed from elicit_kit.secrets order by id")).rows;
  expect(await during.credentials.get("tracker", "ada")).toEqual(TOKEN);
  expect((await query("select id, sealed from elicit_kit.secrets order by id")).rows).toEqual(old);
  expect(await after.credentials.get("tracker", "ada")).toEqual(TOKEN);
  expect(await after.credentials.replace("tracker", "bob", TOKEN, { accessToken: "at-2" })).toBe(true);
  expect(await during.credentials.get("tracker", "ada")).toEqual(TOKEN);
  expect(await after.transactions.take("state-1")).toMatchObject({
    data: transaction().data,
  });

  const [, onlyNew] = [await before.close(), await startPorts(url, { key: newer })];
  expect(await onlyNew.credentials.get("tracker", "bob")).toEqual({ accessToken: "at-2" });
  // `after` encrypts it again, and then `during` does so with its first key.
  await expect(onlyNew.credentials.get("tracker", "ada")).rejects.toThrow("stored with another key");
  expect(await after.credentials.get("tracker", "ada")).toEqual(TOKEN);
  expect(await onlyNew.credentials.get("tracker", "ada")).toEqual(TOKEN);
});

test("when many processes read a secret with an older key at once, each gets it, and it can still be replaced", async () => {
  const { url } = await createTestDatabase();
  const [older, newer] = [Buffer.alloc(32, 8), Buffer.alloc(32, 9)];
  await (await startPorts(url, { key: older })).credentials.set("tracker", "ada", TOKEN);
  const { credentials } = await startPorts(url, { key: [newer, older] });
  const read = await Promise.all(Array.from({ length: 10 }, () => credentials.get("tracker", "ada")));
  expect(read).toEqual(Array.from({ length: 10 }, () => TOKEN));
  const only = await startPorts(url, { key: newer });
  expect(await only.credentials.replace("tracker", "ada", TOKEN, undefined)).toBe(true);
});

test("an empty list of keys is refused", async () => {
  await expect(startPorts("postgres://127.0.0.1:1/x", { key: [] })).rejects.toThrow(
    "elicit-kit: the key of createPostgresPorts is an empty list.",
  );
});

test("a row that was tampered with, or copied to another user, is refused", async () => {
  const { url, query } = await createTestDatabase();
  const ports = await startPorts(url);
  await ports.credentials.set("tracker", "ada", TOKEN);
  await query(
    `insert into elicit_kit.secrets (kind, id, sealed) select kind, '["[\\"tracker\\",\\"eve\\"]"]', sealed from elicit_kit.secrets`,
  );
  await expect(ports.credentials.get("tracker", "eve")).rejects.toThrow(
    /^elicit-kit: .*changed after it was stored/,
  );
  await query("update elicit_kit.secrets set sealed = set_byte(sealed, length(sealed) - 1, 0)");
  await expect(ports.credentials.get("tracker", "ada")).rejects.toThrow("changed after it was stored");
});

test("without a key, secrets are refused, and everything else works", async () => {
  const { url } = await createTestDatabase();
  const ports = await startPorts(url, { key: undefined });
  await expect(ports.credentials.set("tracker", "ada", TOKEN)).rejects.toThrow(
    /^elicit-kit: .*no key.*openssl rand/,
  );
  await expect(ports.transactions.take("state-1")).rejects.toThrow("no key");
  await ports.waiter.settle("e1", { outcome: "declined" });
});

test("processes that register a client at the same time all get the same client", async () => {
  const { url } = await createTestDatabase();
  const [here, there] = [await startPorts(url), await startPorts(url)];
  const clients = await Promise.all(
    ["a", "b", "c", "d"].map((clientId, index) =>
      (index % 2 === 0 ? here : there).registrations.add("as and server", { clientId }),
    ),
  );
  const [first] = clients;
  expect(clients).toEqual([first, first, first, first]);
  await here.registrations.remove("as and server", "another");
  expect(await there.registrations.get("as and server")).toEqual(first);
  await there.registrations.remove("as and server", first!.clientId);
  expect(await here.registrations.get("as and server")).toBeUndefined();
});

test("the return from a provider is accepted once, in one process, before it expires", async () => {
  const { url } = await createTestDatabase();
  const [here, there] = [await startPorts(url), await startPorts(url)];
  const trip = transaction();
  await here.transactions.put("state-1", trip);
  const taken = await Promise.all(
    [here, there, here, there].map(({ transactions }) => transactions.take("state-1")),
  );
  expect(taken.filter((one) => one !== undefined)).toEqual([trip]);
  await here.transactions.put("state-2", transaction({ expiresAt: Date.now() - 1000 }));
  expect(await there.transactions.take("state-2")).toBeUndefined();
});

test("text typed in one process is available in the other, encrypted, until it expires", async () => {
  const { url, query } = await createTestDatabase();
  const [here, there] = [await startPorts(url), await startPorts(url)];
  const soon = Date.now() + 60_000;
  await here.drafts.set("e-1", "Rom", soon);
  await there.drafts.set("e-1", "Rome", soon);
  await here.drafts.set("e-2", "Paris", Date.now() - 1000);
  expect(await here.drafts.get("e-1")).toBe("Rome");
  expect(await there.drafts.get("e-2")).toBeUndefined();
  const { rows } = await query("select sealed from elicit_kit.secrets");
  expect(rows.some(({ sealed }) => sealed.includes("Rom") || sealed.includes("Paris"))).toBe(false);
  expect(await there.cleanUp()).toBe(1);
  await there.drafts.delete("e-1");
  expect(await here.drafts.get("e-1")).toBeUndefined();
});

test("the write limit counts the writes of all processes together", async () => {
  const { url, query } = await createTestDatabase();
  const [here, there] = [await startPorts(url), await startPorts(url)];
  const results = await Promise.all(
    Array.from({ length: 12 }, async (_, index) =>
      (index % 2 === 0 ? here : there).writeLimit("user ada", 1, 10),
    ),
  );
  expect(results.filter(({ ok }) => ok)).toHaveLength(10);
  const refused = await there.writeLimit("user ada", 1, 10);
  if (refused.ok) throw new Error("it was not refused");
  expect(refused.retryAfter).toBeGreaterThan(0);
  expect(refused.retryAfter).toBeLessThanOrEqual(60);
  expect(await here.writeLimit("user bob", 10, 10)).toEqual({ ok: true });
  expect(await here.writeLimit("user cid", 11, 10)).toMatchObject({ ok: false });
  // Moves the stored times back by a minute.
  await query("update elicit_kit.uses set started_at = started_at - interval '61 seconds'");
  expect(await there.writeLimit("user ada", 9, 10)).toEqual({ ok: true });
  expect(await here.writeLimit("user ada", 2, 10)).toMatchObject({ ok: false });
});

async function exclusively({ credentials }: PostgresPorts, work: () => Promise<void>): Promise<void> {
  if (credentials.exclusively === undefined) throw new Error("the store has no lock");
  await credentials.exclusively("tracker", "ada", work);
}

function transaction(more: Partial<Transaction> = {}): Transaction {
  return {
    elicitationId: "e1",
    toolId: "tracker",
    userId: "ada",
    data: { codeVerifier: "verifier" },
    redirectUri: "https://auth.example.com/auth/callback",
    expiresAt: Date.now() + 600_000,
    ...more,
  };
}

test("all processes share a remembered answer, the database holds it encrypted, and a removed answer is gone", async () => {
  const { url, query } = await createTestDatabase();
  const here = await startPorts(url);
  const there = await startPorts(url);
  const answer = (key: string, city: string) => ({
    key,
    tool: { id: "weather", name: "weather" },
    message: "Where to?",
    content: { city },
    said: [["City", city]] as const,
    rememberedAt: Date.now(),
    expiresAt: Date.now() + 60_000,
  });
  await Promise.all([
    here.remembered?.put("ada", answer("k-1", "Lisbon")),
    there.remembered?.put("ada", answer("k-2", "Rome")),
  ]);
  const listed = await there.remembered?.list("ada");
  expect(listed?.map(({ key }) => key).toSorted()).toEqual(["k-1", "k-2"]);
  expect(await there.remembered?.list("bob")).toEqual([]);
  const { rows } = await query("select encode(sealed, 'escape') as text from elicit_kit.secrets");
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain("Lisbon");
  await there.remembered?.remove("ada", "k-1");
  expect((await here.remembered?.list("ada"))?.map(({ content }) => content)).toEqual([{ city: "Rome" }]);
  await here.remembered?.remove("ada", "k-2");
  expect((await query("select id from elicit_kit.secrets")).rows).toEqual([]);
});
