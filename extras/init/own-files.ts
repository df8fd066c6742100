import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { type Place, type Project, type Wanted, importOf } from "./project.ts";
import { hookCall } from "./chat-files.ts";
import { SERVE_PAGE } from "./connect-files.ts";
import { closingOf, lineAt, membersOf, statementEnd } from "./source-text.ts";

/** A change that the user makes by hand, because the file belongs to the app. */
export interface Change {
  /** For example `Above app/page.tsx:3`. */
  readonly where: string;
  readonly text: string;
}

/** The changes for a chat that the app already has. */
export function chatChanges(project: Project, wanted: Wanted, chat: Place): Change[] {
  const { file, text, index } = chat;
  const open = text.indexOf("(", index);
  const close = closingOf(text, open) ?? open;
  const begin = text.lastIndexOf("\n", index) + 1;
  const [from, to] = [lineAt(text, begin), lineAt(text, close)];
  const ending = text.slice(close + 1).split("\n", 1)[0] ?? "";
  const indent = /^\s*/.exec(text.slice(begin))?.[0] ?? "";
  const { hook, options } = callsOf(hookCall(project, wanted), text.slice(open + 1, close));
  const call = `${text.slice(begin, open)}(${options})${ending}`;
  return [
    {
      where: aboveImports(file, text),
      text: `import { Elicitations, useElicitation } from "elicit-kit";\nimport "elicit-kit/styles.css";`,
    },
    {
      where: `In place of ${file}:${from === to ? from : `${from}-${to}`}`,
      text: `${indent}const elicitation = ${hook}\n${call}`,
    },
    ...unusedImports(file, text, { from: open, to: close }),
    { where: belowMessages(file, text), text: "<Elicitations {...elicitation} />" },
  ];
}

/** What to do with the import of a transport that is only used between these two positions. */
function unusedImports(file: string, text: string, { from, to }: { from: number; to: number }): Change[] {
  const [, name] = /\btransport:\s*new\s+(\w+)/.exec(text.slice(from, to)) ?? [];
  if (name === undefined) return [];
  const isName = new RegExp(`\\b${name}\\b`, "g");
  const left = text.slice(0, from) + text.slice(to);
  const found = new RegExp(`^import\\s*\\{([^}]*\\b${name}\\b[^}]*)\\}[^\\n]*`, "m").exec(text);
  if (found === null || (left.match(isName)?.length ?? 0) !== 1) return [];
  const [statement, names = ""] = found;
  const kept = names.split(",").filter((one) => one.trim() !== "" && one.trim() !== name);
  const [first, last] = [lineAt(text, found.index), lineAt(text, found.index + statement.length)];
  const lines = first === last ? `${first}` : `${first}-${last}`;
  return kept.length === 0
    ? [{ where: `Remove ${file}:${lines}`, text: statement }]
    : [
        {
          where: `In place of ${file}:${lines}`,
          text: statement.replace(names, ` ${kept.map((one) => one.trim()).join(", ")} `),
        },
      ];
}

/** Options of `useChat` that the hook returns. TypeScript refuses to set them twice. */
const MADE_BY_HOOK = /^(?:transport|resume)\b/;
/** Options that the hook itself takes. */
const TAKEN_BY_HOOK = /^(?:id|messages)\b/;
/** Options of a transport that the hook takes. */
const OF_TRANSPORT = /\b(?:headers|body|credentials|fetch)\b/;

/** The call of the hook, and the options of the app's own `useChat` followed by those of the kit. */
function callsOf(hook: string, own: string): { hook: string; options: string } {
  const args = own.trim();
  const [, inner] = /^\{([^]*)\}$/.exec(args) ?? [];
  if (inner === undefined) {
    return {
      hook,
      options: args === "" ? "elicitation.chatOptions" : `{ ...${args}, ...elicitation.chatOptions }`,
    };
  }
  const members = membersOf(inner);
  const moved = members.filter((member) => TAKEN_BY_HOOK.test(member));
  const kept = members.filter((member) => !TAKEN_BY_HOOK.test(member) && !MADE_BY_HOOK.test(member));
  const loses = members.some((member) => MADE_BY_HOOK.test(member) && OF_TRANSPORT.test(member));
  const api = ['api: "/run/api"', ...moved].join(", ");
  return {
    hook: `${hook.replace('api: "/run/api"', () => api)}${loses ? " // takes headers, body, credentials and fetch, as your transport" : ""}`,
    options:
      kept.length === 0
        ? "elicitation.chatOptions"
        : `{ ${[...kept, "...elicitation.chatOptions"].join(", ")} }`,
  };
}

function belowMessages(file: string, text: string): string {
  const list = text.indexOf("messages.map(");
  const close = list < 0 ? undefined : closingOf(text, text.lastIndexOf("{", list));
  return close === undefined
    ? `In ${file}, below the messages`
    : `Below ${file}:${lineAt(text, close)}, after the messages`;
}

/** The changes for a server that the app already has. */
export function serverChanges(project: Project, { connect }: Wanted, server: Place): Change[] {
  const { file, text, index } = server;
  const from = (name: string) => {
    const path = posix.relative(posix.dirname(file), `${project.agent}/${name}`);
    return `"${importOf(project, path.startsWith(".") ? path : `./${path}`)}"`;
  };
  const isExpress = project.framework === "vite-express";
  const name = /(\w+)(?::\s*\w+)?\s*=\s*$/.exec(text.slice(0, index))?.[1] ?? "app";
  const imports = [
    ...(isExpress ? [`import { getRequestListener } from "@hono/node-server";`] : []),
    ...(connect
      ? [`import { serve } from "elicit-kit/node";`, `import { pageOrigin } from ${from("github")};`]
      : []),
    `import { ${connect ? "page, " : ""}runtime } from ${from("runtime")};`,
  ];
  const route = isExpress
    ? `// Before express.json(): the runtime reads the bodies itself.\n${name}.all(/^\\/run\\//, getRequestListener(runtime.fetch));`
    : `${name}.all("/run/*", (c) => runtime.fetch(c.req.raw));`;
  return [
    { where: aboveImports(file, text), text: imports.join("\n") },
    {
      where: `Below ${file}:${lineAt(text, statementEnd(text, index))}`,
      text: connect ? `${route}\n${SERVE_PAGE.trimEnd()}` : route,
    },
  ];
}

/** `create-vite` has a configuration of TypeScript for files of Node, which lists them. */
export function tsconfigChanges({ framework, typescript, folder, agent, server }: Project): Change[] {
  const file = "tsconfig.node.json";
  if (framework === "next" || !typescript || !existsSync(join(folder, file))) return [];
  const text = readFileSync(join(folder, file), "utf8");
  const list = /"include":\s*\[([^\]]*)\]/.exec(text);
  if (list === null || text.includes(`"${agent}"`)) return [];
  const [whole, listed = ""] = list;
  const [from, to] = [lineAt(text, list.index), lineAt(text, list.index + whole.length)];
  const added = [listed.trim(), `"${agent}"`, ...(server === undefined ? ['"chat-server.ts"'] : [])];
  return [
    {
      where: `In place of ${file}:${from === to ? from : `${from}-${to}`}`,
      text: `  "include": [${added.join(", ")}]`,
    },
  ];
}

/** Vite proxies the runtime's requests to that server, like the requests of the app's own routes. */
export function proxyChanges(config: Place | undefined, server: Place): Change[] {
  const port =
    /\bport:\s*(\d{2,5})|\blisten\(\s*(\d{2,5})/.exec(server.text)?.slice(1).find(Boolean) ?? "3000";
  const target = `http://localhost:${port}`;
  if (config === undefined) {
    return [{ where: "In vite.config", text: `server: { proxy: { "/run": "${target}" } }, // your server` }];
  }
  const { file, text, index } = config;
  if (text.includes('"/run"')) return [];
  const proxy = /\bproxy:\s*\{/.exec(text);
  if (proxy === null) {
    return [
      {
        where: `Below ${file}:${lineAt(text, index)}`,
        text: `server: { proxy: { "/run": "${target}" } }, // your server`,
      },
    ];
  }
  const own = /https?:\/\/(?:localhost|127\.0\.0\.1):\d+/.exec(text.slice(proxy.index))?.[0] ?? target;
  const line = lineAt(text, proxy.index);
  const [whole = ""] = text.split("\n").slice(line - 1);
  return [
    {
      where: `In place of ${file}:${line}`,
      text: whole.replace(/\bproxy:\s*\{/, `proxy: { "/run": "${own}",`),
    },
  ];
}

function aboveImports(file: string, text: string): string {
  const first = /^import\b/m.exec(text);
  return `Above ${file}:${first === null ? 1 : lineAt(text, first.index)}`;
}
