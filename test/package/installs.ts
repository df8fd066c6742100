/**
 * Resolves the packed package together with agent and chat frameworks: `node test/package/installs.ts` after a build.
 * npm, pnpm and Yarn each resolve it together with each framework in an empty project, without installing anything. Part
 * of `npm run test:long`.
 *
 * A framework that does not resolve without the kit either (a version that the registry does not have) is reported, and
 * does not count against the kit.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownEnvironment, pack } from "./installed.ts";

const FRAMEWORKS: Readonly<Record<string, readonly string[]>> = {
  Mastra: ["@mastra/core@1.71.0", "@mastra/mcp@2.0.0"],
  "OpenAI Agents": ["@openai/agents@0.20.0"],
  LangChain: ["langchain@1.5.14", "@langchain/core@1.4.0", "@langchain/langgraph@1.7.3"],
  "Cloudflare Agents": ["agents@0.32.0"],
  CopilotKit: ["@copilotkit/react-core@1.74.0", "@copilotkit/runtime@1.74.0"],
  "assistant-ui": ["@assistant-ui/react@0.14.29", "@assistant-ui/react-ai-sdk@1.4.0"],
  "Next.js": ["next@16.4.5", "react@19.3.1", "react-dom@19.3.1"],
  "AI SDK": ["ai@7.0.173", "@ai-sdk/react@4.0.177", "react@19.3.1"],
  // loopstack#191: an app keeps its older versions where it does not use the part that needs newer ones.
  "zod 3 and MSW 2": ["zod@3.25.76", "msw@2.11.0", "react@19.3.1"],
};

interface Manager {
  /** The npm package of the manager, with its version. npm itself is the running one. */
  from?: string;
  /** Resolves packages, and writes only its lockfile. */
  resolve: readonly string[];
  /** Reports which peers are wrong. */
  explain?: readonly string[];
}

const MANAGERS: Readonly<Record<string, Manager>> = {
  npm: { resolve: ["npm", "install", "--package-lock-only", "--ignore-scripts"] },
  pnpm: {
    from: "pnpm@12.21.0",
    resolve: ["pnpm", "add", "--lockfile-only", "--ignore-scripts"],
    explain: ["pnpm", "peers", "check"],
  },
  Yarn: {
    from: "@yarnpkg/cli-dist@4.18.1",
    resolve: ["yarn", "add", "--mode=update-lockfile"],
    explain: ["yarn", "explain", "peer-requirements"],
  },
};

const folder = await mkdtemp(join(tmpdir(), "elicit-kit-installs-"));
const env = { ...ownEnvironment(), YARN_GLOBAL_FOLDER: join(folder, "yarn"), YARN_ENABLE_TELEMETRY: "0" };
try {
  const { tarball } = await pack(folder);
  for (const [name, manager] of Object.entries(MANAGERS)) {
    let resolved = 0;
    for (const [framework, packages] of Object.entries(FRAMEWORKS)) {
      const { ok, says } = await beside(manager, packages, tarball);
      if (ok) resolved += 1;
      console.log(`${name}, ${framework}: ${says}`);
    }
    if (resolved > 0) continue;
    console.log(`${name}: nothing resolved. Is there a network?`);
    process.exitCode = 1;
  }
  await mockWithOlderMsw(tarball);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Installs the package for an app with MSW 2, and asks its mock server. */
async function mockWithOlderMsw(tarball: string): Promise<void> {
  const cwd = await mkdtemp(join(folder, "project-"));
  await writeFile(join(cwd, "package.json"), '{ "name": "app", "private": true, "type": "module" }');
  await writeFile(
    join(cwd, "ask.js"),
    `import { createMockServer, scenarios } from "elicit-kit/mock-server";
    const server = createMockServer(scenarios.form);
    const response = await server.fetch("http://localhost/run/api/chat", {
      method: "POST",
      headers: { "content-type": "application/json", "x-supports-elicitation": "true" },
      body: JSON.stringify({
        conversationId: "chat",
        messages: [{ id: "1", role: "user", parts: [{ type: "text", text: "Find me a hotel" }] }],
      }),
    });
    let stream = "";
    for await (const bytes of response.body) {
      stream += new TextDecoder().decode(bytes);
      if (stream.includes("data-elicitation-request")) break;
    }
    await server.close();`,
  );
  const install = ["npm", "install", "--ignore-scripts", "msw@2.11.0", tarball];
  for (const command of [install, [process.execPath, "ask.js"]]) {
    const { code, output } = await start(undefined, command, cwd);
    if (code === 0) continue;
    console.log(`The mock server on MSW 2.11: FAILED\n${output}`);
    process.exitCode = 1;
    return;
  }
  console.log("The mock server on MSW 2.11: asks");
}

async function beside(
  manager: Manager,
  packages: readonly string[],
  tarball: string,
): Promise<{ ok: boolean; says: string }> {
  const zod = packages.some((name) => name.startsWith("zod@")) ? [] : ["zod@4.6.7"];
  const both = await resolve(manager, [...packages, ...zod, tarball]);
  if (both.code === 0) return { ok: true, says: ["resolves", ...both.peers].join("; ") };
  const alone = await resolve(manager, packages);
  if (alone.code !== 0)
    return { ok: false, says: `does not resolve without the kit either: ${alone.reason}` };
  process.exitCode = 1;
  return { ok: false, says: `CONFLICT\n${both.output}` };
}

interface Resolution {
  code: number;
  output: string;
  reason: string;
  /** The manager's report on the kit's peers. */
  peers: readonly string[];
}

/** Runs in a new project. */
async function resolve(
  { from, resolve: command, explain }: Manager,
  packages: readonly string[],
): Promise<Resolution> {
  const cwd = await mkdtemp(join(folder, "project-"));
  await writeFile(join(cwd, "package.json"), '{ "name": "app", "private": true }');
  // Otherwise Yarn looks for a project in the folders above.
  if (command[0] === "yarn") await writeFile(join(cwd, "yarn.lock"), "");
  const { code, output } = await start(from, [...command, ...packages], cwd);
  const reason = output.split("\n").find((line) => /notarget|No candidates|No matching|ERESOLVE/.test(line));
  const report = code === 0 && explain !== undefined ? (await start(from, explain, cwd)).output : "";
  return { code, output, reason: reason?.trim() ?? output.slice(-300), peers: peersOf(report) };
}

function start(
  from: string | undefined,
  command: readonly string[],
  cwd: string,
): Promise<{ code: number; output: string }> {
  const [program = "", ...args] =
    from === undefined ? command : ["npm", "exec", "--yes", `--package=${from}`, "--", ...command];
  return new Promise((done) => {
    execFile(program, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : 1, output: stdout + stderr }),
    );
  });
}

/** The peers that should have another version for the kit, according to a report. */
function peersOf(report: string): string[] {
  const peers: string[] = [];
  let peer = "";
  for (const line of report.split("\n")) {
    // pnpm names the peer first and then the package that needs it. Yarn has both in one line.
    peer = /unmet peer (\S+)/.exec(line)?.[1] ?? peer;
    if (/✘.*elicit-kit/.test(line)) peers.push(line.trim());
    else if (/^\s+elicit-kit@/.test(line)) peers.push(`another ${peer} than the kit's peer`);
  }
  return peers;
}
