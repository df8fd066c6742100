import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

export interface Size {
  name: string;
  /** Bytes, minified and gzipped, with everything it needs except what `without` names. */
  gzip: number;
  /** The most it may be. */
  limit: number;
}

interface Measured {
  name: string;
  /** What a page would write. */
  code: string;
  without?: readonly string[];
  limit: number;
}

const KiB = 1024;
const REACT = ["react", "react-dom", "react/jsx-runtime"];

const MEASURED: readonly Measured[] = [
  { name: "protocol guard", code: 'export * from "./src/protocol/guard.ts"', limit: 1 * KiB },
  { name: "protocol with zod", code: 'export * from "./src/protocol/index.ts"', limit: 9 * KiB },
  { name: "form", code: 'export * from "./src/form/index.ts"', limit: 3 * KiB },
  {
    name: "client without form",
    code: 'export { createElicitationClient, createHttpChannel } from "./src/client/index.ts"',
    without: ["*/form/index.ts"],
    limit: 6 * KiB,
  },
  {
    name: "headless hook",
    code: 'export { useElicitation } from "./src/react/index.ts"',
    without: REACT,
    limit: 8 * KiB,
  },
  {
    name: "drop-in",
    code: 'export { Elicitations, useElicitation } from "./src/react/index.ts"; export { createElicitation } from "./src/ai-sdk/index.ts"',
    without: REACT,
    limit: 14 * KiB,
  },
  {
    name: "mock server",
    code: 'export * from "./mock-server/index.ts"',
    without: ["msw"],
    limit: 30 * KiB,
  },
];

async function bundle(contents: string, loader: "ts" | "css", external: readonly string[]): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, loader, resolveDir: root },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    external: [...external],
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "silent",
  });
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).byteLength;
}

/** What the kit costs a page at first load. */
export async function measureSizes(): Promise<Size[]> {
  const sizes = MEASURED.map(async ({ name, code, without = [], limit }) => {
    return { name, gzip: await bundle(code, "ts", without), limit };
  });
  const css = bundle('@import "./src/react/styles.css";', "css", []);
  return [...(await Promise.all(sizes)), { name: "styles.css", gzip: await css, limit: 4 * KiB }];
}
