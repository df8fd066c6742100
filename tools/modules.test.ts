import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { checkFile, checkModules, MODULES } from "./modules.mjs";

const messages = (file: string, text: string) => checkFile(file, text).map(({ message }) => message);

describe("the check of imports", () => {
  it("lets a module import itself and the modules that its row of the table allows", () => {
    expect(
      messages(
        "src/client/popup/popup.ts",
        `import { a } from "../clock.ts"; import type { B } from "../../contract/contract.ts"; export * from "../../form/index.ts";`,
      ),
    ).toEqual([]);
  });

  it.each([
    ["an import", `import { x } from "../react/index.ts";`],
    ["an import of types", `import type { X } from "../react/index.ts";`],
    ["an import for its effects", `import "../react/index.ts";`],
    ["a re-export", `export { x } from "../react/index.ts";`],
    ["a re-export of all", `export * from "../react/index.ts";`],
    ["an import at run time", `const x = await import("../react/index.ts");`],
    ["a type in place", `export const x: import("../react/index.ts").X = 1;`],
  ])("reports %s of a module that is not in the row", (_, text) => {
    expect(messages("src/form/draft.ts", text)).toEqual([
      `imports "../react/index.ts", which is in react. Module form may import: module contract, zod (in zod-form.ts only).`,
    ]);
  });

  it.each([
    ["src/form/draft.ts", "zod"],
    ["src/form/draft.ts", "zod/mini"],
    ["src/contract/guard.ts", "zod"],
    ["src/client/popup.ts", "react"],
    ["src/react/card.tsx", "node:fs"],
    ["src/react/card.tsx", "ai"],
    ["src/runtime/runtime.ts", "ai"],
    ["src/runtime/runtime.ts", "@modelcontextprotocol/client"],
    ["src/runtime/http/routes.ts", "node:crypto"],
    ["src/runtime/turn/turns.ts", "hono"],
    ["src/connect/page/page.ts", "node:crypto"],
    ["mock-server/handlers.ts", "node:http"],
    ["src/client/store.ts", "elicit-kit/form"],
  ])("reports in the file %s an import of the package %s", (file, name) => {
    expect(messages(file, `import x from "${name}";`)).toEqual([
      expect.stringContaining(`imports "${name}". Module `),
    ]);
  });

  it.each([
    ["src/contract/schema.ts", "zod/mini"],
    ["src/client/registrable-domain.ts", "tldts"],
    ["src/react/card.tsx", "react/jsx-runtime"],
    ["src/runtime/http/routes.ts", "hono/tiny"],
    ["src/agent/loop.ts", "ai"],
    ["src/node/serve.ts", "node:http"],
    ["demo/server/main.ts", "elicit-kit/runtime"],
    ["demo/server/main.ts", "oidc-provider"],
  ])("lets the file %s import %s", (file, name) => {
    expect(messages(file, `import x from "${name}";`)).toEqual([]);
  });

  it("lets the AI SDK module import types of the package ai, but no code", () => {
    const file = "src/ai-sdk/read-messages.ts";
    expect(messages(file, `import type { UIMessage } from "ai";`)).toEqual([]);
    const atRunTime = [expect.stringContaining(`imports "ai" at run time; only \`import type\` is allowed.`)];
    expect(messages(file, `import { readUIMessageStream } from "ai";`)).toEqual(atRunTime);
    expect(messages(file, `import { type UIMessage } from "ai";`)).toEqual(atRunTime);
  });

  it("reports an import of the demo that bypasses the public names", () => {
    expect(messages("demo/page/app.tsx", `import { a } from "../../src/client/index.ts";`)).toEqual([
      `imports "../../src/client/index.ts", which is in client. Module demo may import: module tools, any package, the kit by its public names.`,
    ]);
    expect(messages("demo/page/app.tsx", `import pkg from "../../package.json";`)).toEqual([
      expect.stringContaining("which belongs to no module."),
    ]);
  });

  it("enforces the order of the runtime's folders", () => {
    const ask = "src/runtime/request/ask.ts";
    expect(
      messages(ask, `import "../ports/index.ts"; import "../../base/ids.ts"; import "./record.ts";`),
    ).toEqual([]);
    expect(messages(ask, `import "../turn/turn.ts"; import "../runtime.ts";`)).toEqual([
      expect.stringContaining(`imports "../turn/turn.ts", which is in runtime/turn.`),
      expect.stringContaining(`imports "../runtime.ts", which is in runtime.`),
    ]);
    expect(messages("src/runtime/ports/records.ts", `import "../request/record.ts";`)).toHaveLength(1);
    expect(messages("src/runtime/http/routes.ts", `import "../tool/elicitor.ts";`)).toHaveLength(1);
  });

  it("reports imports of accounts, protocols and hosts in the runtime, and of the runtime in the module of the clock", () => {
    expect(messages("src/runtime/turn/a.ts", `import "../../connect/index.ts";`)).toHaveLength(1);
    expect(messages("src/runtime/turn/a.ts", `import "../../mcp/wire/translate.ts";`)).toHaveLength(1);
    expect(messages("src/runtime/turn/a.ts", `import "../../node/index.ts";`)).toHaveLength(1);
    expect(messages("src/base/clock.ts", `import "../runtime/index.ts";`)).toHaveLength(1);
  });

  it("lets other modules import only the two entry files of the runtime", () => {
    const loop = "src/agent/loop.ts";
    expect(messages(loop, `import "../runtime/index.ts"; import "../runtime/internal.ts";`)).toEqual([]);
    expect(messages(loop, `import "../runtime/runtime.ts"; import "../runtime/turn/turn.ts";`)).toEqual([
      expect.stringContaining(`imports "../runtime/runtime.ts" past the doors of runtime`),
      expect.stringContaining(`imports "../runtime/turn/turn.ts", which is in runtime/turn.`),
    ]);
  });

  it("reports an import whose name is only known when the program runs", () => {
    expect(messages("src/client/a.ts", "const name = 'zod'; await import(name);")).toEqual([
      expect.stringContaining("imports a name made at run time"),
    ]);
  });

  it("lets only one program import a module that its user names", () => {
    const text = "await import(name);";
    expect(messages("extras/conformance/command.ts", text)).toEqual([]);
    expect(messages("extras/conformance/index.ts", text)).toHaveLength(1);
  });

  it("reports a file that belongs to no module", () => {
    expect(messages("src/helpers.ts", "")).toEqual([expect.stringContaining("belongs to no module.")]);
    expect(messages("src/formless/a.ts", "")).toEqual([expect.stringContaining("belongs to no module.")]);
  });

  it("reports the line of an import", () => {
    expect(checkFile("src/form/a.ts", `// one\n\nimport "react";`)).toMatchObject([
      { file: "src/form/a.ts", line: 3 },
    ]);
  });

  it("ignores text that looks like an import", () => {
    expect(messages("src/form/a.ts", `// import "react"\nconst a = 'import "react"';`)).toEqual([]);
  });
});

describe("the kit in src", () => {
  const kit = MODULES.filter(({ dir, name }) => dir.startsWith("src/") && !name.includes("testing"));

  it("may import no extra", () => {
    const extras = MODULES.filter(({ dir }) => dir.startsWith("extras/")).map(({ name }) => name);
    expect(extras.length).toBeGreaterThan(25);
    expect(kit.flatMap(({ modules }) => modules.filter((name) => extras.includes(name)))).toEqual([]);
  });

  it("may import few packages, of which an application installs those it uses", () => {
    const packages = kit.flatMap(({ packages: own = [], types = [], files = {} }) => [
      ...own,
      ...types,
      ...Object.values(files).flat(),
    ]);
    expect([...new Set(packages)].toSorted()).toEqual([
      // The agent calls A2A agents, and loads their SDK with the first call.
      "@a2a-js/sdk",
      "@hono/node-server",
      "@modelcontextprotocol/client",
      "@radix-ui/react-dialog",
      "ai",
      "hono",
      "import()",
      "node:",
      "oauth4webapi",
      "react",
      "react-dom",
      "tldts",
      "uqr",
      "zod",
    ]);
  });
});

describe("the check of the whole checkout", () => {
  const made: string[] = [];
  afterEach(() => made.splice(0).forEach((dir) => rmSync(dir, { recursive: true })));

  it("reads all modules and skips tests", () => {
    const checkout = mkdtempSync(join(tmpdir(), "modules-"));
    made.push(checkout);
    for (const [file, text] of Object.entries({
      "src/form/deep/er/a.ts": `import "react";`,
      "src/form/a.test.ts": `import "react";`,
      "src/form/a.dom.test.ts": `import "react";`,
      "src/react/styles.css": `@import "x";`,
      "mock-server/a.ts": "",
      "demo/server/main.ts": `import "../../src/form/a.ts";`,
    })) {
      mkdirSync(dirname(join(checkout, file)), { recursive: true });
      writeFileSync(join(checkout, file), text);
    }
    const { files, violations } = checkModules(checkout);
    expect(files).toBe(3);
    expect(violations.map(({ file }) => file)).toEqual(["src/form/deep/er/a.ts", "demo/server/main.ts"]);
  });
});
