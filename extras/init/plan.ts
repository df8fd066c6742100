import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { agentFiles } from "./agent-files.ts";
import { chatFiles, serverFiles } from "./chat-files.ts";
import { connectFiles } from "./connect-files.ts";
import { type Change, chatChanges, proxyChanges, serverChanges, tsconfigChanges } from "./own-files.ts";
import type { Manager, Place, Project, Files, Wanted } from "./project.ts";

/** What `init` would do. Making the plan changes nothing. */
export interface Plan {
  readonly write: Files;
  readonly changes: readonly Change[];
  /** The command that installs the missing packages. */
  readonly install: readonly string[] | undefined;
  readonly start: readonly string[];
}

const REACT = { 7: 4, 6: 3, 5: 2 } as const;
const ADD: Readonly<Record<Manager, readonly string[]>> = {
  npm: ["npm", "install"],
  // tsx depends on esbuild, whose install script is not needed. Without this entry, pnpm 11 and newer fail until the
  // script is approved.
  pnpm: ["pnpm", "add", "--config.strictDepBuilds=false"],
  yarn: ["yarn", "add"],
  bun: ["bun", "add"],
};
const RUN: Readonly<Record<Manager, string>> = {
  npm: "npx",
  pnpm: "pnpm exec",
  yarn: "yarn exec",
  bun: "bunx",
};

export function planInit(project: Project, wanted: Wanted): Plan {
  const write: Record<string, string> = {};
  const changes: Change[] = [];
  const files = {
    ...agentFiles(project, wanted),
    ...connectFiles(project, wanted),
    ...serverFiles(project, wanted),
    ...chatFiles(project, wanted),
  };
  for (const [path, text] of Object.entries(files)) {
    const file = join(project.folder, path);
    if (!existsSync(file)) write[path] = text;
    else if (readFileSync(file, "utf8") !== text) changes.push({ where: `In ${path}, which you have`, text });
  }
  const { chat, server, viteConfig } = project;
  const { connect } = wanted;
  if (lacks(chat, ["elicitation.chatOptions", ...(connect ? ["trustedOrigin"] : [])]))
    changes.push(...chatChanges(project, wanted, chat));
  if (lacks(server, ["runtime.fetch", ...(connect ? ["page.fetch"] : [])]))
    changes.push(...serverChanges(project, wanted, server));
  if (lacks(server, ["runtime.fetch"])) changes.push(...proxyChanges(viteConfig, server));
  changes.push(...tsconfigChanges(project));
  const missing = packagesFor(project, wanted).filter(
    (name) => !project.packages.has(name.replace(/(?<=.)@.*/, "")),
  );
  const install = missing.length === 0 ? undefined : [...ADD[project.manager], ...missing];
  return { write, changes, install, start: startOf(project, wanted) };
}

/** Whether a file of the app lacks at least one of these texts. */
function lacks(place: Place | undefined, marks: readonly string[]): place is Place {
  return place !== undefined && !marks.every((mark) => place.text.includes(mark));
}

function packagesFor(
  { framework, aiSdk, server, typescript }: Project,
  { connect, postgres }: Wanted,
): string[] {
  const ownServer = framework !== "next" && server === undefined;
  return [
    "elicit-kit",
    `ai@${aiSdk}`,
    `@ai-sdk/react@${REACT[aiSdk]}`,
    "zod@4",
    ...(framework === "vite-express"
      ? ["express", ...(typescript ? ["@types/express"] : [])]
      : ownServer
        ? ["hono"]
        : []),
    ...(framework === "vite-express" || ownServer || (connect && framework !== "next")
      ? ["@hono/node-server"]
      : []),
    ...(ownServer && typescript ? ["tsx"] : []),
    ...(postgres ? ["pg@8"] : []),
  ];
}

const OWN_STREAM_TEXT = "node_modules/elicit-kit/docs/start/your-chat-route.md";
const RANDOM = "openssl rand -base64 32";

/** The environment variables that the app reads. */
function settingsOf({ agent, typescript }: Project, { mock, connect, postgres }: Wanted): string[] {
  const settings = [
    ...(mock
      ? []
      : [
          `AI_GATEWAY_API_KEY=, unless ${agent}/model.${typescript ? "ts" : "js"} has the model of a provider`,
        ]),
    ...(postgres ? ["DATABASE_URL=postgres://user:password@host/database, version 15 or newer"] : []),
    ...(postgres ? [`ANSWER_KEY=, from: ${RANDOM}`] : []),
    ...(postgres && connect ? [`SECRETS_KEY=, from: ${RANDOM}`] : []),
    ...(connect && !mock
      ? ["GITHUB_CLIENT_ID= and GITHUB_CLIENT_SECRET=, from https://github.com/settings/developers"]
      : []),
  ];
  return settings.length === 0 ? [] : ["Set in .env.local:", ...settings.map((line) => `  ${line}`)];
}

function startOf(project: Project, wanted: Wanted): string[] {
  const { framework, manager, server, typescript, chat } = project;
  const variables = settingsOf(project, wanted);
  const settings = [
    ...variables,
    ...(chat === undefined ? [] : [`Your own streamText, and all its options: ${OWN_STREAM_TEXT}`]),
  ];
  const words = wanted.connect ? "Book me a hotel, or: List my repositories" : "Book me a hotel";
  if (framework === "next") {
    const page = chat === undefined ? "http://localhost:3000/chat" : "your chat";
    return [...settings, `${manager} run dev`, `Open ${page} and say: ${words}`];
  }
  if (server !== undefined) {
    return [...settings, `Start your server and Vite, open your chat, and say: ${words}`];
  }
  const runner = typescript ? `${RUN[manager]} tsx` : "node";
  const command = [
    runner,
    ...(variables.length > 0 ? ["--env-file=.env.local"] : []),
    `chat-server.${typescript ? "ts" : "js"}`,
  ].join(" ");
  const pages =
    chat === undefined
      ? ', after build: { rollupOptions: { input: ["index.html", "chat.html"] } } in vite.config'
      : "";
  const page = chat === undefined ? "http://localhost:5173/chat.html" : "your chat at http://localhost:5173";
  return [
    ...settings,
    command,
    `Open ${page} and say: ${words}`,
    "In production:",
    `  ${RUN[manager]} vite build${pages}`,
    `  ${command}, with NODE_ENV=production, and in CHAT_ORIGIN the origin of your chat`,
  ];
}
