import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build } from "vite";
import manifest from "../../package.json" with { type: "json" };
import { programOf } from "../../tools/program.mjs";
import { checkout, execute, type Installed, installPacked } from "./installed.ts";

let installed: Installed;
beforeAll(async () => {
  installed = await installPacked();
});
afterAll(() => installed.remove());

/** Peers too, because an app installs them for us. */
const PERMISSIVE = new Set(["MIT", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "0BSD"]);

const cliOf = async ({ project }: Installed): Promise<string> => {
  const home = join(project, "node_modules/elicit-kit");
  const { bin: programs } = JSON.parse(await readFile(join(home, "package.json"), "utf8")) as {
    bin: { "elicit-kit": string };
  };
  return join(home, programs["elicit-kit"]);
};

/** Runs a program of development. */
const run = (name: string, args: readonly string[]) =>
  execute(process.execPath, [programOf(checkout, name), ...args]);

describe("the packed package", () => {
  it("contains the build, the documentation and the licence, and nothing else", () => {
    const strange = installed.files.filter(
      (path) =>
        !/^(?:dist\/.*\.(?:js|js\.map|d\.ts|css|html)|llms\.txt|skills\/.*\.md|docs\/.*\.md|docs\/.*\.schema\.json|docs\/examples\/.*|templates\/next\/.*|(?:README|CHANGELOG|ARCHITECTURE|CONTRIBUTING|SECURITY)\.md|LICENSE|package\.json)$/.test(
          path,
        ),
    );
    expect(strange).toEqual([]);
    expect(
      installed.files.filter((path) =>
        /\.(?:test|test-d|stories)\.|^(?!docs\/).*(?<!slack)\/testing\//.test(path),
      ),
    ).toEqual([]);
    expect(installed.files).toEqual(
      expect.arrayContaining([
        "LICENSE",
        "README.md",
        "CHANGELOG.md",
        "docs/README.md",
        "llms.txt",
        "skills/elicit-kit/SKILL.md",
      ]),
    );
  });

  it("has each file that its README links to", async () => {
    const readme = await readFile(join(checkout, "README.md"), "utf8");
    const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, path = ""]) => path);
    expect(links.length).toBeGreaterThan(10);
    const has = (path: string) =>
      installed.files.some((file) => file === path || file.startsWith(`${path}/`));
    expect(links.filter((path) => !has(path))).toEqual([]);
  });

  it("is smaller than 1.5 MB", async () => {
    expect((await stat(installed.tarball)).size).toBeLessThan(1_500_000);
  });

  it("lets an app choose each dependency within a major version, and no newer one that nobody tried", () => {
    expect(Object.values(manifest.dependencies).filter((range) => !range.startsWith("^"))).toEqual([]);
    expect(
      Object.values(manifest.peerDependencies).filter((range) => />/.test(range) && !/</.test(range)),
    ).toEqual([]);
  });

  it("is well formed, according to publint", async () => {
    await expect(run("publint", [installed.tarball, "--strict"])).resolves.toBeTruthy();
  });

  it("has types for every module resolution, according to attw", async () => {
    const options = [
      "--profile",
      "esm-only",
      "--exclude-entrypoints",
      "styles.css",
      "dock.css",
      "inbox.css",
      "tokens.css",
      "mock-server/connect.html",
    ];
    await expect(run("attw", [installed.tarball, ...options])).resolves.toBeTruthy();
  });

  it("can be imported in Node by each of its names, with only its declared dependencies", async () => {
    const script = installed.modules
      .map(
        (name) =>
          `console.log(${JSON.stringify(name)}, Object.keys(await import(${JSON.stringify(name)})).length);`,
      )
      .join("\n");
    await writeFile(join(installed.project, "all.mjs"), script);
    const { stdout } = await execute(process.execPath, ["all.mjs"], { cwd: installed.project });
    const found = stdout
      .trim()
      .split("\n")
      .map((line) => line.split(" "));
    expect(found.map(([name]) => name)).toEqual(installed.modules);
    expect(found.filter(([, names]) => names === "0")).toEqual([]);
  });

  it("does not import any optional package except the one that an entry is for", async () => {
    const bare = await installPacked(["react", "react-dom"]);
    const script = `const missing = {};
      for (const name of ${JSON.stringify(bare.modules)}) {
        await import(name).catch(({ message }) => {
          missing[name] = /^Cannot find package '([^']+)'/.exec(message)?.[1] ?? message;
        });
      }
      console.log(JSON.stringify(missing));`;
    await writeFile(join(bare.project, "bare.mjs"), script);
    const { stdout } = await execute(process.execPath, ["bare.mjs"], { cwd: bare.project });
    await bare.remove();
    const missing = JSON.parse(stdout) as Readonly<Record<string, string>>;
    expect(missing).toEqual({
      "elicit-kit/agent": "ai",
      "elicit-kit/contract/schema": "zod",
      "elicit-kit/runtime": "zod",
      "elicit-kit/a2a/server": "@a2a-js/sdk",
      "elicit-kit/acp": "@agentclientprotocol/sdk",
      "elicit-kit/acp/server": "@agentclientprotocol/sdk",
      "elicit-kit/mcp/server": "@modelcontextprotocol/server",
      "elicit-kit/dialog": "@radix-ui/react-dialog",
      "elicit-kit/registrable-domain": "tldts",
      "elicit-kit/mock-server": "msw",
      "elicit-kit/mock-server/node": "msw",
    });
    for (const [entry, name] of Object.entries(missing)) {
      const page = entry.slice("elicit-kit/".length).replaceAll("/", "-");
      const about = await readFile(join(checkout, "docs/api", `${page}.md`), "utf8");
      expect(about.replaceAll(/\s+/g, " ")).toMatch(
        new RegExp(`Needs \`${name}\`[^:]*: \`npm install (?:--save-dev )?${name}\\b[^\`]*\`\\.`),
      );
    }
  });

  it("has functions whose errors name the command that installs a missing optional package", async () => {
    const bare = await installPacked(["msw"]);
    const script = `const said = {};
      const hear = (name, called) => called.catch(({ message }) => { said[name] = message; });
      const node = await import("elicit-kit/node");
      await hear("serve", node.serve({ fetch: () => new Response() }));
      await hear("readNangoFrontend", node.readNangoFrontend());
      const { startMockServer } = await import("elicit-kit/mock-server/node");
      await hear("startMockServer", startMockServer({ script: [] }));
      const { createPostgresPorts } = await import("elicit-kit/postgres");
      await hear("createPostgresPorts", createPostgresPorts({ connectionString: "postgres://x", onError() {} }));
      console.log(JSON.stringify(said));`;
    await writeFile(join(bare.project, "functions.mjs"), script);
    const { stdout } = await execute(process.execPath, ["functions.mjs"], { cwd: bare.project });
    await bare.remove();
    const needs = (who: string, name: string) =>
      `elicit-kit: ${who} needs the package ${name}, which could not be loaded. Install it: npm install ${name}`;
    expect(JSON.parse(stdout)).toEqual({
      serve: needs("serve", "@hono/node-server"),
      readNangoFrontend: needs("readNangoFrontend", "@nangohq/frontend"),
      startMockServer: needs("serve", "@hono/node-server"),
      createPostgresPorts: needs("createPostgresPorts", "pg"),
    });
  });

  it("runs as a program, with only its declared dependencies", async () => {
    const { stdout } = await execute(process.execPath, [await cliOf(installed), "--help"]);
    expect(stdout).toContain("conformance");
    const { stdout: help } = await execute(process.execPath, [
      await cliOf(installed),
      "conformance",
      "--help",
    ]);
    expect(help).toContain("elicit-kit conformance <baseUrl>");
  });

  it("says which version of Node.js it needs when it is started with an older one", async () => {
    const older = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "22.11.0" } })`;
    const started = execute(process.execPath, [
      `--import=data:text/javascript,${encodeURIComponent(older)}`,
      await cliOf(installed),
      "--help",
    ]);
    await expect(started).rejects.toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining(
        "elicit-kit: this is Node.js 22.11.0, and version 22.12 or newer is needed.",
      ),
    });
    expect(manifest.engines.node).toBe(">=22.12");
  });

  it("has only permissively licensed dependencies, except the optional Nango", async () => {
    const names = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).filter(
      (name) => !name.startsWith("@nangohq/"),
    );
    const licences = await Promise.all(
      names.map(async (name) => {
        const text = await readFile(join(checkout, "node_modules", name, "package.json"), "utf8");
        const { license } = JSON.parse(text) as { license?: string };
        return [name, license] as const;
      }),
    );
    expect(licences.filter(([, licence]) => !PERMISSIVE.has(licence ?? "none"))).toEqual([]);
  });

  it("builds into a page with Vite, without the server's code or a schema library", async () => {
    const { files, modules } = await buildPage(
      `import "elicit-kit/styles.css";
       import { Elicitations, useElicitationList } from "elicit-kit";
       import { createElicitation } from "elicit-kit/ai-sdk";
       document.title = [Elicitations, useElicitationList, createElicitation].map(String).join();`,
    );
    expect(files.some((fileName) => fileName.endsWith(".css"))).toBe(true);
    expect(modules.some((id) => id.includes("elicit-kit"))).toBe(true);
    expect(modules.filter((id) => /\/(?:zod|hono|ai|msw)\//.test(id))).toEqual([]);
  });

  it("adds no component and no texts to a page that only uses the hook", async () => {
    const { modules } = await buildPage(
      `import { useElicitationList } from "elicit-kit";
       document.title = String(useElicitationList);`,
    );
    const ui = /\/(?:connect-prompt|form-elicitation|elicitation-prompt|elicitations|prompt|words)\//;
    expect(modules.filter((id) => id.includes("/use-elicitation"))).toHaveLength(1);
    expect(modules.filter((id) => id.includes("elicit-kit/dist") && ui.test(id))).toEqual([]);
  });

  it("adds no schema library and no error class to a page that only checks requests", async () => {
    const { modules } = await buildPage(
      `import { parseElicitationRequest } from "elicit-kit/contract";
       document.title = String(parseElicitationRequest({}).ok);`,
    );
    expect(modules.filter((id) => id.includes("/contract/guard"))).toHaveLength(1);
    expect(modules.filter((id) => /\/zod\/|\/kit-error/.test(id))).toEqual([]);
  });

  it.each(["elicit-kit/node", "elicit-kit/postgres", "elicit-kit/dbos", "elicit-kit/mock-server/node"])(
    "makes the build of a page fail that imports %s, and the error names the import",
    async (name) => {
      const built = buildPage(`import * as all from "${name}"; document.title = String(all);`);
      await expect(built).rejects.toThrow(`"./${name.slice("elicit-kit/".length)}"`);
    },
  );
});

/** The names of the files of a page that runs `code`, and the modules in them. */
async function buildPage(code: string) {
  await writeFile(join(installed.project, "package.json"), '{ "type": "module" }');
  await writeFile(join(installed.project, "index.html"), '<script type="module" src="./page.js"></script>');
  await writeFile(join(installed.project, "page.js"), code);
  const output = await build({
    root: installed.project,
    configFile: false,
    // Failures are thrown.
    logLevel: "silent",
    build: { write: false, minify: false },
  });
  const outputs = Array.isArray(output) ? output : [output];
  const files = outputs.flatMap((one) => ("output" in one ? one.output : []));
  return {
    files: files.map(({ fileName }) => fileName),
    modules: files.flatMap((file) => (file.type === "chunk" ? Object.keys(file.modules) : [])),
  };
}
