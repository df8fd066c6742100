import { parseSync } from "vite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ProjectError, type Wanted } from "./project.ts";
import { createAppFolder, NEXT, VITE } from "./testing/app-folder.ts";

const { app, begin, end, inspect, plan, write } = createAppFolder();
beforeEach(begin);
afterEach(end);

const EITHER = [true, false];
const EACH_WANTED: readonly Wanted[] = EITHER.flatMap((mock) =>
  EITHER.flatMap((connect) => EITHER.map((postgres) => ({ mock, connect, postgres }))),
);

describe("elicit-kit init", () => {
  it("adds an agent, its route and a chat page to a Next.js app", () => {
    app(NEXT, "tsconfig.json", "app/page.tsx");
    expect(Object.keys(plan().write)).toEqual([
      "agent/book-hotel.ts",
      "agent/model.ts",
      "agent/session.ts",
      "agent/runtime.ts",
      "app/run/[...path]/route.ts",
      "app/chat/page.tsx",
    ]);
    expect(plan().start[0]).toBe("npm run dev");
  });

  it("supports an app that has its files in src, and is written in JavaScript", () => {
    app(NEXT, "src/app/page.js");
    expect(Object.keys(plan().write)).toEqual([
      "src/agent/book-hotel.js",
      "src/agent/model.js",
      "src/agent/session.js",
      "src/agent/runtime.js",
      "src/app/run/[...path]/route.js",
      "src/app/chat/page.jsx",
    ]);
  });

  it("gives a Vite app a server with Hono, or with Express if the app uses it", () => {
    app(VITE, "tsconfig.json", "src/main.tsx");
    expect(plan().write["chat-server.ts"]).toContain("new Hono()");
    expect(plan().install?.join(" ")).toBe(
      "npm install elicit-kit ai@7 @ai-sdk/react@4 zod@4 hono @hono/node-server tsx",
    );
    app({ ...VITE, express: "5.3.0" });
    expect(plan().write["chat-server.ts"]).toContain("express()");
    expect(plan().install).toContain("@types/express");
  });

  it("says how a Vite app goes to production, and adds the server's files to the TypeScript configuration of Node", () => {
    app(VITE, "tsconfig.json", "src/main.tsx");
    write("tsconfig.node.json", '{\n  "include": ["vite.config.ts"]\n}\n');
    const { start, changes } = plan();
    expect(start.slice(-3)).toEqual([
      "In production:",
      '  npx vite build, after build: { rollupOptions: { input: ["index.html", "chat.html"] } } in vite.config',
      "  npx tsx chat-server.ts, with NODE_ENV=production, and in CHAT_ORIGIN the origin of your chat",
    ]);
    expect(changes).toEqual([
      {
        where: "In place of tsconfig.node.json:2",
        text: '  "include": ["vite.config.ts", "agent", "chat-server.ts"]',
      },
    ]);
    write("tsconfig.node.json", `{\n${changes[0]?.text}\n}\n`);
    expect(plan().changes).toEqual([]);
  });

  it.each([
    ["pnpm-lock.yaml", "pnpm add --config.strictDepBuilds=false"],
    ["yarn.lock", "yarn add"],
    ["bun.lock", "bun add"],
    ["package-lock.json", "npm install"],
  ])("with %s, prints the command “%s”, which installs only missing packages", (lockfile, command) => {
    app({ ...NEXT, ai: "^7.0.0", zod: "^4.6.0" }, lockfile);
    expect(plan().install?.join(" ")).toBe(`${command} elicit-kit @ai-sdk/react@4`);
  });

  it("installs nothing when the app has all packages", () => {
    app({ ...NEXT, ai: "7.0.173", zod: "4.6.7", "@ai-sdk/react": "4.0.177", "elicit-kit": "0.1.0" });
    expect(plan().install).toBeUndefined();
  });

  it.each([
    ["^6.0.323", "aiSdk: 6", "MockLanguageModelV3"],
    ["^5.0.277", "aiSdk: 5", "MockLanguageModelV2"],
  ])("with AI SDK %s, the app calls streamText itself", (version, option, model) => {
    app({ ...NEXT, ai: version });
    const { write: files } = plan();
    expect(files["agent/book-hotel.js"]).toContain("streamText({");
    expect(files["agent/runtime.js"]).not.toContain("createAgentTurn");
    expect(files["app/chat/page.jsx"]).toContain(option);
    expect(files["agent/model.js"]).toContain(model);
  });

  it("puts a chat of AI SDK 6 into Suspense, because Next.js refuses its random id while it builds the page", () => {
    app({ ...NEXT, ai: "6.0.323" });
    expect(plan().write["app/chat/page.jsx"]).toMatch(/<Suspense>\s*<Chat \/>/);
  });

  it("reads the installed version of the AI SDK where the range does not say it", () => {
    app({ ...NEXT, ai: "latest" });
    write("node_modules/ai/package.json", '{ "version": "6.0.400" }');
    expect(inspect().aiSdk).toBe(6);
  });

  it("never changes an existing file: it prints the change instead", () => {
    app(NEXT);
    write("agent/session.js", "export const userOf = mine;\n");
    const { write: files, changes } = plan();
    expect(Object.keys(files)).not.toContain("agent/session.js");
    expect(changes).toEqual([
      {
        where: "In agent/session.js, which you have",
        text: expect.stringContaining("export function userOf"),
      },
    ]);
  });

  it("has nothing left to do in an app that is already set up", () => {
    app({ ...NEXT, ai: "7.0.173", zod: "4.6.7", "@ai-sdk/react": "4.0.177", "elicit-kit": "0.1.0" });
    const { write: files } = plan();
    for (const [path, text] of Object.entries(files)) write(path, text);
    expect(plan()).toMatchObject({ write: {}, changes: [], install: undefined });
  });

  it("does not take the files of an earlier run in a Vite app for the user's", () => {
    app(VITE, "tsconfig.json", "src/main.tsx");
    const first = plan();
    for (const [path, text] of Object.entries(first.write)) write(path, text);
    expect(plan()).toMatchObject({ write: {}, changes: [], start: first.start });
  });

  it("in a Vite app with a chat, prints a command that runs and names no page that it has not written", () => {
    app(VITE, "tsconfig.json", "src/main.tsx");
    write("src/App.tsx", "const chat = useChat();\n");
    const { start, write: files } = plan();
    expect(start.join("\n")).not.toMatch(/env-file|chat\.html/);
    expect(files["chat-server.ts"]).not.toContain("chat.html");
  });

  it("accepts the chat on the port that the server has", () => {
    app(VITE, "tsconfig.json");
    expect(plan().write["agent/runtime.ts"]).toContain('`http://localhost:${process.env["PORT"] ?? 5173}`');
    app(NEXT, "tsconfig.json");
    expect(plan().write["agent/runtime.ts"]).toContain('`http://localhost:${process.env["PORT"] ?? 3000}`');
  });

  it.each(["null", "3", '"text"'])("says what to do about a package.json that is %s", (text) => {
    write("package.json", text);
    expect(() => inspect()).toThrow(ProjectError);
  });

  it("uses a model of the AI Gateway and asks for its key, unless --mock is set", () => {
    app(VITE);
    const { write: files, start } = plan({ mock: false });
    expect(files["agent/model.js"]).toContain('model = "openai/gpt-5"');
    expect(start).toContain("  AI_GATEWAY_API_KEY=, unless agent/model.js has the model of a provider");
    expect(start).toContain("node --env-file=.env.local chat-server.js");
  });

  it.each([
    ["outside of a project", undefined, "There is no package.json"],
    ["in a project of another framework", { svelte: "5.0.0" }, "neither Next.js nor Vite with React"],
    ["with a version of the AI SDK that is too old", { ...NEXT, ai: "4.3.0" }, "Install 7, 6 or 5"],
    ["with zod 3", { ...NEXT, zod: "^3.25.0" }, "npm install zod@4"],
  ])("%s fails with an error that says what to do", (_, dependencies, message) => {
    if (dependencies !== undefined) app(dependencies);
    expect(() => inspect()).toThrow(ProjectError);
    expect(() => inspect()).toThrow(message);
  });

  it("with connect, adds a provider, a tool that needs it, and the hosted page on a port of its own", () => {
    app(VITE, "tsconfig.json", "src/main.tsx");
    const { write: files, install, start } = plan({ mock: false, connect: true });
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining(["agent/github.ts", "agent/list-repositories.ts"]),
    );
    expect(files["agent/runtime.ts"]).toContain("createHostedPage({");
    expect(files["chat-server.ts"]).toContain("serve({ fetch: page.fetch");
    expect(files["src/chat/chat.tsx"]).toContain("trustedOrigin: import.meta.env.VITE_PAGE_ORIGIN");
    expect(install?.filter((name) => name === "@hono/node-server")).toHaveLength(1);
    expect(start.join("\n")).toContain("GITHUB_CLIENT_ID");
  });

  it("with connect, lets a route of Next.js serve the hosted page on another origin than the chat", () => {
    app(NEXT, "tsconfig.json", "src/app/page.tsx");
    const { write: files, install } = plan({ connect: true });
    expect(files["src/app/auth/[...path]/route.ts"]).toContain("return page.fetch(request);");
    expect(files["src/proxy.ts"]).toContain("export function proxy(request: NextRequest)");
    expect(files["src/app/chat/page.tsx"]).toContain("http://127.0.0.1:3000");
    expect(install).not.toContain("@hono/node-server");
  });

  it("with connect, names the proxy file as Next.js 15 does", () => {
    app({ ...NEXT, next: "15.5.0" });
    expect(plan({ connect: true }).write["middleware.js"]).toContain("export function middleware(request)");
  });

  it("with connect and mock, needs no OAuth client at the provider", () => {
    app(NEXT);
    const { write: files, start } = plan({ connect: true });
    expect(files["agent/github.js"]).not.toContain('process.env["GITHUB_CLIENT_ID');
    expect(start.join("\n")).not.toContain("GITHUB");
  });

  it("with postgres, keeps requests and turns in the database, and closes its connections", () => {
    app(VITE, "tsconfig.json", "src/main.tsx");
    const { write: files, install, start } = plan({ postgres: true });
    expect(files["agent/runtime.ts"]).toContain("ports, // requests and turns");
    expect(files["agent/runtime.ts"]).not.toContain("SECRETS_KEY");
    expect(files["chat-server.ts"]).toContain("close()");
    expect(install).toContain("pg@8");
    expect(start.join("\n")).toContain("DATABASE_URL");
  });

  it("with postgres, a build of Next.js connects to no database", () => {
    app(NEXT, "tsconfig.json");
    const { write: files } = plan({ postgres: true });
    expect(files["app/run/[...path]/route.ts"]).toContain(
      "toNextHandlers(async () => (await started()).runtime)",
    );
  });

  it("with connect and postgres, keeps the accounts in the database, too", () => {
    app(NEXT, "tsconfig.json");
    const { write: files, start } = plan({ connect: true, postgres: true });
    expect(files["agent/runtime.ts"]).toContain("withConnectors(ports.credentials");
    expect(files["agent/runtime.ts"]).toContain("SECRETS_KEY");
    expect(start.join("\n")).toContain("SECRETS_KEY");
  });

  it("prints changes of existing files and writes only new files when it is run again with more options", () => {
    app(VITE, "tsconfig.json", "src/main.tsx");
    for (const [path, text] of Object.entries(plan().write)) write(path, text);
    const { write: files, changes } = plan({ connect: true });
    expect(Object.keys(files)).toEqual(["agent/github.ts", "agent/list-repositories.ts"]);
    expect(changes.map(({ where }) => where)).toEqual([
      "In agent/model.ts, which you have",
      "In agent/runtime.ts, which you have",
      "In chat-server.ts, which you have",
      "In src/chat/chat.tsx, which you have",
    ]);
  });

  const apps = [NEXT, VITE, { ...VITE, express: "5.3.0" }].flatMap((packages) =>
    ["7", "6", "5"].flatMap((ai) =>
      [true, false].map((isTyped) => ({ packages: { ...packages, ai }, isTyped })),
    ),
  );
  it.each(apps)("writes code that parses: $packages, types: $isTyped", ({ packages, isTyped }) => {
    app(packages, ...(isTyped ? ["tsconfig.json"] : []));
    for (const wanted of EACH_WANTED) {
      for (const [path, text] of Object.entries(plan(wanted).write)) {
        if (path.endsWith(".html")) continue;
        expect([path, wanted, parseSync(path, text).errors]).toEqual([path, wanted, []]);
      }
    }
  });
});
