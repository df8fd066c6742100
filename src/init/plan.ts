import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Files, agentFiles } from "./agent-files.ts";
import { chatFiles, chatLines, serverFiles, serverLines } from "./chat-files.ts";
import type { Manager, Project } from "./project.ts";

/** A change that the user makes by hand, because it is in a file of theirs. */
export interface Change {
  /** A path, or `path:line`. */
  readonly where: string;
  readonly text: string;
}

/** What `init` would do, before it does anything. */
export interface Plan {
  readonly write: Files;
  readonly changes: readonly Change[];
  /** The command that installs what is missing. */
  readonly install: readonly string[] | undefined;
  readonly start: readonly string[];
}

const REACT = { 7: 4, 6: 3, 5: 2 } as const;
const ADD: Readonly<Record<Manager, readonly string[]>> = {
  npm: ["npm", "install"],
  pnpm: ["pnpm", "add"],
  yarn: ["yarn", "add"],
  bun: ["bun", "add"],
};
const RUN: Readonly<Record<Manager, string>> = {
  npm: "npx",
  pnpm: "pnpm exec",
  yarn: "yarn exec",
  bun: "bunx",
};

export function planInit(project: Project, isMock: boolean): Plan {
  const write: Record<string, string> = {};
  const changes: Change[] = [];
  const files = { ...agentFiles(project, isMock), ...serverFiles(project), ...chatFiles(project) };
  for (const [path, text] of Object.entries(files)) {
    const file = join(project.folder, path);
    if (!existsSync(file)) write[path] = text;
    else if (readFileSync(file, "utf8") !== text) changes.push({ where: path, text });
  }
  const { chat, server } = project;
  if (chat?.isDone === false) changes.push({ where: chat.where, text: chatLines(project) });
  if (server?.isDone === false) {
    changes.push({ where: server.where, text: serverLines(project) });
    changes.push({
      where: "vite.config",
      text: 'server: { proxy: { "/run": "http://localhost:3000" } }, // your server',
    });
  }
  const missing = packagesFor(project).filter((name) => !project.packages.has(name.replace(/(?<=.)@.*/, "")));
  const install = missing.length === 0 ? undefined : [...ADD[project.manager], ...missing];
  return { write, changes, install, start: startOf(project) };
}

function packagesFor({ framework, aiSdk, server, typescript }: Project): string[] {
  const chat = ["elicit-kit", `ai@${aiSdk}`, `@ai-sdk/react@${REACT[aiSdk]}`, "zod@4"];
  if (framework === "next") return chat;
  if (framework === "vite-express")
    return [...chat, "express", "@hono/node-server", ...(typescript ? ["tsx"] : [])];
  if (server !== undefined) return chat;
  return [...chat, "hono", "@hono/node-server", ...(typescript ? ["tsx"] : [])];
}

function startOf({ framework, manager, server, typescript, chat }: Project): string[] {
  if (framework === "next") {
    const page = chat === undefined ? "http://localhost:3000/chat" : "your chat";
    return [`${manager} run dev`, `Open ${page} and say: Book me a hotel`];
  }
  if (server !== undefined) return ["Start your server and Vite, open your chat, and say: Book me a hotel"];
  const command = typescript ? `${RUN[manager]} tsx chat-server.ts` : "node chat-server.js";
  return [command, "Open http://localhost:5173/chat.html and say: Book me a hotel"];
}
