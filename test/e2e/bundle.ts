import { fileURLToPath } from "node:url";
import { type OutputFile, build } from "esbuild";

/** Bundles a page of this folder on the built package, like a user's page. */
export async function bundlePage(path: string, { splitting = false } = {}): Promise<readonly OutputFile[]> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(path, import.meta.url))],
    outdir: "/",
    bundle: true,
    splitting,
    write: false,
    logLevel: "error",
    format: "esm",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
    // The paths of tsconfig.json point to the source files of the kit.
    tsconfigRaw: {},
  });
  return outputFiles;
}
