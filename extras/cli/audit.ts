import { once } from "node:events";
import { parseArgs } from "node:util";
import type { Decision, ChainEnd } from "../audit/decision.ts";
import type { DecisionLog } from "../audit/log.ts";
import { KitError } from "../../src/contract/kit-error.ts";
import { verifyDecisions } from "../audit/verify.ts";
import { openDecisionLog } from "../postgres/decisions/open-decision-log.ts";
import { lineOf, readExport } from "./audit-export.ts";

const USAGE = `elicit-kit audit verify [options]
elicit-kit audit export [options]

Reads the decision log that createPostgresPorts({ decisionLog }) writes.

verify checks that no row was changed, removed or moved, and says where the chain breaks.
  --anchor <row>:<digest>  The log must still have this row. verify prints one at its end.
  --file <file>            Checks an export instead of a database, but not its content.
  With the key of createPostgresPorts in SECRETS_KEY (several with a comma), it also
  checks that rows that are gone from the start were pruned.

export prints rows as JSON lines, the oldest first.
  --from <time>, --to <time>  Rows from this time on, and before that one: 2026-01-31,
                              or RFC 3339. Also what was chained between them, so that
                              the export can be verified.
  --user <id>                 Rows of one user.
  --content                   Opens the content that is kept. Needs the key of
                              createPostgresPorts in SECRETS_KEY; several with a comma.

Both:
  --database <url>  Connection string of PostgreSQL. Default: DATABASE_URL.
  --schema <name>   Default: elicit_kit.

Exit code: 0 when it is done, 1 when the chain is broken, 2 when nothing could be read.
`;

const PAGE = 1000;

/** A mistake on the command line. The message says how to fix it. */
class UsageError extends Error {}

type Options = ReturnType<typeof parse>["values"];

const COMMANDS: Readonly<Record<string, (options: Options) => Promise<number>>> = {
  verify: runVerify,
  export: runExport,
};

/** Runs `elicit-kit audit`. @returns its exit code */
export async function runAudit(args: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parse(args);
    const [name = "", ...more] = positionals;
    if (values.help === true) {
      process.stdout.write(USAGE);
      return 0;
    }
    const run = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (run === undefined || more.length > 0) {
      throw new UsageError("Audit takes one of: verify, export.");
    }
    return await run(values);
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`elicit-kit: ${error.message}\nSee elicit-kit audit --help.\n`);
    } else if (error instanceof KitError) process.stderr.write(`${error.message}\n`);
    else process.stderr.write(`elicit-kit: ${messageOf(error)}\n`);
    return 2;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        database: { type: "string" },
        schema: { type: "string", default: "elicit_kit" },
        file: { type: "string" },
        anchor: { type: "string" },
        from: { type: "string" },
        to: { type: "string" },
        user: { type: "string" },
        content: { type: "boolean", default: false },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

async function runVerify(options: Options): Promise<number> {
  const anchor = options.anchor === undefined ? undefined : readAnchor(options.anchor);
  const verify = (log: DecisionLog) => verifyDecisions(log, { anchor });
  const result =
    options.file === undefined
      ? await withLog(options, keysFromEnv(), verify)
      : await verify(await readExport(options.file));
  if (!result.ok) {
    process.stdout.write(`The chain is broken at row ${result.seq}: ${result.problem}.\n`);
    return 1;
  }
  const { first, seq, digest, rows, waiting, isStartProven } = result;
  const range = rows === 0 ? "" : ` (${first} to ${seq})`;
  process.stdout.write(`Verified: ${rows} rows${range}.\n`);
  if (!isStartProven && options.file === undefined) {
    process.stdout.write(
      `Not checked: whether pruning removed the rows before ${first}. That needs the key of createPostgresPorts in SECRETS_KEY.\n`,
    );
  }
  if (waiting > 0) process.stdout.write(`${waiting} more rows wait for their place in the chain.\n`);
  process.stdout.write(`Anchor: ${seq}:${digest}\n`);
  return 0;
}

async function runExport(options: Options): Promise<number> {
  const { user, content } = options;
  const from = readTime("--from", options.from);
  const to = readTime("--to", options.to);
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // A reader such as `head` may close the pipe early.
    if (error.code === "EPIPE") process.exit(0);
    process.stderr.write(`elicit-kit: the rows cannot be written: ${error.message}\n`);
    process.exit(2);
  });
  return withLog(options, content ? readKey() : undefined, async (log) => {
    for (let after = 0; ;) {
      const rows = await log.read({ after, limit: PAGE, from, to, userId: user, content });
      for (const row of rows) {
        if (user === undefined && after > 0) await printBetween(log, after, row.seq, content);
        await print([row]);
        after = row.seq;
      }
      if (rows.length === 0) return 0;
    }
  });
}

/**
 * Prints the rows between two rows. Places follow the times of rows only roughly, so a row just outside the time range
 * may stand between two rows of the export.
 */
async function printBetween(log: DecisionLog, first: number, last: number, content: boolean): Promise<void> {
  for (let after = first; after < last - 1;) {
    const rows = await log.read({ after, limit: Math.min(PAGE, last - 1 - after), content });
    const between = rows.filter(({ seq }) => seq < last);
    await print(between);
    after = between.at(-1)?.seq ?? last;
  }
}

async function print(rows: readonly Decision[]): Promise<void> {
  const lines = rows.map(lineOf).join("");
  if (!process.stdout.write(lines)) await once(process.stdout, "drain");
}

async function withLog<Result>(
  { database = process.env["DATABASE_URL"], schema }: Options,
  key: readonly string[] | undefined,
  use: (log: DecisionLog) => Promise<Result>,
): Promise<Result> {
  if (database === undefined || database === "") {
    throw new UsageError("No database is named. Pass --database, or set DATABASE_URL.");
  }
  const { log, close } = await openDecisionLog({ connectionString: database, schema, key });
  try {
    return await use(log);
  } finally {
    await close();
  }
}

function keysFromEnv(): readonly string[] | undefined {
  const keys = (process.env["SECRETS_KEY"] ?? "").split(",").filter((key) => key !== "");
  return keys.length > 0 ? keys : undefined;
}

function readKey(): readonly string[] {
  const keys = keysFromEnv();
  if (keys !== undefined) return keys;
  throw new UsageError("--content needs the key of createPostgresPorts in SECRETS_KEY.");
}

function readAnchor(text: string): ChainEnd {
  const [, seq, digest] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (seq !== undefined && digest !== undefined) return { seq: Number(seq), digest };
  throw new UsageError(`--anchor is a row and its digest, as verify prints them, but it is: ${text}`);
}

function readTime(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  // A time without an offset would mean another time on each machine.
  const isTime = /^\d{4}-\d{2}-\d{2}(?:T.*(?:Z|[+-]\d{2}:\d{2}))?$/i.test(text);
  const time = isTime ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new UsageError(`${option} must be like 2026-01-31 or 2026-01-31T12:00:00Z, but it is: ${text}`);
}
