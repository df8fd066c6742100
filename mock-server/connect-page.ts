import { newId } from "../src/base/ids.ts";
import { isObject } from "../src/contract/json.ts";
import type { Outside } from "./outside.ts";
import type { AskToConnectOptions } from "./script.ts";

/** The page of URL requests, and its connection to the mock server. */
export interface ConnectPage {
  readonly url: (elicitationId: string, asked: AskToConnectOptions) => string;
  /** Responds to requests of a page that the mock server itself serves; `undefined` for any other request. */
  respond(request: Request): Promise<Response | undefined>;
  close(): void;
}

/** The user's action on the page. */
interface PageAction {
  elicitationId: string;
  action: "connect" | "fail" | "decline";
}

const NOWHERE = "https://auth.example.com/connect";

/**
 * A service worker cannot answer the navigation of a popup. In a browser, the page is therefore a static file of the
 * chat's origin. It communicates with the mock server in the chat's window over a `BroadcastChannel` with a secret name.
 */
export function createConnectPage(page: string | undefined, outside: Outside): ConnectPage {
  let channel: BroadcastChannel | undefined;

  async function act({ elicitationId, action }: PageAction): Promise<void> {
    if (action === "fail") return outside.fail(elicitationId, "The provider refused.");
    return outside.end(elicitationId, action === "connect" ? "accepted" : "declined");
  }

  function listen(): string {
    if (channel === undefined) {
      channel = new BroadcastChannel(`elicit-kit-mock:${newId()}`);
      channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
        const done = readPageAction(data);
        if (done !== undefined) void act(done);
      });
    }
    return channel.name;
  }

  return {
    url(elicitationId, { service, losesOpener = false }) {
      const url = absolute(page ?? NOWHERE);
      url.searchParams.set("elicitationId", elicitationId);
      url.searchParams.set("service", service);
      if (losesOpener) url.searchParams.set("coop", "");
      if (url.origin === globalThis.location?.origin) url.searchParams.set("channel", listen());
      return url.href;
    },
    async respond(request) {
      if (page === undefined || request.method !== "POST") return undefined;
      if (new URL(request.url).pathname !== absolute(page).pathname) return undefined;
      const done = readPageAction(await request.json());
      if (done === undefined) return Response.json({}, { status: 400 });
      await act(done);
      const chatOrigin = await outside.chatOrigin(done.elicitationId);
      return Response.json({ chatOrigin });
    },
    close() {
      channel?.close();
    },
  };
}

/** Reads an action of the page from a body or a message. */
function readPageAction(value: unknown): PageAction | undefined {
  if (!isObject(value)) return undefined;
  const { elicitationId, action } = value;
  if (typeof elicitationId !== "string") return undefined;
  if (action !== "connect" && action !== "fail" && action !== "decline") return undefined;
  return { elicitationId, action };
}

function absolute(page: string): URL {
  const base = globalThis.location?.href;
  if (URL.canParse(page, base)) return new URL(page, base);
  throw new Error(`elicit-kit: outside a browser connectPage must be absolute. This one is not: ${page}`);
}
