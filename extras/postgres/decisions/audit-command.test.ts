import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { createTestDatabase, startPorts } from "../../../test/stages/postgres-database.ts";
import { SECRETS_KEY } from "../../../test/stages/secrets-key.ts";
import { testRecord } from "../../../test/stages/test-ports.ts";
import { runAudit } from "../../cli/audit.ts";

const PROGRAM = fileURLToPath(new URL("../../cli/start.ts", import.meta.url));
const DAY = 24 * 60 * 60 * 1000;
const START = Date.parse("2026-01-01T00:00:00Z");

/** Runs the program in a process of its own, with its standard output in this file. */
async function auditTo(stdout: number, args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [PROGRAM, "audit", ...args], {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", stdout, "pipe"],
  });
  let err = "";
  child.stderr?.on("data", (text: Buffer) => (err += text.toString()));
  const [code] = await once(child, "close");
  return { code: Number(code), err };
}

/** Runs the command in this process. */
async function audit(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const written = { out: "", err: "" };
  const collect = (name: keyof typeof written) =>
    ((text: string, done?: () => void) => {
      written[name] += text;
      done?.();
      return true;
    }) as typeof process.stdout.write;
  vi.spyOn(process.stdout, "write").mockImplementation(collect("out"));
  vi.spyOn(process.stderr, "write").mockImplementation(collect("err"));
  for (const name of ["DATABASE_URL", "SECRETS_KEY"]) vi.stubEnv(name, env[name]);
  try {
    return { code: await runAudit(args), ...written };
  } finally {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  }
}

/** A log of four rows on four days, alternating between two users. */
async function setUp() {
  const { url, query } = await createTestDatabase();
  const { records, cleanUp, decisionLog } = await startPorts(url, { decisionLog: { content: true } });
  for (const day of [0, 1, 2, 3]) {
    const user = { id: day % 2 === 0 ? "ada" : "bob" };
    await records.create(testRecord({ id: `e${day + 1}`, user, createdAt: START + day * DAY }));
  }
  await cleanUp();
  return { url, query, decisionLog, env: { DATABASE_URL: url } };
}

function idsOf(lines: string): string[] {
  const rows = lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line): { elicitationId: string } => JSON.parse(line));
  return rows.map(({ elicitationId }) => elicitationId);
}

test("audit verify counts the rows, prints an anchor, and says which row was changed", async () => {
  const { query, env } = await setUp();
  const fine = await audit(["verify"], env);
  expect(fine).toEqual({
    code: 0,
    err: "",
    out: expect.stringMatching(/^Verified: 4 rows \(1 to 4\)\.\nAnchor: 4:[0-9a-f]{64}\n$/),
  });
  const anchor = /4:[0-9a-f]{64}/.exec(fine.out)?.[0] ?? "";
  expect(await audit(["verify", "--anchor", anchor], env)).toEqual(fine);
  expect((await audit(["verify", "--anchor", `4:${"a".repeat(64)}`], env)).out).toBe(
    "The chain is broken at row 4: this row is not the one of the anchor: the log was written anew.\n",
  );
  await query("update elicit_kit.decisions set entry = replace(entry, 'bob', 'eve') where seq = 2");
  expect(await audit(["verify"], env)).toEqual({
    code: 1,
    err: "",
    out: "The chain is broken at row 2: this row was changed, or the digest that row 3 has of it.\n",
  });
});

test("audit verify needs the key to tell pruned rows from removed ones", async () => {
  const { query, env, decisionLog } = await setUp();
  await decisionLog.prune(START + DAY);
  const withKey = { ...env, SECRETS_KEY };
  expect((await audit(["verify"], env)).out).toContain(
    "Not checked: whether pruning removed the rows before 2.",
  );
  expect((await audit(["verify"], withKey)).out).toMatch(/^Verified: 3 rows \(2 to 4\)\.\nAnchor: /);
  await query("delete from elicit_kit.decisions where seq = 2");
  await query("update elicit_kit.decisions_end set first = 3");
  expect(await audit(["verify"], withKey)).toMatchObject({
    code: 1,
    out: expect.stringMatching(
      /^The chain is broken at row 3: the rows before this one were removed, and no proof/,
    ),
  });
});

test("audit export prints the rows of a user and of a time range, and the export can be verified", async () => {
  const { env } = await setUp();
  const all = await audit(["export"], env);
  expect(idsOf(all.out)).toEqual(["e1", "e2", "e3", "e4"]);
  expect(all.out).not.toContain("Where to?");
  expect(idsOf((await audit(["export", "--user", "bob"], env)).out)).toEqual(["e2", "e4"]);
  const some = await audit(["export", "--from", "2026-01-02", "--to", "2026-01-04T00:00:00Z"], env);
  expect(idsOf(some.out)).toEqual(["e2", "e3"]);

  const folder = mkdtempSync(join(tmpdir(), "elicit-kit-audit-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "log.jsonl");
  const verify = (text: string) => {
    writeFileSync(file, text);
    return audit(["verify", "--file", file]);
  };
  expect((await verify(all.out)).out).toMatch(/^Verified: 4 rows \(1 to 4\)\.\n/);
  expect((await verify(some.out)).out).toMatch(/^Verified: 2 rows \(2 to 3\)\.\n/);
  expect(await verify(all.out.replace("bob", "eve"))).toMatchObject({ code: 1 });
  expect((await verify("[]")).err).toContain(`line 1 of ${file} is not a row of a decision log`);
});

test.each(["x", "null", "{}"])(
  "a row that was changed to %s does not verify, and is not exported",
  async (entry) => {
    const { query, env } = await setUp();
    await query("update elicit_kit.decisions set entry = $1 where seq = 3", [entry]);
    expect(await audit(["verify"], env)).toEqual({
      code: 1,
      out: "The chain is broken at row 3: this row was changed, so that it cannot be read.\n",
      err: "",
    });
    expect(await audit(["export"], env)).toEqual({
      code: 2,
      out: "",
      err: "elicit-kit: row 3 of the decision log cannot be read. It was changed: restore it from a backup.\n",
    });
  },
);

test("an export of a time range includes the rows in between, so that it can be verified", async () => {
  const { url, query, env } = await setUp();
  const time = "2026-01-05T00:00:00.000Z";
  const late = new Date(Date.parse(time) - 1).toISOString();
  const ids = ["before", "after", "before", "after"];
  const { decisionLog: log, cleanUp } = await startPorts(url, { decisionLog: {} });
  for (const [index, id] of ids.entries()) {
    await query(
      `insert into elicit_kit.waiting_decisions (person, at, entry) select '["ada","person"]', $1::timestamptz,
       json_build_object('at', $1::text, 'event', 'asked', 'elicitationId', $2::text, 'userId', 'ada')`,
      [id === "before" ? late : time, `${id}${index}`],
    );
  }
  await cleanUp();
  expect((await log.head()).seq).toBe(8);
  const { out } = await audit(["export", "--from", "2026-01-04", "--to", time], env);
  expect(idsOf(out)).toEqual(["e4", "before0", "after1", "before2"]);
  const next = await audit(["export", "--from", time], env);
  expect(idsOf(next.out)).toEqual(["after1", "before2", "after3"]);
  expect(idsOf((await audit(["export", "--from", time, "--user", "ada"], env)).out)).toEqual([
    "after1",
    "after3",
  ]);
});

test("an export that cannot be completed exits with 2", async () => {
  const { env } = await setUp();
  const full = openSync("/dev/full", "w");
  onTestFinished(() => closeSync(full));
  expect(await auditTo(full, ["export"], env)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^elicit-kit: the rows cannot be written: .*ENOSPC/),
  });
});

test("audit export opens content only with the key", async () => {
  const { env } = await setUp();
  const refused = await audit(["export", "--content"], env);
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("SECRETS_KEY") });
  const keys = `${Buffer.alloc(32, 1).toString("base64")},${SECRETS_KEY}`;
  const { out } = await audit(["export", "--content"], { ...env, SECRETS_KEY: keys });
  expect(out.match(/"message":"Where to\?"/g)).toHaveLength(4);
});

test("a database user who may only read can verify the decision log", async () => {
  const { url, query } = await setUp();
  const name = `auditor_${process.pid}_${Date.now()}`;
  await query(`create role ${name} login`);
  await query(`grant usage on schema elicit_kit to ${name}`);
  await query(
    `grant select on elicit_kit.decisions, elicit_kit.decisions_end, elicit_kit.waiting_decisions to ${name}`,
  );
  const database = Object.assign(new URL(url), { username: name }).href;
  const result = await audit(["verify", "--database", database]);
  await query(`drop owned by ${name}`);
  await query(`drop role ${name}`);
  expect(result).toMatchObject({ code: 0, err: "" });
});

test("audit exits with 2 and an error message", async () => {
  const { url } = await createTestDatabase();
  const wrong: readonly [readonly string[], RegExp][] = [
    [[], /^elicit-kit: Audit takes one of: verify, export\.\nSee elicit-kit audit --help/],
    [["verify", "--fast"], /^elicit-kit: Unknown option '--fast'/],
    [["verify", "--anchor", "4"], /--anchor is a row and its digest/],
    [["export", "--from", "yesterday"], /--from must be like 2026-01-31/],
    [["export", "--from", "2026-01-31T12:00:00"], /--from must be like 2026-01-31/],
    [["verify"], /^elicit-kit: No database is named/],
    [
      ["verify", "--schema", "other", "--database", url],
      /^elicit-kit: the schema "other" .* no decision log/,
    ],
    [["verify", "--database", "postgres://127.0.0.1:1/x"], /^elicit-kit: nothing listens/],
  ];
  for (const [args, words] of wrong) {
    const result = await audit(args);
    expect(result).toMatchObject({ code: 2, out: "" });
    expect(result.err).toMatch(words);
  }
});
