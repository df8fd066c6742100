import { copyFile, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { checkout, execute } from "./installed.ts";

/** The imports of the uses besides the package, its dependencies and its peers. */
const BESIDES = ["@ai-sdk/react", "@types/node", "@types/react", "@types/react-dom"];

const STRICT = {
  target: "ES2023",
  lib: ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
  jsx: "react-jsx",
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  noEmit: true,
  types: ["node"],
};

/** How a project resolves packages: like Node, or like bundlers. */
export const RESOLUTIONS = {
  nodenext: { module: "nodenext", moduleResolution: "nodenext" },
  bundler: { module: "esnext", moduleResolution: "bundler" },
} as const;

/** Copies the uses in `types/` into a project that has the package installed. */
export async function copyUses(project: string): Promise<void> {
  const folder = join(checkout, "test", "package", "types");
  for (const name of await readdir(folder)) await copyFile(join(folder, name), join(project, name));
  await writeFile(join(project, "package.json"), '{ "type": "module" }');
  for (const name of BESIDES) {
    const place = join(project, "node_modules", name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(checkout, "node_modules", name), place, "junction");
  }
}

/**
 * Compiles the uses.
 *
 * @param tsc path of the compiler
 * @param more compiler options besides the strict ones
 * @returns its errors, one per line; empty if there are none
 */
export async function compile(project: string, tsc: string, more: object): Promise<string[]> {
  const config = { compilerOptions: { ...STRICT, ...more }, include: ["*.tsx"] };
  await writeFile(join(project, "tsconfig.json"), JSON.stringify(config));
  try {
    await execute(process.execPath, [tsc, "-p", "tsconfig.json", "--pretty", "false"], { cwd: project });
    return [];
  } catch (error) {
    if (!(error instanceof Error) || !("stdout" in error) || typeof error.stdout !== "string") throw error;
    // An indented line continues the line before.
    const lines = error.stdout.split("\n").filter((line) => /^\S/.test(line));
    if (lines.length === 0) throw error;
    return lines;
  }
}
