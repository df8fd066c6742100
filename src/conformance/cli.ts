import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs, styleText } from "node:util";
import { type CaseResult, runCase } from "./case.ts";
import { conformanceCases } from "./index.ts";
import { readHooks } from "./read-hooks.ts";
import { jsonReport, tableReport } from "./report.ts";
import type { ConformanceHooks } from "./target.ts";
import { visibleText } from "./visible-text.ts";

const USAGE = `elicit-kit conformance <baseUrl> [--hooks <file>] [--only <start of id>] [--json]

Checks a server against the contract, over HTTP. <baseUrl> is where the routes of the
contract are, such as https://chat.example.com/run/api.

  --hooks  A module whose default export holds what the cases need to know about this
           server: two people, the messages that make its agent ask, and so on. The type
           is ConformanceHooks of elicit-kit/conformance. A case whose hook is missing is
           reported as not checked.
  --only   Checks the cases whose id starts like this: answers, streams/two.
  --json   Prints one JSON object at the end instead of a table: { api, passed, failed,
           notChecked, cases: [{ id, rule, status, detail? }] }.

A server that limits writes slows the check down: the cases wait as its 429 says.

Exit code: 0 when no case failed and at least one passed, 1 otherwise, 2 when nothing
could be checked at all.
`;

/** A mistake on the command line; the message says how to mend it. */
class UsageError extends Error {}

interface Task {
  readonly api: string;
  readonly hooks: ConformanceHooks;
  readonly only: string;
  readonly json: boolean;
}

async function main(): Promise<number> {
  const task = await readArguments();
  if (task === undefined) {
    process.stdout.write(USAGE);
    return 0;
  }
  const { api, hooks, only, json } = task;
  const cases = conformanceCases.filter(({ id }) => id.startsWith(only));
  if (cases.length === 0) throw new UsageError(`No case has an id that starts with "${only}".`);
  await reach(api);

  const ids = cases.map(({ id }) => id);
  const report = json ? jsonReport(api) : tableReport(ids, styleText);
  const results: CaseResult[] = [];
  process.stdout.write(report.head());
  for (const testCase of cases) {
    const result = await runCase(testCase, { api, hooks });
    results.push(result);
    process.stdout.write(report.row(result));
  }
  process.stdout.write(report.foot(results));
  const isFine = results.every(({ status }) => status !== "failed");
  return isFine && results.some(({ status }) => status === "passed") ? 0 : 1;
}

/** What the command line asks for; `undefined` when it is only help. */
async function readArguments(): Promise<Task | undefined> {
  const { values, positionals } = parse();
  const [command, baseUrl, ...more] = positionals;
  if (values.help === true || command === undefined) return undefined;
  if (command !== "conformance") throw new UsageError(`There is no command "${command}".`);
  if (baseUrl === undefined || more.length > 0) throw new UsageError("Give one base URL.");
  if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new UsageError(`This is not an http or https address: ${baseUrl}`);
  }
  const { hooks, only = "", json = false } = values;
  return {
    api: baseUrl.replace(/\/+$/, ""),
    hooks: hooks === undefined ? {} : await loadHooks(hooks),
    only,
    json,
  };
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        hooks: { type: "string" },
        only: { type: "string" },
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

async function loadHooks(file: string): Promise<ConformanceHooks> {
  try {
    const module: { default?: unknown } = await import(pathToFileURL(resolve(file)).href);
    return readHooks(module.default);
  } catch (error) {
    throw new UsageError(`${file} could not be used: ${messageOf(error)}`);
  }
}

/** Reports a wrong address once, before each case would do so. */
async function reach(api: string): Promise<void> {
  const url = `${api}/elicitations?conversationId=conformance`;
  let status: number;
  try {
    const response = await fetch(url);
    await response.body?.cancel();
    ({ status } = response);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new UsageError(`${api} cannot be reached: GET ${url}: ${messageOf(cause)}`);
  }
  if (status === 404) {
    throw new UsageError(
      `${api} has no route /elicitations. Give the base of the routes, such as …/run/api.`,
    );
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Runs the program. @returns its exit code */
export async function runCli(): Promise<number> {
  try {
    return await main();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`elicit-kit: ${visibleText(error.message)}\nSee elicit-kit --help.\n`);
    return 2;
  }
}
