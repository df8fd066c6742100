import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs, styleText } from "node:util";
import { type CaseResult, type ConformanceLevel, runCase } from "./case.ts";
import { conformanceCases } from "./index.ts";
import { readHooks } from "./read-hooks.ts";
import { jsonReport, tableReport } from "./report.ts";
import { redirectOrigin, visibleText } from "./reply.ts";
import type { ConformanceHooks } from "./target.ts";

const USAGE = `elicit-kit conformance <baseUrl> [--hooks <file>] [--level basic|full] [--only <start of id>] [--json]

Checks a server against the contract, over HTTP. <baseUrl> is where the routes of the
contract are, such as https://chat.example.com/run/api.

  --hooks  A module whose default export holds what the cases need to know about this
           server: two people, the messages that make its agent ask, and so on. The type
           is ConformanceHooks of elicit-kit/conformance. A case whose hook is missing is
           reported as not checked; without any hook no case can run.
  --level  How much of the contract is checked. basic: the stream, the header and the
           answer route. full: all of it. Default: full where the server has the route
           /elicitations, else basic; the first line says which.
  --only   Checks the cases whose id starts like this: answers, streams/two.
  --json   Prints one JSON object at the end instead of a table: { api, level, passed,
           failed, notChecked, cases: [{ id, rule, status, detail? }] }.

A server that limits writes slows the check down: the cases wait as its 429 says.

Exit code: 0 when no case failed and at least one passed, 1 otherwise, 2 when nothing
could be checked at all.
`;

/** A mistake on the command line. The message says how to fix it. */
class UsageError extends Error {}

interface Task {
  readonly api: string;
  readonly hooks: ConformanceHooks;
  /** `undefined`: the level that the server offers. */
  readonly level: ConformanceLevel | undefined;
  readonly only: string;
  readonly json: boolean;
}

async function main(args: readonly string[]): Promise<number> {
  const task = await readArguments(args);
  if (typeof task === "string") {
    process.stdout.write(task);
    return 0;
  }
  const { api, hooks, only, json } = task;
  const offered = await reach(api, hooks.people?.[0].headers);
  const level = task.level ?? offered;
  const cases = conformanceCases.filter((each) => level === "full" || each.level === level);
  const chosen = cases.filter(({ id }) => id.startsWith(only));
  if (chosen.length === 0) {
    throw new UsageError(`No case of the level ${level} has an id that starts with "${only}".`);
  }
  if (Object.keys(hooks).length === 0) {
    throw new UsageError(
      `No hooks given, so none of the ${chosen.length} cases can run. Start with people and form: ${HOOKS_PAGE}`,
    );
  }

  const ids = chosen.map(({ id }) => id);
  const report = json ? jsonReport(api, level) : tableReport(ids, level, styleText);
  const results: CaseResult[] = [];
  process.stdout.write(report.head());
  for (const testCase of chosen) {
    const result = await runCase(testCase, { api, hooks });
    results.push(result);
    process.stdout.write(report.row(result));
  }
  process.stdout.write(report.foot(results));
  const isFine = results.every(({ status }) => status !== "failed");
  return isFine && results.some(({ status }) => status === "passed") ? 0 : 1;
}

/** The page of the documentation that explains hooks. */
const HOOKS_PAGE = "docs/testing/your-server.md";

/** Parses the command line. A string is the help text to print. */
async function readArguments(args: readonly string[]): Promise<Task | string> {
  const { values, positionals } = parse(args);
  const [baseUrl, ...more] = positionals;
  if (values.help === true) return USAGE;
  if (baseUrl === undefined || more.length > 0) throw new UsageError("Give one base URL.");
  if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new UsageError(`This is not an http or https address: ${baseUrl}`);
  }
  const { hooks, level, only = "", json = false } = values;
  if (level !== undefined && level !== "basic" && level !== "full") {
    throw new UsageError(`There is no level "${level}". The levels are basic and full.`);
  }
  return {
    api: baseUrl.replace(/\/+$/, ""),
    hooks: hooks === undefined ? {} : await loadHooks(hooks),
    level,
    only,
    json,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        hooks: { type: "string" },
        level: { type: "string" },
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

/** A server replies with one of these statuses for routes that it does not have. */
const NOT_OFFERED = new Set([404, 405, 501]);

/** Reports a wrong address once, so that not every case does. Returns the level that the server offers. */
async function reach(api: string, headers: Readonly<Record<string, string>> = {}): Promise<ConformanceLevel> {
  // With an identity, because a server may refuse requests without one before it looks for the route.
  const list = await statusOf(`${api}/elicitations?conversationId=conformance`, { headers });
  if (!NOT_OFFERED.has(list)) return "full";
  const chat = await statusOf(`${api}/chat`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: "{}",
  });
  if (!NOT_OFFERED.has(chat)) return "basic";
  throw new UsageError(
    `${api} has neither a route /elicitations nor a route /chat. Give the base of the routes, such as …/run/api.`,
  );
}

/** A server that sends no byte for this long counts as unreachable. */
const REACH_SECONDS = 10;

async function statusOf(url: string, init: RequestInit = {}): Promise<number> {
  const response = await firstReply(url, init);
  await response.body?.cancel();
  const elsewhere = redirectOrigin(response, url);
  if (elsewhere === undefined) return response.status;
  throw new UsageError(
    `${url} redirects to ${elsewhere}. No redirect is followed, because the requests carry the headers of the hooks. Give the address it leads to.`,
  );
}

async function firstReply(url: string, init: RequestInit): Promise<Response> {
  const late = AbortSignal.timeout(REACH_SECONDS * 1_000);
  try {
    return await fetch(url, { ...init, redirect: "manual", signal: late });
  } catch (error) {
    const { origin } = new URL(url);
    const { method = "GET" } = init;
    if (late.aborted) {
      throw new UsageError(`${origin} did not reply within ${REACH_SECONDS} seconds: ${method} ${url}`);
    }
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new UsageError(`${origin} cannot be reached: ${method} ${url}: ${messageOf(cause)}`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Runs `elicit-kit conformance`. @returns its exit code */
export async function runConformance(args: readonly string[]): Promise<number> {
  try {
    return await main(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`elicit-kit: ${visibleText(error.message)}\nSee elicit-kit conformance --help.\n`);
    return 2;
  }
}
