import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseSync } from "vite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { planInit } from "./plan.ts";
import { ProjectError, inspectProject } from "./project.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "elicit-kit-init-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, text = ""): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const NEXT = { next: "16.4.3", react: "19.3.0" };
const VITE = { vite: "^8.3.4", react: "^19.3.1" };

/** An app of these packages and files. */
function app(dependencies: Readonly<Record<string, string>>, ...files: readonly string[]): void {
  write("package.json", JSON.stringify({ name: "app", dependencies }));
  for (const file of files) write(file);
}

const plan = (isMock = true) => planInit(inspectProject(folder), isMock);

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

  it("follows an app that has its files in src, and is in JavaScript", () => {
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

  it("gives a Vite app a server on Hono, or on Express if the app has it", () => {
    app(VITE, "tsconfig.json", "src/main.tsx");
    expect(plan().write["chat-server.ts"]).toContain("new Hono()");
    expect(plan().install?.join(" ")).toBe(
      "npm install elicit-kit ai@7 @ai-sdk/react@4 zod@4 hono @hono/node-server tsx",
    );
    app({ ...VITE, express: "5.3.0" });
    expect(plan().write["chat-server.ts"]).toContain("express()");
  });

  it.each([
    ["pnpm-lock.yaml", "pnpm add"],
    ["yarn.lock", "yarn add"],
    ["bun.lock", "bun add"],
    ["package-lock.json", "npm install"],
  ])("with %s, installs by %s only what is missing", (lockfile, command) => {
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

  it("reads the installed version of the AI SDK where the range does not say it", () => {
    app({ ...NEXT, ai: "latest" });
    write("node_modules/ai/package.json", '{ "version": "6.0.400" }');
    expect(inspectProject(folder).aiSdk).toBe(6);
  });

  it("never changes a file that is there: it prints what it would have written", () => {
    app(NEXT);
    write("agent/session.js", "export const userOf = mine;\n");
    const { write: files, changes } = plan();
    expect(Object.keys(files)).not.toContain("agent/session.js");
    expect(changes).toEqual([
      { where: "agent/session.js", text: expect.stringContaining("export function userOf") },
    ]);
  });

  it("has nothing left to do in an app that it has set up", () => {
    app({ ...NEXT, ai: "7.0.173", zod: "4.6.7", "@ai-sdk/react": "4.0.177", "elicit-kit": "0.1.0" });
    const { write: files } = plan();
    for (const [path, text] of Object.entries(files)) write(path, text);
    expect(plan()).toMatchObject({ write: {}, changes: [], install: undefined });
  });

  it("names the line of a chat that is there, and the lines to add", () => {
    app(NEXT);
    write("app/page.jsx", '"use client";\n\nconst chat = useChat({ transport });\n');
    const { write: files, changes } = plan();
    expect(Object.keys(files)).not.toContain("app/chat/page.jsx");
    expect(changes).toEqual([{ where: "app/page.jsx:3", text: expect.stringContaining("<Elicitations") }]);
  });

  it("names the line of a server that is there", () => {
    app({ ...VITE, hono: "4.13.19" });
    write("server/index.js", "import { Hono } from 'hono';\nconst app = new Hono();\n");
    const { write: files, changes } = plan();
    expect(Object.keys(files)).not.toContain("chat-server.js");
    expect(changes[0]).toEqual({
      where: "server/index.js:2",
      text: expect.stringContaining("runtime.fetch"),
    });
  });

  it("takes a name for the AI Gateway as the model, unless it is asked for a script", () => {
    app(NEXT);
    expect(plan(false).write["agent/model.js"]).toContain('model = "openai/gpt-5"');
  });

  it.each([
    ["outside of a project", undefined, "There is no package.json"],
    ["in a project of another framework", { svelte: "5.0.0" }, "neither Next.js nor Vite with React"],
    ["with a version of the AI SDK that is too old", { ...NEXT, ai: "4.3.0" }, "Install 7, 6 or 5"],
    ["with zod 3", { ...NEXT, zod: "^3.25.0" }, "npm install zod@4"],
  ])("%s, says what to do", (_, dependencies, message) => {
    if (dependencies !== undefined) app(dependencies);
    expect(() => inspectProject(folder)).toThrow(ProjectError);
    expect(() => inspectProject(folder)).toThrow(message);
  });

  const apps = [NEXT, VITE, { ...VITE, express: "5.3.0" }].flatMap((packages) =>
    ["7", "6", "5"].flatMap((ai) =>
      [true, false].map((isTyped) => ({ packages: { ...packages, ai }, isTyped })),
    ),
  );
  it.each(apps)("writes code that can be parsed: $packages, types: $isTyped", ({ packages, isTyped }) => {
    app(packages, ...(isTyped ? ["tsconfig.json"] : []));
    for (const [path, text] of Object.entries({ ...plan(true).write, ...plan(false).write })) {
      if (path.endsWith(".html")) continue;
      expect([path, parseSync(path, text).errors]).toEqual([path, []]);
    }
  });
});
