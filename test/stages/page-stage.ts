import { type RuntimeOptions, createMemoryRemembered } from "../../src/runtime/index.ts";
import { createMemoryCredentials } from "../../src/connect/ports/credentials.ts";
import { createHostedPage } from "../../src/connect/index.ts";
import type { HostedPageOptions } from "../../src/connect/page/hosted-page.ts";
import { type Browser, type Page, createBrowser } from "./browser.ts";
import { CHAT_ORIGIN, createChatClient } from "./chat-client.ts";
import { RESOURCE, type TestProvider } from "./oidc-provider.ts";
import { CONNECT, asking, createTestRuntime } from "./test-runtime.ts";

/** The origin of the hosted page. */
export const AUTH = "https://auth.example.com";
export const CALLBACK = `${AUTH}/auth/callback`;
/** The public URL of the chat's runtime. */
export const RUNTIME_URL = `${CHAT_ORIGIN}/run`;

export interface StageOptions {
  page?: Partial<HostedPageOptions>;
  runtime?: Partial<RuntimeOptions>;
  /** The headers of Ada's chat. */
  headers?: Record<string, string>;
}

/** Ada's agent needs Tracker. Her chat is at `chat.example.com`, the page at `auth.example.com`. */
export async function createPageStage(provider: TestProvider, options: StageOptions = {}) {
  const remembered = createMemoryRemembered();
  const runtime = createTestRuntime(asking(CONNECT), {
    hostedPage: { origin: AUTH },
    ...options.runtime,
    ports: { remembered, ...options.runtime?.ports },
  });
  const credentials = createMemoryCredentials();
  const errors: unknown[] = [];
  const newPage = (more: Partial<HostedPageOptions> = {}) =>
    createHostedPage({
      origin: AUTH,
      vouch: { url: RUNTIME_URL },
      elicitations: runtime.elicitations,
      credentials,
      providers: {
        tracker: {
          service: "Tracker",
          issuer: provider.issuer,
          clientId: provider.clientId,
          scopes: ["issues:write"],
          resource: RESOURCE,
        },
      },
      allowedReturnOrigins: [CHAT_ORIGIN],
      clock: runtime.clock,
      onError: (error) => errors.push(error),
      ...options.page,
      ...more,
    });
  const page = newPage();
  /** A browser with or without a session at the chat. */
  function newBrowser(user?: string, at: { fetch: typeof page.fetch } = page): Browser {
    const browser = createBrowser({ [AUTH]: at.fetch, [CHAT_ORIGIN]: runtime.fetch });
    if (user !== undefined) browser.setCookie(CHAT_ORIGIN, "user", user);
    return browser;
  }
  const ada = createChatClient(runtime.fetch, { user: "ada", headers: options.headers });
  const stream = await ada.send("c1", { returnUrl: `${CHAT_ORIGIN}/c1` });
  const { elicitationId } = await stream.request();
  return {
    runtime,
    remembered,
    credentials,
    errors,
    ada,
    stream,
    elicitationId,
    url: linkTo(elicitationId),
    page,
    newPage,
    newBrowser,
    /** Ada's. */
    browser: newBrowser("ada"),
  };
}

export type PageStage = Awaited<ReturnType<typeof createPageStage>>;

/** A `fetch` for the page. Ada's chat is stopped while the page exchanges a code. `granted`: the refresh token it gets. */
export function stopDuringExchange(stage: () => Pick<PageStage, "ada">, isDue = () => true) {
  const exchange = {
    granted: "",
    async fetch(...request: Parameters<typeof fetch>): Promise<Response> {
      const response = await fetch(...request);
      if (isDue() && new URL(new Request(...request).url).pathname === "/token") {
        exchange.granted = (await response.clone().json())["refresh_token"];
        await stage().ada.fetch("/run/api/chat/c1/stop", { method: "POST" });
      }
      return response;
    },
  };
  return exchange;
}

export function linkTo(elicitationId: string): string {
  return `${AUTH}/auth/connect?elicitationId=${elicitationId}`;
}

export async function statusOf({ ada, elicitationId }: PageStage): Promise<unknown> {
  return (await ada.fetch(`/run/api/elicitations/${elicitationId}`)).json();
}

/** Runs the sign-in up to the callback, and returns its URL without calling it. */
export async function callbackUrl(browser: Browser, left: Page): Promise<string> {
  let page = left;
  for (;;) {
    const location = page.headers.get("location");
    if (location === null) throw new Error(`no way to the provider: ${page.url} answered ${page.status}`);
    const next = new URL(location, page.url).href;
    if (next.startsWith(CALLBACK)) return next;
    page = await browser.get(next);
  }
}
