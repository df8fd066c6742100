import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Plugin } from "esbuild";

/** The root of the repository, from which a measured page resolves its imports. */
export const root = fileURLToPath(new URL("..", import.meta.url));

export interface Size {
  name: string;
  /** What the part gives a page, for the table. */
  what: string;
  /** Bytes, minified and gzipped, with all dependencies except those in `without`. */
  gzip: number;
  /** The maximum for `gzip`, if there is one. */
  limit?: number | undefined;
}

export interface Measured {
  name: string;
  what: string;
  /** The code that a page would contain. */
  code: string;
  without?: readonly string[];
  limit?: number;
}

const KiB = 1024;
export const REACT = ["react", "react-dom", "react/jsx-runtime"];
/** What a page needs in addition to the cards: the client, and its connection to the server. */
const CLIENT = 'export { createElicitationClient, createHttpChannel } from "./src/client/index.ts"';
/** The modules that channels share with the client. */
const IN_CLIENT = [
  "*/client/channel.ts",
  "*/client/clock.ts",
  "*/contract/guard.ts",
  "*/contract/json.ts",
  "*/contract/timestamp.ts",
];

export const MEASURED: readonly Measured[] = [
  {
    name: "protocol guard",
    what: "checks of the wire contract: all that browser code loads of it",
    code: 'export * from "./src/contract/guard.ts"',
    limit: 1.45 * KiB,
  },
  {
    name: "protocol with zod",
    what: "the same contract as zod schemas, with zod, for servers",
    code: 'export * from "./src/contract/index.ts"; export * from "./src/contract/schema.ts"',
    limit: 9 * KiB,
  },
  {
    name: "form",
    what: "requested schema → fields → checked content",
    code: 'export * from "./src/form/index.ts"',
    limit: 4.3 * KiB,
  },
  {
    name: "client without form",
    what: "the client and its HTTP channel",
    code: CLIENT,
    without: ["*/form/parse-on-demand.ts"],
    limit: 9 * KiB,
  },
  {
    name: "headless hook",
    what: "`useElicitationList`, with the client",
    code: `export { useElicitationList } from "./src/react/index.ts"; ${CLIENT}`,
    without: REACT,
    limit: 12.3 * KiB,
  },
  {
    name: "drop-in",
    what: "the hook, and `Elicitations` with every card and control, with the client",
    code: `export { Elicitations, useElicitationList } from "./src/react/index.ts"; ${CLIENT}`,
    without: REACT,
    limit: 27 * KiB,
  },
  {
    name: "drop-in for an AI SDK chat",
    what: "the drop-in with `createElicitation`, which has the client in it",
    code: 'export { Elicitations, useElicitationList } from "./src/react/index.ts"; export { createElicitation } from "./src/ai-sdk/index.ts"',
    without: REACT,
    limit: 28.8 * KiB,
  },
  {
    name: "AG-UI channel",
    what: "`createAgUiChannel`, without the client and the agent",
    code: 'export * from "./extras/ag-ui/page/index.ts"',
    without: IN_CLIENT,
    limit: 3.7 * KiB,
  },
  {
    name: "ACP channel",
    what: "`createAcpChannel`, without the client and the SDK",
    code: 'export * from "./extras/acp/page/index.ts"',
    without: ["@agentclientprotocol/sdk", ...IN_CLIENT],
    limit: 3 * KiB,
  },
  {
    name: "A2A channel",
    what: "`createA2aChannel`, without the client and the SDK",
    code: 'export * from "./extras/a2a/page/index.ts"',
    without: ["@a2a-js/sdk", ...IN_CLIENT],
    limit: 5.8 * KiB,
  },
  {
    name: "MCP channel",
    what: "`createMcpChannel`, without the client, the SDK and what loads with the first call",
    code: 'export * from "./src/mcp/page/index.ts"',
    without: ["@modelcontextprotocol/client", ...IN_CLIENT],
    limit: 3 * KiB,
  },
  {
    name: "Slack surface",
    what: "`createSlackSurface` with its six languages, for servers, without the runtime",
    code: 'export { createSlackSurface } from "./extras/slack/index.ts"',
    without: [],
    limit: 45 * KiB,
  },
  {
    name: "Slack functions",
    what: "`requestMessage`, `requestModal`, `readSubmission` and a client, in English",
    code: 'export { createSlackClient, isSignedBySlack, readSubmission, requestMessage, requestModal, suggestOptions } from "./extras/slack/index.ts"',
    without: [],
    limit: 15 * KiB,
  },
  {
    name: "mock server",
    what: "a conforming server for tests, without MSW",
    code: 'export * from "./mock-server/index.ts"',
    without: ["msw"],
    limit: 45 * KiB,
  },
];

interface Peer {
  /** The name of our part with the same purpose. */
  ours: string;
  name: string;
  /** The code that a page would contain. Its packages are those of `bench/package.json`. */
  code: string;
  /** The maximum for our part, as a multiple of the peer. Absent if the two do different amounts of work. */
  times?: number;
}

const PEERS: readonly Peer[] = [
  {
    ours: "drop-in",
    name: "@assistant-ui/react-mcp, McpElicitationPrimitive",
    code: 'export { McpElicitationPrimitive } from "@assistant-ui/react-mcp"',
    times: 1,
  },
  {
    ours: "drop-in",
    name: "@rjsf/core with @rjsf/validator-ajv8",
    code: 'export { default as Form } from "@rjsf/core"; export { default as validator } from "@rjsf/validator-ajv8"',
  },
  {
    ours: "form",
    name: "ajv with ajv-formats",
    code: 'export { Ajv } from "ajv"; export { default as formats } from "ajv-formats"',
  },
  {
    ours: "headless hook",
    name: "@ai-sdk/react, useChat",
    code: 'export { useChat } from "@ai-sdk/react"',
  },
];

/**
 * Bundles a page with the code `contents`. Returns the bytes of the first load, minified and gzipped, without the modules
 * in `external` and without dynamic imports.
 */
export async function bundle(
  contents: string,
  loader: "ts" | "css",
  external: readonly string[] = [],
  resolveDir = root,
  plugins: Plugin[] = [],
): Promise<number> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, loader, resolveDir },
    bundle: true,
    minify: true,
    splitting: true,
    write: false,
    outdir: "out",
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    external: [...external],
    define: { "process.env.NODE_ENV": '"production"' },
    metafile: true,
    plugins,
    logLevel: "silent",
  });
  const { outputs } = metafile;
  const paths = new Set<string>();
  const load = (path: string | undefined): void => {
    if (path === undefined || paths.has(path)) return;
    paths.add(path);
    for (const { kind, path: to } of outputs[path]?.imports ?? []) if (kind === "import-statement") load(to);
  };
  load(Object.keys(outputs).find((path) => outputs[path]?.entryPoint === "<stdin>"));
  const files = outputFiles.filter(({ path }) =>
    paths.has(relative(process.cwd(), path).replaceAll("\\", "/")),
  );
  return files.reduce((sum, file) => sum + gzipped(file.contents), 0);
}

/** Measures the size of the kit in the first load of a page. */
export async function measureSizes(): Promise<Size[]> {
  const sizes = MEASURED.map(async ({ name, what, code, without = [], limit }) => {
    return { name, what, gzip: await bundle(code, "ts", without), limit };
  });
  const css = bundle('@import "./src/react/styles.css";', "css", []);
  const look = { name: "styles.css", what: "the look of the cards", gzip: await css, limit: 6 * KiB };
  return [...(await Promise.all(sizes)), look];
}

export const gzipped = (data: string | Uint8Array): number => gzipSync(data, { level: 9 }).byteLength;

/** Measures the size of other packages. Needs the packages of `bench/package.json`. */
export async function measurePeerSizes(): Promise<(Omit<Peer, "code"> & { gzip: number })[]> {
  const folder = fileURLToPath(new URL(".", import.meta.url));
  return Promise.all(
    PEERS.map(async ({ code, ...peer }) => ({ ...peer, gzip: await bundle(code, "ts", REACT, folder) })),
  );
}
