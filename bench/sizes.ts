import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

export interface Size {
  name: string;
  /** What a page gets for it, for people who read the table. */
  what: string;
  /** Bytes, minified and gzipped, with everything it needs except what `without` names. */
  gzip: number;
  /** The most it may be. */
  limit: number;
}

interface Measured {
  name: string;
  what: string;
  /** What a page would write. */
  code: string;
  without?: readonly string[];
  limit: number;
}

const KiB = 1024;
const REACT = ["react", "react-dom", "react/jsx-runtime"];

const MEASURED: readonly Measured[] = [
  {
    name: "protocol guard",
    what: "checks of the wire contract: all that browser code loads of it",
    code: 'export * from "./src/protocol/guard.ts"',
    limit: 1 * KiB,
  },
  {
    name: "protocol with zod",
    what: "the same contract as zod schemas, with zod, for servers",
    code: 'export * from "./src/protocol/index.ts"',
    limit: 9 * KiB,
  },
  {
    name: "form",
    what: "requested schema → fields → checked content",
    code: 'export * from "./src/form/index.ts"',
    limit: 3 * KiB,
  },
  {
    name: "client without form",
    what: "the client and its HTTP channel",
    code: 'export { createElicitationClient, createHttpChannel } from "./src/client/index.ts"',
    without: ["*/form/index.ts"],
    limit: 6 * KiB,
  },
  {
    name: "headless hook",
    what: "`useElicitation`, with the client",
    code: 'export { useElicitation } from "./src/react/index.ts"',
    without: REACT,
    limit: 8 * KiB,
  },
  {
    name: "drop-in",
    what: "`Elicitations` with every card and control, and `createElicitation`",
    code: 'export { Elicitations, useElicitation } from "./src/react/index.ts"; export { createElicitation } from "./src/ai-sdk/index.ts"',
    without: REACT,
    limit: 14 * KiB,
  },
  {
    name: "mock server",
    what: "a conforming server for tests, without MSW",
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
  const sizes = MEASURED.map(async ({ name, what, code, without = [], limit }) => {
    return { name, what, gzip: await bundle(code, "ts", without), limit };
  });
  const css = bundle('@import "./src/react/styles.css";', "css", []);
  const look = { name: "styles.css", what: "the look of the cards", gzip: await css, limit: 4 * KiB };
  return [...(await Promise.all(sizes)), look];
}
