import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Clock } from "../../../src/base/clock.ts";
import { type FormQuestion, createRuntime } from "../../../src/runtime/index.ts";
import { createMemoryCredentials } from "../../../src/connect/ports/credentials.ts";
import { createHostedPage } from "../../../src/connect/index.ts";
import { type Served, serve } from "../../../src/node/index.ts";
import { authenticateTestUser, createChatClient } from "../../stages/chat-client.ts";
import { CONNECT, asking } from "../../stages/test-runtime.ts";

/** The setup of chat and page. */
export interface Setting {
  /** `SameSite` of the chat's session cookie. @default "Lax" */
  sameSite?: "Lax" | "Strict" | undefined;
  /** Whether chat and page are on one site: the same host, on two ports. @default false */
  isOneSite?: boolean | undefined;
  /** A policy that the chat's app sets on every reply without one: pages, and replies of the runtime. */
  coop?: string | undefined;
  /** Whether the chat has a service worker that forwards every request. */
  hasServiceWorker?: boolean | undefined;
  /** Whether the runtime vouches for users. If not, the page asks the chat's window. @default true */
  vouches?: boolean | undefined;
  /** Asks with this form instead of a connection. */
  form?: FormQuestion | undefined;
  clock?: Clock | undefined;
}

/** A chat with its runtime, the hosted page with vouching only, and a third-party page. */
export interface Sites {
  chat: string;
  hosted: string;
  mail: string;
  /** Asks Ada to connect. Resolves with the link to the hosted page, which is also on `mail` for a click. */
  ask(): Promise<string>;
  status(): Promise<unknown>;
  /** Paths that the service worker has forwarded. */
  passed: readonly string[];
  close(): Promise<void>;
}

const CHAT_PAGE = `<!doctype html><title>Chat</title><p id="heard"></p><p id="state"></p>
<button id="connect">Connect</button><script type="module" src="/chat.js"></script>`;

const WORKER = `self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { pathname } = new URL(event.request.url);
  if (pathname === "/passed") return;
  event.waitUntil(fetch("/passed?path=" + encodeURIComponent(pathname)));
  event.respondWith(fetch(event.request));
});`;

export async function startSites(setting: Setting = {}): Promise<Sites> {
  const { sameSite = "Lax", isOneSite = false, coop, hasServiceWorker = false, vouches = true } = setting;
  const { form, clock } = setting;
  const passed: string[] = [];
  let link = "";
  const script = await bundle();
  const html = (body: string, headers: Record<string, string> = {}) =>
    new Response(body, { headers: { "content-type": "text/html; charset=utf-8", ...headers } });

  async function listen(hostname: string, fetch: (request: Request) => Promise<Response>): Promise<Served> {
    return serve({ hostname, fetch });
  }
  const chat = await listen("127.0.0.1", async (request) => {
    const reply = await chatReply(request);
    if (coop === undefined || reply.headers.has("cross-origin-opener-policy")) return reply;
    const headers = new Headers(reply.headers);
    headers.set("cross-origin-opener-policy", coop);
    return new Response(reply.body, { status: reply.status, headers });
  });
  const hosted = await listen(isOneSite ? "127.0.0.1" : "localhost", (request) => page.fetch(request));
  const mail = await listen("localhost", async () =>
    html(`<a href="${link}">Connect your account</a><button>Continue</button>`),
  );

  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const runtime = createRuntime({
    runTurn: asking(form ?? { ...CONNECT, url: (id) => `${hosted.url}/auth/connect?elicitationId=${id}` }),
    authenticate: authenticateTestUser,
    allowedOrigins: [chat.url],
    ...(vouches && { hostedPage: { origin: hosted.url } }),
    ports: { clock },
    onError,
  });
  const page = createHostedPage({
    origin: hosted.url,
    ...(vouches && { vouch: { url: `${chat.url}/run` } }),
    // There is never a session, so the page must ask the chat.
    session: () => undefined,
    elicitations: runtime.elicitations,
    credentials: createMemoryCredentials(),
    providers: {
      tracker: { service: "Tracker", issuer: "http://127.0.0.1:1", clientId: "none", scopes: [] },
    },
    clock,
    onError,
  });
  const ada = createChatClient(runtime.fetch, { user: "ada", headers: { origin: chat.url } });
  let elicitationId = "";

  async function chatReply(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname.startsWith("/run/")) return runtime.fetch(request);
    if (pathname === "/passed") passed.push(searchParams.get("path") ?? "");
    const type = { "content-type": "text/javascript" };
    if (pathname === "/chat.js") return new Response(script, { headers: type });
    if (pathname === "/worker.js") return new Response(WORKER, { headers: type });
    if (pathname !== "/") return new Response(null, { status: 204 });
    const query = new URLSearchParams({ hosted: hosted.url, ...(hasServiceWorker && { worker: "" }) });
    // A chat with a session cookie of the user, or with a token if the runtime does not vouch.
    const cookie = `user=ada; Path=/; HttpOnly; SameSite=${sameSite}`;
    return html(
      CHAT_PAGE.replace("<title>", `<meta name="setting" content="${query}"><title>`),
      vouches ? { "set-cookie": cookie } : {},
    );
  }

  return {
    chat: chat.url,
    hosted: hosted.url,
    mail: mail.url,
    passed,
    async ask() {
      const stream = await ada.send("c1");
      ({ elicitationId } = await stream.request());
      link = `${hosted.url}/auth/connect?elicitationId=${elicitationId}`;
      return link;
    },
    status: async () => (await ada.fetch(`/run/api/elicitations/${elicitationId}`)).json(),
    async close() {
      await runtime.close();
      await Promise.all([chat, hosted, mail].map((site) => site.close()));
      if (errors.length > 0) throw new AggregateError(errors, "elicit-kit: something went wrong on the way.");
    },
  };
}

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("chat.ts", import.meta.url))],
    bundle: true,
    write: false,
    format: "esm",
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}
