import { readFile, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { missingPackage } from "../base/foreign-error.ts";

/**
 * Reads the modules of the installed `@nangohq/frontend` (an optional peer dependency) by file name, for `nangoFrontend` of a
 * hosted page. They are served unchanged: the package has its own licence.
 */
export async function readNangoFrontend(): Promise<Readonly<Record<string, string>>> {
  const folder = dirname(fileURLToPath(locate()));
  const files = (await readdir(folder)).filter((name) => /^\w+\.js$/.test(name));
  return Object.fromEntries(
    await Promise.all(files.map(async (name) => [name, await readFile(join(folder, name), "utf8")] as const)),
  );
}

function locate(): string {
  try {
    return import.meta.resolve("@nangohq/frontend");
  } catch (error) {
    throw missingPackage("@nangohq/frontend", "readNangoFrontend", error);
  }
}
