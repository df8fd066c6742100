import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { UIMessage } from "ai";
import { build } from "vite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createChatClient } from "../stages/chat-client.ts";
import { sourceAlias } from "../../tools/source-alias.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** Inside the checkout, so that packages are found as in an app, and invisible to other tools. */
const app = join(root, "node_modules", ".guide-ai-sdk");
const guide = [
  "docs/start/quickstart.md",
  "docs/show/reload.md",
  "docs/start/your-chat-route.md",
  "docs/protocols/openai-compatible.md",
  "README.md",
  "skills/elicit-kit/SKILL.md",
]
  .map((page) => readFileSync(join(root, page), "utf8"))
  .join("\n");

/**
 * A file has its name as heading. Another version of it has the name and a condition: "`lib/model.ts`, without a key".
 */
const blocks = [...guide.matchAll(/^`(\S+)`(, .+)?\n\n```tsx?\n([^]*?)^```$/gm)].map(
  ([, name = "", variant = "", code = ""]) => ({
    file: name.replace(/(?=\.tsx?$)/, variant.replaceAll(/\W+/g, "-")),
    code,
  }),
);

beforeAll(() => {
  for (const { file, code } of blocks) {
    mkdirSync(dirname(join(app, file)), { recursive: true });
    writeFileSync(join(app, file), code);
  }
  const compilerOptions = { paths: pathsFromHere() };
  const files = blocks.map(({ file }) => file);
  writeFileSync(
    join(app, "tsconfig.json"),
    JSON.stringify({ extends: "../../tsconfig.json", compilerOptions, files, include: [] }),
  );
});
afterAll(() => rmSync(app, { recursive: true, force: true }));

/** The kit's entries, with the paths of the checkout's own configuration. */
function pathsFromHere(): Record<string, string[]> {
  const { compilerOptions } = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"));
  return Object.fromEntries(
    Object.entries<string[]>(compilerOptions.paths).map(([name, paths]) => [
      name,
      paths.map((path) => join("../..", path)),
    ]),
  );
}

it("the quickstart and the README contain an app that compiles, for each of the three servers, and each code block belongs to a file", async () => {
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [tsc, "-p", app, "--pretty", "false"], (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
  expect(output).toBe("");
  expect(guide.match(/^```tsx?/gm)).toHaveLength(blocks.length);
  const files = blocks.map(({ file }) => file);
  expect(files).toEqual(
    expect.arrayContaining([
      "app/run/[...path]/route.ts",
      "server-hono.ts",
      "server-express.ts",
      "app/page.tsx",
      "app/api/own-chat/route.ts",
      "app/api/chat/route.ts",
    ]),
  );
});

it("the quickstart shows the same code under the same file name", () => {
  const byFile = new Map(blocks.map(({ file, code }) => [file, code]));
  for (const { file, code } of blocks) expect(code).toBe(byFile.get(file));
});

it("the quickstart contains a tool that asks, and a history that a page gets when it is reloaded", async () => {
  const script = { find: /^\.\/model$/, replacement: join(app, "lib/model-without-a-key.ts") };
  await build({
    configFile: false,
    logLevel: "error",
    root: app,
    resolve: { alias: [script, ...sourceAlias] },
    build: {
      ssr: true,
      outDir: join(app, "built"),
      rolldownOptions: {
        input: {
          runtime: join(app, "lib/runtime-with-the-history.ts"),
          history: join(app, "app/history/[id]/route.ts"),
        },
      },
    },
  });
  const { runtime } = await import(join(app, "built/runtime.js"));
  const { GET } = await import(join(app, "built/history.js"));
  const historyOf = async (id: string): Promise<UIMessage[]> => {
    const request = new Request(`http://localhost:3000/history/${id}`);
    return (await GET(request, { params: Promise.resolve({ id }) })).json();
  };

  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  expect(await historyOf("c1")).toMatchObject([{ role: "user" }]);
  const content = { city: "Lisbon", nights: 3 };
  expect((await ada.answer("c1", { elicitationId, action: "accept", content })).status).toBe(200);
  await stream.done;
  const history = await historyOf("c1");
  expect(history).toMatchObject([{ role: "user" }, { role: "assistant" }]);
  expect(JSON.stringify(history[1]?.parts)).toContain("Booked 3 nights in Lisbon.");
  expect(JSON.stringify(history[1]?.parts)).toContain(elicitationId);
  expect(await historyOf("c2")).toEqual([]);
  await runtime.close();
});
