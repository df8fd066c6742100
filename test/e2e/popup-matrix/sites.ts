import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { listen } from "../../stages/listen.ts";

/** Four sites on free ports. Each is a different site for a browser. The values are origins. */
export interface Sites {
  chat: string;
  /** The operator's page. It marks a request as completed when a user returns from the provider. */
  hosted: string;
  /** The page where the user signs in. */
  provider: string;
  /** A page with the chat in a frame. */
  embedder: string;
  close(): Promise<void>;
}

/** The steps of the user, as the query of the hosted page. */
export interface Walk {
  id: string;
  /** Cross-Origin-Opener-Policy of the provider. */
  coop?: string | undefined;
  /** The end of the steps: the hosted page, which posts a message, or a page of the chat, which broadcasts. */
  end?: "hosted" | "chat" | undefined;
  /** Whether the last page leaves its window open. */
  stay?: boolean | undefined;
}

/** The URL of the request: the first step. */
export function hostedPage({ hosted }: Sites, { id, coop, end, stay }: Walk): string {
  const query = new URLSearchParams({ id });
  if (coop !== undefined) query.set("coop", coop);
  if (end !== undefined) query.set("end", end);
  if (stay === true) query.set("stay", "");
  return `${hosted}/connect?${query}`;
}

type Page = (url: URL, response: ServerResponse) => string;

const html = (body: string): string =>
  `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>-</title>${body}`;

export async function startSites(): Promise<Sites> {
  const script = await bundle("chat.ts");
  const completed = new Set<string>();
  const closers: (() => Promise<void>)[] = [];

  async function start(host: string, pages: Readonly<Record<string, Page>>): Promise<string> {
    const server = createServer((request, response) => answer(pages, request, response));
    const { port, close } = await listen(server);
    closers.push(close);
    return `http://${host}:${port}`;
  }

  const chat = await start("localhost", {
    "/chat"(url, response) {
      const coop = url.searchParams.get("coop");
      if (coop !== null) response.setHeader("Cross-Origin-Opener-Policy", coop);
      return html(
        '<p id="state"></p><p id="signs"></p><button id="connect">Connect</button><script src="/chat.js"></script>',
      );
    },
    "/chat.js"(_url, response) {
      response.setHeader("Content-Type", "text/javascript");
      return script;
    },
    "/status"(url, response) {
      // A chat in a sandbox has the origin "null".
      response.setHeader("Access-Control-Allow-Origin", "*");
      return completed.has(url.searchParams.get("id") ?? "") ? "completed" : "pending";
    },
    "/return": () =>
      html(`<script>
        new BroadcastChannel("elicit-kit:" + new URL(location).searchParams.get("id")).postMessage("done");
        setTimeout(() => close(), 100);
      </script>`),
  });
  const provider = await start("provider.localhost", {
    "/authorize"(url, response) {
      const coop = url.searchParams.get("coop");
      if (coop !== null) response.setHeader("Cross-Origin-Opener-Policy", coop);
      return html(`<button onclick="location = '${hosted}/callback' + location.search">Allow</button>`);
    },
  });
  const hosted: string = await start("127.0.0.1", {
    "/connect": () =>
      html(`<button onclick="location = '${provider}/authorize' + location.search">Continue</button><script>
        document.title = opener === null ? "without opener" : "with opener";
        const elicitationId = new URL(location).searchParams.get("id");
        opener?.postMessage({ source: "elicit-kit", version: 1, type: "elicitation-bind", elicitationId, challenge: "c" }, "${chat}");
      </script>`),
    "/callback"(url, response) {
      completed.add(url.searchParams.get("id") ?? "");
      if (url.searchParams.get("end") === "chat") {
        response.writeHead(302, { Location: `${chat}/return${url.search}` });
        return "";
      }
      return html(`Connected. You can close this window.<script>
        const { searchParams } = new URL(location);
        const elicitationId = searchParams.get("id");
        opener?.postMessage({ source: "elicit-kit", version: 1, type: "elicitation-complete", elicitationId }, "${chat}");
        if (!searchParams.has("stay")) close();
      </script>`);
    },
  });
  const embedder = await start("embedder.localhost", {
    "/"(url) {
      const sandbox = url.searchParams.get("sandbox");
      const frame = `${chat}/chat?${url.searchParams.get("chat") ?? ""}`.replaceAll("&", "&amp;");
      return html(`<iframe src="${frame}"${sandbox === null ? "" : ` sandbox="${sandbox}"`}></iframe>`);
    },
  });

  return {
    chat,
    hosted,
    provider,
    embedder,
    async close() {
      await Promise.all(closers.map((close) => close()));
    },
  };
}

function answer(
  pages: Readonly<Record<string, Page>>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const url = new URL(request.url ?? "/", "http://site");
  const page = Object.hasOwn(pages, url.pathname) ? pages[url.pathname] : undefined;
  if (page === undefined) {
    response.writeHead(404).end();
    return;
  }
  response.setHeader("Content-Type", "text/html; charset=utf-8");
  response.setHeader("Cache-Control", "no-store");
  response.end(page(url, response));
}

/** A source file of this folder with all its imports, as one classic script. */
async function bundle(file: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      minify: false,
      lib: { entry: fileURLToPath(new URL(file, import.meta.url)), formats: ["iife"], name: "chat" },
    },
  });
  const outputs = Array.isArray(built) ? built : [built];
  const chunks = outputs.flatMap((result) => ("output" in result ? result.output : []));
  const code = chunks.map((chunk) => (chunk.type === "chunk" ? chunk.code : "")).join("");
  if (code === "")
    throw new Error(`elicit-kit: bundling ${file} gave no code. Run it through vite by hand to see why.`);
  return code;
}
