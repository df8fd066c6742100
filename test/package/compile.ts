import { copyFile, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { checkout, execute } from "./installed.ts";

/** What the uses import besides the package, its dependencies and its peers. */
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

/** How a project finds its packages: as Node does, or as bundlers do. */
export const RESOLUTIONS = {
  nodenext: { module: "nodenext", moduleResolution: "nodenext" },
  bundler: { module: "esnext", moduleResolution: "bundler" },
} as const;

/** Puts the uses of `types/` into a project that has the package installed. */
export async function copyUses(project: string): Promise<void> {
  const folder = join(checkout, "test", "package", "types");
  for (const name of await readdir(folder)) await copyFile(join(folder, name), join(project, name));
  await writeFile(join(project, "package.json"), '{ "type": "module" }');
  await writeFile(join(project, "css.d.ts"), 'declare module "*.css";\n');
  for (const name of BESIDES) {
    const place = join(project, "node_modules", name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(checkout, "node_modules", name), place);
  }
}

/**
 * Compiles the uses.
 *
 * @param tsc path of the compiler
 * @param more compiler options besides the strict ones
 * @returns what it complains about, a line each; empty when nothing is wrong
 */
export async function compile(project: string, tsc: string, more: object): Promise<string[]> {
  const config = { compilerOptions: { ...STRICT, ...more }, include: ["*.tsx", "css.d.ts"] };
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
