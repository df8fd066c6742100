import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** Inside the checkout, so that packages are found as in an app, and out of the sight of other tools. */
const app = join(root, "node_modules", ".guide-ai-sdk");
const guide = [
  "docs/ai-sdk.md",
  "docs/reload.md",
  "docs/own-route.md",
  "docs/openai-compatible.md",
  "README.md",
]
  .map((page) => readFileSync(join(root, page), "utf8"))
  .join("\n");

const blocks = [...guide.matchAll(/^`(\S+)`\n\n```tsx?\n(.*?)^```$/gms)].map(([, file = "", code = ""]) => ({
  file,
  code,
}));

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

/** The kit's entries, as the checkout's own configuration has them. */
function pathsFromHere(): Record<string, string[]> {
  const { compilerOptions } = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"));
  return Object.fromEntries(
    Object.entries<string[]>(compilerOptions.paths).map(([name, paths]) => [
      name,
      paths.map((path) => join("../..", path)),
    ]),
  );
}

it("has an app in it that compiles, as has the README: no code without a file, for each of the three servers", async () => {
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
