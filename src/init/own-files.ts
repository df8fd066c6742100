import { posix } from "node:path";
import { type Wanted, importOf } from "./agent-files.ts";
import { hookCall } from "./chat-files.ts";
import { SERVE_PAGE } from "./connect-files.ts";
import type { Place, Project } from "./project.ts";
import { closingOf, lineAt, statementEnd } from "./source-text.ts";

/** A change that the user makes by hand, because it is in a file of theirs. */
export interface Change {
  /** Such as `Above app/page.tsx:3`. */
  readonly where: string;
  readonly text: string;
}

/** What to change in a chat that the app has. */
export function chatChanges(project: Project, wanted: Wanted, chat: Place): Change[] {
  const { file, text, index } = chat;
  const open = text.indexOf("(", index);
  const close = closingOf(text, open) ?? open;
  const begin = text.lastIndexOf("\n", index) + 1;
  const [from, to] = [lineAt(text, begin), lineAt(text, close)];
  const ending = text.slice(close + 1).split("\n", 1)[0] ?? "";
  const indent = /^\s*/.exec(text.slice(begin))?.[0] ?? "";
  const call = `${text.slice(begin, open)}(${optionsOf(text.slice(open + 1, close))})${ending}`;
  return [
    {
      where: aboveImports(file, text),
      text: `import { Elicitations, useElicitation } from "elicit-kit";\nimport "elicit-kit/styles.css";`,
    },
    {
      where: `In place of ${file}:${from === to ? from : `${from}-${to}`}`,
      text: `${indent}const elicitation = ${hookCall(project, wanted)}\n${call}`,
    },
    { where: belowMessages(file, text), text: "<Elicitations {...elicitation} />" },
  ];
}

/** The options of the chat's own `useChat`, with the kit's behind them. */
function optionsOf(own: string): string {
  const args = own.trim();
  const inner = /^\{([^]*?),?\s*\}$/.exec(args)?.[1]?.trimEnd();
  if (args === "" || inner?.trim() === "") return "elicitation.chatOptions";
  const reason = /\b(?:transport|id|messages|resume)\b/.test(args)
    ? "\n    // In place of your transport. Give useElicitation your id and messages."
    : "";
  if (inner === undefined) return `{ ...${args},${reason} ...elicitation.chatOptions }`;
  return `{${inner},${reason}${reason || inner.includes("\n") ? "\n    " : " "}...elicitation.chatOptions${reason || inner.includes("\n") ? ",\n  " : " "}}`;
}

function belowMessages(file: string, text: string): string {
  const list = text.indexOf("messages.map(");
  const close = list < 0 ? undefined : closingOf(text, text.lastIndexOf("{", list));
  return close === undefined
    ? `In ${file}, below the messages`
    : `Below ${file}:${lineAt(text, close)}, after the messages`;
}

/** What to change in a server that the app has. */
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
    ? `// Before express.json(): the runtime reads the bodies itself.\n${name}.all("/run/*path", getRequestListener(runtime.fetch));`
    : `${name}.all("/run/*", (c) => runtime.fetch(c.req.raw));`;
  return [
    { where: aboveImports(file, text), text: imports.join("\n") },
    {
      where: `Below ${file}:${lineAt(text, statementEnd(text, index))}`,
      text: connect ? `${route}\n${SERVE_PAGE.trimEnd()}` : route,
    },
  ];
}

/** Vite passes the runtime's requests on to that server, as it passes on those of the app's own routes. */
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
