/**
 * Measures how much the parts with React add to the first load of an app that already has React, by bundler. Users see
 * this number in their own build.
 */
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { type Rolldown, build as viteBuild } from "vite";
import type { webpackApp } from "./growth/webpack-app.mjs";
import { bundle, gzipped, MEASURED, REACT, root } from "./sizes.ts";

export interface Growth {
  name: string;
  /** Bytes of the first load, minified and gzipped. */
  vite: number;
  /** Absent if webpack is not installed. */
  webpack: number | undefined;
  esbuild: number;
  /** The maximum for `vite`. */
  goal: number | undefined;
}

const KiB = 1024;

/** What we want to reach with Vite, in KiB, and what a test allows with Vite or webpack, and with esbuild. */
const LIMITS = new Map([
  ["headless hook", { goal: 4, limit: 4.8, esbuild: 16 }],
  ["drop-in", { goal: 6, limit: 6.7, esbuild: 16 }],
  ["drop-in for an AI SDK chat", { goal: 12.5, limit: 12.5, esbuild: 16 }],
]);

/** The measurements above their limits. */
export function tooLarge(growth: readonly Growth[]): string[] {
  return growth.flatMap(({ name, vite, webpack = 0, esbuild }) => {
    const { limit, esbuild: esbuildLimit } = LIMITS.get(name) ?? { limit: 0, esbuild: 0 };
    const measured = [
      ["vite", vite, limit],
      ["webpack", webpack, limit],
      ["esbuild", esbuild, esbuildLimit],
    ] as const;
    return measured.flatMap(([bundler, bytes, most]) =>
      bytes > most * KiB ? [`${name}, ${bundler}: ${(bytes / KiB).toFixed(2)} of ${most} KiB`] : [],
    );
  });
}

const PART = "growth-part";
/** An app with React that uses all exports of a module. */
const appOf = (part: string) => `
  import { createElement } from "react";
  import { createRoot } from "react-dom/client";
  import * as part from ${JSON.stringify(part)};
  createRoot(document.body).render(createElement("p", part));`;

/** webpack, if it is installed. */
export async function installedWebpack(): Promise<typeof webpackApp | undefined> {
  if (!existsSync(new URL("node_modules/webpack", import.meta.url))) return undefined;
  return (await import("./growth/webpack-app.mjs")).webpackApp;
}

/** Runs one build after another, because each of them uses all cores. */
export async function measureGrowth(inWebpack?: typeof webpackApp): Promise<Growth[]> {
  const measure = async (code: string) => ({
    vite: await viteApp(code),
    webpack: await inWebpack?.(appOf, code),
    esbuild: await esbuildApp(code),
  });
  const empty = await measure("export {};");
  const grown: Growth[] = [];
  for (const { name, code, without } of MEASURED) {
    if (without !== REACT) continue;
    const { vite, webpack, esbuild } = await measure(code);
    grown.push({
      name,
      vite: vite - empty.vite,
      webpack: webpack && webpack - (empty.webpack ?? 0),
      esbuild: esbuild - empty.esbuild,
      goal: (LIMITS.get(name)?.goal ?? 0) * KiB || undefined,
    });
  }
  return grown;
}

function esbuildApp(code: string): Promise<number> {
  return bundle(appOf(PART), "ts", [], root, [
    {
      name: "part in memory",
      setup({ onResolve, onLoad }) {
        onResolve({ filter: new RegExp(`^${PART}$`) }, ({ path }) => ({ path, namespace: PART }));
        onLoad({ filter: /./, namespace: PART }, () => ({ contents: code, loader: "ts", resolveDir: root }));
      },
    },
  ]);
}

async function viteApp(code: string): Promise<number> {
  const chunks = new Map((await viteChunks(code)).map((chunk) => [chunk.fileName, chunk]));
  const first = new Set<string>();
  const load = (name: string): void => {
    if (first.has(name)) return;
    first.add(name);
    for (const other of chunks.get(name)?.imports ?? []) load(other);
  };
  for (const { fileName, isEntry } of chunks.values()) if (isEntry) load(fileName);
  return [...first].reduce((sum, name) => sum + gzipped(chunks.get(name)?.code ?? ""), 0);
}

/** The scripts of an app with React: one that uses all exports of `part`, or `app`. */
export async function viteChunks(part: string, app = appOf(`./${PART}.ts`)): Promise<Rolldown.OutputChunk[]> {
  const files: Readonly<Record<string, string>> = {
    [`${root}${PART}.ts`]: part,
    [`${root}growth-app.ts`]: app,
  };
  const built = await viteBuild({
    configFile: false,
    root,
    logLevel: "silent",
    // A production build even if NODE_ENV has another value, as in a test.
    define: { "process.env.NODE_ENV": '"production"' },
    oxc: { jsx: { runtime: "automatic", development: false } },
    plugins: [
      {
        name: "files in memory",
        enforce: "pre",
        resolveId: (id) => Object.keys(files).find((path) => basename(path) === basename(id)),
        load: (id) => files[id],
      },
    ],
    build: { write: false, rolldownOptions: { input: `${root}growth-app.ts` } },
  });
  const [output] = [built].flat();
  if (output === undefined || !("output" in output)) throw new Error("elicit-kit: Vite has built nothing.");
  return output.output.filter((file) => file.type === "chunk");
}
