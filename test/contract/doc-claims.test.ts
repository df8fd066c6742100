import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** The rows of the table below a heading, without its head. */
function tableBelow(page: string, heading: string): string {
  const [, after = ""] = page.split(`\n## ${heading}\n`);
  return (after.split("\n## ")[0] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .join("\n");
}

test("the table of routes in docs/run/runtime.md has every route of the runtime", () => {
  const code = ["src/runtime/http", "src/features"]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
        .map((name) => read(join(folder, name))),
    )
    .join("\n");
  const routes = [...code.matchAll(/app\.(get|post|all)\("([^"]+)"/g)].map(
    ([, method = "", path = ""]) => `${method === "all" ? "GET" : method.toUpperCase()} ${path}`,
  );
  expect(routes.length).toBeGreaterThan(10);
  const table = tableBelow(read("docs/run/runtime.md"), "Routes");
  const listed = [...table.matchAll(/`(GET|POST) ([^`?]+)/g)].map(([, method, path]) => `${method} ${path}`);
  expect(routes.filter((route) => !listed.includes(route))).toEqual([]);
});

test("docs/run/decision-log.md has every event and every member of a row", () => {
  const code = read("extras/audit/decision.ts");
  const [, union = ""] = /type DecisionEvent =([^;]+);/.exec(code) ?? [];
  const events = [...union.matchAll(/"([^"]+)"/g)].map(([, event = ""]) => event);
  const [, entry = ""] = /interface DecisionEntry \{([^]+?)\n\}/.exec(code) ?? [];
  const members = [...entry.matchAll(/readonly (\w+)/g)].map(([, member = ""]) => member);
  expect(events.length + members.length).toBeGreaterThan(15);
  const page = read("docs/run/decision-log.md");
  const [, rows = ""] = page.split("\n## What a row has\n");
  const named = (word: string) => rows.includes(`\`${word}\``) || rows.includes(`"${word}":`);
  expect([...events, ...members].filter((word) => !named(word))).toEqual([]);
});

/** The members of an interface or a type, without the comments. */
function membersOf(file: string, name: string): string[] {
  const [, body = ""] = new RegExp(`interface ${name}\\b[^]*?\\{\\n([^]+?)\\n\\}`).exec(read(file)) ?? [];
  return [...body.matchAll(/^ {2}(\w+)\??:/gm)].map(([, member = ""]) => member);
}

/** The names in backticks in the first column of a page's tables. */
const listedIn = (page: string) =>
  read(page)
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .flatMap((line) =>
      [...(line.split(" | ")[0] ?? "").matchAll(/`(\w+)[^`]*`/g)].map(([, name = ""]) => name),
    );

test("docs/reference/runtime-options.md has exactly the options of createRuntime", () => {
  const options = [
    ...["RuntimeOptions", "RuntimePorts", "TimeToAnswer", "RuntimeLimits", "PlatformOptions"].flatMap(
      (name) => membersOf("src/runtime/runtime-options.ts", name),
    ),
    ...membersOf("src/features/assign/assign.ts", "AssignOptions"),
    ...membersOf("src/features/notices/notices.ts", "NoticeOptions"),
    ...membersOf("src/features/notices/notices.ts", "NoticeSettings"),
    ...membersOf("src/features/proposals/proposals.ts", "ProposalOptions"),
    ...membersOf("src/features/receipts/receipts.ts", "ReceiptOptions"),
    ...membersOf("src/features/remember/remember.ts", "RememberPorts"),
    ...membersOf("src/features/telemetry/telemetry.ts", "TelemetryOptions"),
  ];
  expect(options.length).toBeGreaterThan(30);
  expect(listedIn("docs/reference/runtime-options.md").toSorted()).toEqual(options.toSorted());
});

test("docs/show/options.md has exactly the options of useElicitation", () => {
  const options = [
    ...membersOf("src/client/client-options.ts", "ElicitationClientOptions"),
    ...membersOf("src/client/http-channel.ts", "HttpChannelOptions"),
    ...membersOf("src/ai-sdk/create-elicitation.ts", "ElicitationOptions"),
    "detach",
    "unknownChunks",
    "aiSdk",
    "id",
    "messages",
    "client",
  ].filter((name) => name !== "channel" && name !== "onContinuation");
  expect(options.length).toBeGreaterThan(18);
  expect(listedIn("docs/show/options.md").toSorted()).toEqual([...new Set(options)].toSorted());
});

test("docs/run/telemetry.md has every name that telemetry reports", () => {
  const files = [
    "src/features/telemetry/telemetry.ts",
    "src/agent/credentials/refused-call.ts",
    "extras/durable/recorded-runner.ts",
  ];
  const names = new Set(files.flatMap((file) => read(file).match(/(?<=")elicitation\.[\w.]+(?=")/g) ?? []));
  // Attributes, of which the page names those that a query needs.
  for (const name of ["id", "mode", "trigger", "outcome", "surface"]) names.delete(`elicitation.${name}`);
  expect(names.size).toBeGreaterThan(15);
  const page = read("docs/run/telemetry.md");
  const isNamed = (name: string) =>
    page.includes(`\`${name}\``) || page.includes(`\`${name.slice(name.lastIndexOf("."))}\``);
  expect([...names].filter((name) => !isNamed(name))).toEqual([]);
});

/** What the page of limits says, and the file whose code says the same. */
const LIMITS: readonly (readonly [words: string, file: string, code: string])[] = [
  ["| time to answer | 10 minutes |", "src/runtime/requests.ts", "timeToAnswer.expiresInMs ?? 600_000"],
  [
    "100, and 50 in one conversation",
    "src/runtime/request/open-limit.ts",
    "perPerson = 100, perConversation = 50",
  ],
  [
    "at once | 20 | `limits.turns`",
    "src/base/input-limit.ts",
    "perPerson = 20, bytesPerPerson = 4 * maxChatBytes",
  ],
  ["128 MiB of all", "src/base/input-limit.ts", "bytes: total = 128 * 1024 * 1024"],
  ["60 a minute | `limits.writesPerMinute`", "src/runtime/runtime.ts", "writesPerMinute = 60"],
  ["30 a minute", "src/features/proposals/proposals.ts", "PROPOSALS_PER_MINUTE = 30"],
  ["1 MiB; 256 KiB without a session", "src/runtime/runtime.ts", "maxChatBytes = 1024 * 1024"],
  ["1 MiB; 256 KiB without a session", "src/runtime/runtime.ts", "Math.min(256 * 1024, maxChatBytes)"],
  ["64 KiB; 100 answers", "src/contract/contract.ts", "MAX_ANSWER_BYTES = 64 * 1024"],
  ["64 KiB; 100 answers", "src/runtime/http/answer-routes.ts", "MAX_ANSWERS = 100"],
  ["included | 50 |", "src/runtime/http/turn-replies.ts", "MAX_STREAMS = 50"],
  ["10,000, a tenth of them of one user", "src/runtime/request/memory-records.ts", "limit = 10_000"],
  ["10,000, a tenth of them of one user", "src/runtime/request/memory-records.ts", "Math.ceil(limit / 10)"],
  ["for 24 hours", "src/runtime/request/memory-records.ts", "KEEP_ENDED_MS = 24 * 60 * 60 * 1000"],
  ["50 of a user", "src/runtime/ports/remembered.ts", "MAX_REMEMBERED = 50"],
  ["after 1 minute, 6 an hour", "src/features/notices/notices.ts", "afterMs = 60_000, perHour = 6"],
  ["complete within 1 minute", "src/node/serve.ts", "requestTimeoutMs: requestTimeout = 60_000"],
  ["within 10 seconds", "src/agent/mcp/mcp-tools.ts", "LIST_MS = 10_000"],
  ["the first 500", "src/agent/mcp/tool-budget.ts", "MAX_TOOLS = 500"],
  ["8 MiB;", "src/agent/mcp/mcp-http.ts", "MAX_ANSWER_MIB = 8"],
  ["256 Ki characters", "src/agent/mcp/tool-output.ts", "MAX_OUTPUT_LENGTH = 256 * 1024"],
];

test("docs/reference/limits.md says the limits as the code does", () => {
  const page = read("docs/reference/limits.md");
  const wrong = LIMITS.filter(([words, file, code]) => !page.includes(words) || !read(file).includes(code));
  expect(wrong).toEqual([]);
});

// A guide says a default where it matters; the code has it once.
const DEFAULTS: readonly (readonly [page: string, words: string, file: string, code: string])[] = [
  ["ask/from-a-tool.md", "up to six options a button", "src/form/hints.ts", "MOST_TO_PRESS = 6;"],
  ["ask/from-a-tool.md", "If a form has 4 to 12 questions", "src/form/steps.ts", "MOST_AT_ONCE = 3;"],
  ["ask/from-a-tool.md", "If a form has 4 to 12 questions", "src/form/steps.ts", "MOST_STEPS = 12;"],
  ["ask/from-a-tool.md", "from `.max(201)` on", "src/form/pick-control.ts", "LONGEST_LINE = 200;"],
  ["ask/from-a-tool.md", "for up to 21 steps", "src/form/pick-control.ts", "WIDEST_STEPPER = 20;"],
  [
    "ask/approve-a-tool-call.md",
    "After 20,000 characters of a value",
    "src/runtime/tool/review-rows.ts",
    "LONGEST_VALUE = 20_000;",
  ],
  [
    "ask/approve-a-tool-call.md",
    "or 60,000 of all",
    "src/runtime/tool/review-rows.ts",
    "LONGEST_REVIEW = 60_000;",
  ],
  ["start/quickstart.md", "Something went wrong on the assistant's side.", "src/agent/error-text.ts", ""],
  [
    "start/your-chat-route.md",
    "a comment every 8 seconds",
    "src/base/event-stream.ts",
    "KEEP_ALIVE_MS = 8000;",
  ],
  ["run/processes.md", "(`sweepMs`, 2 seconds)", "extras/postgres/postgres-ports.ts", "sweepMs = 2000"],
  [
    "run/processes.md",
    "for 15 seconds (`retryForMs`)",
    "extras/postgres/database/database.ts",
    "RETRY_FOR_MS = 15_000;",
  ],
  [
    "run/processes.md",
    "until six minutes after its end",
    "src/runtime/http/chat-routes.ts",
    "KEEP_MS = 60_000;",
  ],
  [
    "run/processes.md",
    "until six minutes after its end",
    "extras/postgres/clean-up.ts",
    "interval '5 minutes'",
  ],
  ["run/processes.md", "“No longer needed”", "src/words/cards/en.ts", 'withdrawn: "No longer needed"'],
  ["run/vercel.md", "“No longer needed”", "src/words/cards/en.ts", 'withdrawn: "No longer needed"'],
  [
    "run/durable.md",
    "`parkAfterMs` (a minute)",
    "extras/durable/recorded-runner.ts",
    "parkAfterMs = 60_000,",
  ],
  ["run/durable.md", "`graceMs` (25 seconds)", "extras/durable/recorded-runner.ts", "graceMs = 25_000,"],
  [
    "run/durable.md",
    "for 15 seconds (`retryForMs`)",
    "extras/postgres/database/database.ts",
    "RETRY_FOR_MS = 15_000;",
  ],
  [
    "run/durable.md",
    "`Retry-After` within two seconds",
    "extras/postgres/database/database.ts",
    "IMPATIENT_MS = 1500;",
  ],
  ["run/durable.md", "after 30 seconds of work", "extras/postgres/runs/conduct.ts", "ALONE_MS = 30_000;"],
  [
    "run/processes.md",
    "after half a minute, by TCP keepalive",
    "extras/postgres/database/notifications.ts",
    "tcp_keepalives_idle = 15; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3",
  ],
  ["run/durable.md", "for 250 ms", "extras/postgres/runs/death-check.ts", "GRACE_MS = 250;"],
  ["run/durable.md", "three processes that died", "extras/durable/recorded-runner.ts", "MAX_DEATHS = 3;"],
  ["run/durable.md", "at most 64 MiB", "extras/durable/recorded-values.ts", "MAX_LENGTH = 64 * 1024 * 1024;"],
  [
    "run/durable.md",
    "`recordWithinMs` (two minutes)",
    "extras/dbos/dbos-runner.ts",
    "recordWithinMs = 120_000",
  ],
  ["run/deploying.md", "limited to 200 a minute", "src/connect/page/hosted-page.ts", "postsPerMinute = 20,"],
  [
    "protocols/mcp-server.md",
    "held for up to 50 seconds",
    "src/runtime/surface/until-blocked.ts",
    "consentMs = 50_000",
  ],
  [
    "protocols/mcp-server.md",
    "takes longer than two seconds",
    "extras/mcp-server/task-calls.ts",
    "HOLD_MS = 2000;",
  ],
  [
    "protocols/mcp-server.md",
    "for half an hour",
    "extras/mcp-server/legacy-sessions.ts",
    "IDLE_MS = 30 * 60_000;",
  ],
  ["protocols/mcp-server.md", "at most three times", "src/contract/elicit-result.ts", "MAX_ATTEMPTS = 3;"],
  [
    "trust/security.md",
    "works for 90 seconds",
    "src/runtime/request/elicitation-service.ts",
    "TICKET_MS = 60_000;",
  ],
  [
    "trust/security.md",
    "works for 90 seconds",
    "src/connect/page/identity/challenges.ts",
    "LATE_TICKET_MS = 30_000;",
  ],
];

test("guides say defaults as the code does", () => {
  const wrong = DEFAULTS.filter(
    ([page, words, file, code]) =>
      !read(join("docs", page)).includes(words) || !read(file).includes(code === "" ? words : code),
  );
  expect(wrong).toEqual([]);
});

// A user who copies the card must not lose a button that the kit's card has, such as the one for more time.
test.each([
  ["Connect", "src/react/connect-prompt/index.parts.ts", ["Tile", "CopyLink"]],
  ["Form", "src/react/form-elicitation/index.parts.ts", ["Tile"]],
])(
  "the card of parts that the guide prints has every part of %s, except pictures and links to copy",
  (kind, file, left) => {
    const card = read("stories/examples/own-card.tsx");
    const parts = [...read(file).matchAll(/ as (\w+)/g)].map(([, name = ""]) => name);
    expect(parts).toContain("MoreTime");
    expect(parts.filter((name) => !new RegExp(`<${kind}\\.${name}\\b`).test(card)).toSorted()).toEqual(
      left.toSorted(),
    );
  },
);

test.each([
  ["docs/start/your-auth.md", "test/fixtures/auth/authenticate.ts"],
  ["docs/ask/approve-a-tool-call.md", "docs/examples/refund.ts"],
  ["docs/show/languages.md", "docs/examples/card-language.tsx"],
  ["docs/run/kubernetes.md", "docs/examples/whole-server.ts"],
  ["docs/protocols/mcp-tools.md", "docs/examples/mcp-deploy-server.ts"],
  ["docs/protocols/mcp-tools.md", "docs/examples/take-state.ts"],
])("%s contains %s unchanged, which a test runs", (page, file) => {
  expect(read(page)).toMatch(/^```tsx?$/m);
  expect(read(page)).toContain(`\n${read(file)}\`\`\`\n`);
});

// `npm run test:long -- copilotkit` runs it.
test("docs/protocols/ag-ui.md contains the tested hook unchanged", () => {
  expect(read("docs/protocols/ag-ui.md")).toContain(read("test/fixtures/copilotkit/questions.tsx"));
});
