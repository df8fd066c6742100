import { type FormQuestion, createRuntime } from "../../../src/runtime/index.ts";
import type { ElicitationRecord } from "../../../src/runtime/internal.ts";
import { createMemoryCredentials } from "../../../src/connect/ports/credentials.ts";
import { createHostedPage } from "../../../src/connect/index.ts";
import type { HostedPageOptions } from "../../../src/connect/page/hosted-page.ts";
import { type Served, serve } from "../../../src/node/index.ts";
import { type ReadStream, authenticateTestUser, createChatClient } from "../../stages/chat-client.ts";
import { CONNECT, asking } from "../../stages/test-runtime.ts";

const CHAT = "https://chat.acme.example";

const icon = (body: string) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">${body}</svg>`)}`;

const TRACKER_ICON = icon(
  '<rect width="40" height="40" fill="#4f46e5"/><path d="M12 13h9M12 20h16M12 27h5" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/>',
);

/** A hosted page over http, with the account of the user who is signed in on it. `nobody` has none. */
export interface HostedSite {
  url: string;
  /** Asks Ada to connect, lets `happen` end or change the request, and returns the link to its page. */
  link(happen?: (id: string) => Promise<unknown>): Promise<string>;
  elicitations: ReturnType<typeof createRuntime>["elicitations"];
  /** Asks in another conversation, and returns the agent's result. For a question that needs no answer from the user. */
  askAgain(): Promise<unknown>;
  /** The agent's result, at the end of its turn. */
  result(link: string): Promise<unknown>;
  record(link: string): Promise<ElicitationRecord | undefined>;
  connect(account: string): Promise<void>;
  isConnected(): Promise<boolean>;
  close(): Promise<void>;
}

export interface SiteOptions extends Partial<HostedPageOptions> {
  service?: string;
  account?: string;
  requester?: string;
  /** Asks with this form instead of a connection. */
  form?: Omit<FormQuestion, "mode" | "requester">;
}

export async function startHostedSite(options: SiteOptions = {}): Promise<HostedSite> {
  const {
    service = "Tracker",
    account = "ada@acme.example",
    requester = "Demo agent",
    form,
    ...more
  } = options;
  const runtime = createRuntime({
    runTurn: asking({
      ...(form === undefined ? CONNECT : { ...form, mode: "form" }),
      requester: { name: requester },
    }),
    authenticate: authenticateTestUser,
    allowedOrigins: [CHAT],
    onError: () => {},
  });
  const { elicitations } = runtime;
  const credentials = createMemoryCredentials();
  const served: Served = await serve({ fetch: (request) => page.fetch(request) });
  const page = createHostedPage({
    origin: served.url,
    elicitations,
    credentials,
    providers: {
      tracker: {
        service,
        issuer: "https://tracker.example",
        clientId: "acme",
        scopes: ["issues:read", "issues:write", "profile"],
        iconDataUrl: TRACKER_ICON,
        scopeWords: {
          "issues:read": {
            en: "Read your issues and comments",
            de: "Ihre Aufgaben und Kommentare lesen",
            ar: "قراءة مهامك وتعليقاتك",
          },
          "issues:write": {
            en: "Create issues for you",
            de: "Aufgaben für Sie anlegen",
            ar: "إنشاء مهام نيابة عنك",
          },
          profile: {
            en: "See your name and your projects",
            de: "Ihren Namen und Ihre Projekte sehen",
            ar: "الاطلاع على اسمك ومشاريعك",
          },
        },
      },
    },
    brand: { name: "Acme" },
    chatHome: CHAT,
    session: (request) => {
      const name = /(?:^|; )person=(\w+)/.exec(request.headers.get("cookie") ?? "")?.[1] ?? "ada";
      return name === "nobody"
        ? undefined
        : { id: name, account: name === "ada" ? account : `${name}@acme.example` };
    },
    fetch: () => Promise.reject(new TypeError("fetch failed")),
    onError: () => {},
    ...more,
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  let chats = 0;
  const results = new Map<string, ReadStream>();
  return {
    url: served.url,
    elicitations,
    async link(happen) {
      const stream = await ada.send(`c${(chats += 1)}`);
      const { elicitationId } = await stream.request();
      await happen?.(elicitationId);
      results.set(elicitationId, stream);
      const path = form === undefined ? "connect" : "answer";
      return `${served.url}/auth/${path}?elicitationId=${elicitationId}`;
    },
    askAgain: async () => resultOf(await ada.send(`c${(chats += 1)}`)),
    async result(link) {
      return resultOf(results.get(idOf(link)));
    },
    record: (link) => elicitations.get(idOf(link)),
    connect: (name) =>
      credentials.set("tracker", "ada", {
        accessToken: "token",
        account: name,
        connectedAt: Date.UTC(2026, 10, 3),
      }),
    isConnected: async () => (await credentials.get("tracker", "ada")) !== undefined,
    async close() {
      await runtime.close();
      await served.close();
    },
  };
}

async function resultOf(stream: ReadStream | undefined): Promise<unknown> {
  await stream?.done;
  return JSON.parse(String(stream?.chunks.find(({ type }) => type === "text-delta")?.["delta"]));
}

function idOf(link: string): string {
  return new URL(link).searchParams.get("elicitationId") ?? "";
}
