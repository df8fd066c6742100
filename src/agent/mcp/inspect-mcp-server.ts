import type { Implementation } from "@modelcontextprotocol/client";
import { isObject } from "../../contract/json.ts";
import { claimedNameOf } from "../../contract/claimed-name.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { base64url, sha256 } from "../../base/ids.ts";
import { reasonOf } from "../../base/foreign-error.ts";
import { within } from "../../base/deadlines.ts";
import { withHttpClient } from "./mcp-http.ts";
import type { McpServer } from "./mcp-server.ts";
import { CredentialRefused } from "../credentials/refused-call.ts";
import { KitError } from "../../contract/kit-error.ts";

/** The options of `inspectMcpServer`. */
export interface InspectMcpServerOptions {
  /**
   * Use `createGuardedFetch()` of `elicit-kit/node`, because the URL is untrusted. Later calls of the server need another
   * guard, with limits for calls.
   */
  fetch: typeof globalThis.fetch;
  /** @default systemClock */
  clock?: Clock | undefined;
}

/** The result of inspecting a URL that a user has typed. */
export type McpServerInspection =
  | {
      readonly ok: true;
      /**
       * An entry for `mcpServers`, as plain data. Its `name` is derived from the URL, so it is unique. Its `service` is
       * the host, the only name that no other server can choose.
       */
      readonly server: Pick<McpServer, "name" | "url" | "service"> & {
        readonly credentialScope: "user";
        /** It is not known yet whether the server needs an account. */
        readonly signIn: "on-demand";
      };
      /** The server's own name and icon. They may be anything, so show them as a claim, next to the host. */
      readonly claims: { readonly name?: string | undefined; readonly iconDataUrl?: string | undefined };
    }
  | {
      readonly ok: false;
      /**
       * `url`: this is not the URL of a server. `unreachable`: no MCP server replies there, or the fetch guard refused
       * the address.
       */
      readonly reason: "url" | "unreachable";
      /** Details for the operator. */
      readonly fault: string;
    };

const MAX_URL_LENGTH = 2000;
/** The time limit of the whole inspection, because a user waits for it. */
const INSPECTION_MS = 10_000;
const MAX_SLUG_LENGTH = 24;
const HASH_LENGTH = 12;
const MAX_ICONS = 3;
/** Equal to the limit for the icon of a request. */
const MAX_ICON_LENGTH = 8 * 1024;
const ICON_TYPES: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/avif",
  "image/svg+xml",
]);

/**
 * Inspects the URL of an MCP server that a user has typed: whether a server replies, its name (`server/discover`, or
 * `initialize` in older revisions), and its icon. It calls no tools. A server that requires a sign-in before it replies
 * is accepted, too.
 */
export async function inspectMcpServer(
  typed: string,
  { fetch, clock = systemClock }: InspectMcpServerOptions,
): Promise<McpServerInspection> {
  const url = serverUrlOf(typed);
  if (url === undefined) {
    return { ok: false, reason: "url", fault: "it is not a URL without user name and fragment" };
  }
  const server = {
    name: await nameOf(url),
    url: url.href,
    service: url.host,
    credentialScope: "user",
    signIn: "on-demand",
  } as const;
  let refused: unknown;
  // The SDK hides why a request failed.
  const watched: typeof globalThis.fetch = async (input, init) => {
    try {
      return await fetch(input, init);
    } catch (error) {
      refused ??= error;
      throw error;
    }
  };
  try {
    const claims = await within(clock, INSPECTION_MS, async (signal) => {
      const about = await implementationOf({ ...server, fetch: watched }, signal);
      return {
        name: claimedNameOf(about?.title ?? about?.name),
        iconDataUrl: await iconOf(about, fetch, signal),
      };
    });
    return { ok: true, server, claims };
  } catch (error) {
    return { ok: false, reason: "unreachable", fault: reasonOf(refused ?? error) };
  }
}

/** Adds `https://`, because users leave out the scheme. */
function serverUrlOf(typed: string): URL | undefined {
  const text = typed.trim();
  const full = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (full.length > MAX_URL_LENGTH || !URL.canParse(full)) return undefined;
  const url = new URL(full);
  const isHttp = url.protocol === "https:" || url.protocol === "http:";
  return isHttp && url.username === "" && url.password === "" && url.hash === "" ? url : undefined;
}

/** Begins with the host, for the model and for logs, and ends with a hash, so that each URL has a unique name. */
async function nameOf({ href, host }: URL): Promise<string> {
  const slug = host.replaceAll(/[^a-z\d]+/gi, "_").slice(0, MAX_SLUG_LENGTH);
  const hash = base64url(await sha256(href)).replaceAll("-", "_");
  return `${slug}_${hash.slice(0, HASH_LENGTH)}`;
}

/** `undefined` if the server replies only after a sign-in. */
async function implementationOf(server: McpServer, signal: AbortSignal): Promise<Implementation | undefined> {
  try {
    return await withHttpClient(server, {}, { credential: undefined, signal }, async ({ client }) =>
      client.getServerVersion(),
    );
  } catch (error) {
    if (error instanceof CredentialRefused) return undefined;
    throw error;
  }
}

async function iconOf(
  about: Implementation | undefined,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<string | undefined> {
  // A server of an older revision may send any value here.
  const icons: unknown = about?.icons;
  for (const icon of (Array.isArray(icons) ? icons : []).slice(0, MAX_ICONS)) {
    const src: unknown = isObject(icon) ? icon["src"] : undefined;
    if (typeof src !== "string") continue;
    const found = src.startsWith("data:") ? src : await dataUrlOf(src, fetch, signal).catch(() => undefined);
    if (found !== undefined && isIcon(found)) return found;
  }
  return undefined;
}

function isIcon(dataUrl: string): boolean {
  const type = /^data:([a-z]+\/[a-z+]+)[;,]/.exec(dataUrl)?.[1];
  return dataUrl.length <= MAX_ICON_LENGTH && type !== undefined && ICON_TYPES.has(type);
}

async function dataUrlOf(src: string, fetch: typeof globalThis.fetch, signal: AbortSignal): Promise<string> {
  const response = await fetch(src, { signal });
  const type = response.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (!response.ok) {
    await response.body?.cancel();
    throw new KitError(`elicit-kit: the icon was answered with status ${response.status}`);
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return `data:${type};base64,${btoa(binary)}`;
}
