import { type LookupAddress, lookup as systemLookup } from "node:dns";
import {
  type IncomingMessage,
  type RequestOptions,
  Agent as HttpAgent,
  request as httpRequest,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { type LookupFunction, isIP } from "node:net";
import { KitError } from "../contract/kit-error.ts";
import { type FetchLimits, type Hop, guardFetch, requireHttps } from "../base/guarded-fetch.ts";
import { originSet } from "../base/urls.ts";
import { isLoopbackAddress, isPublicAddress } from "./public-address.ts";

/** The options of `createGuardedFetch`. */
export interface GuardedFetchOptions extends FetchLimits {
  /** Origins that you trust and that may be on a private address, such as `https://mcp.internal.example`. */
  allowOrigins?: readonly string[] | undefined;
  /**
   * Also fetches from this machine, over http too. For development only.
   * @default false
   */
  allowLoopback?: boolean | undefined;
  /** Resolves names. @default the system's resolver */
  lookup?: LookupFunction | undefined;
}

/** Statuses whose responses have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * A `fetch` for untrusted URLs, such as those in the metadata of an MCP server. It connects only to public addresses:
 * every name is resolved, every address of it is checked, and the connection goes to a checked address, so changing the
 * address of a name between check and connection has no effect. Addresses written as numbers and every redirect are
 * checked too. It speaks https only, sends no cookies, ignores proxy variables, and gives up after 5 seconds, 256 KiB or
 * 3 redirects. Rejects with an `elicit-kit:` error that says what is not allowed.
 */
export function createGuardedFetch(options: GuardedFetchOptions = {}): typeof globalThis.fetch {
  const { allowOrigins = [], allowLoopback = false, lookup = systemLookup, ...limits } = options;
  const trusted = originSet(allowOrigins, "allowOrigins");

  function isOpen(address: string): boolean {
    return isPublicAddress(address) || (allowLoopback && isLoopbackAddress(address));
  }

  return guardFetch({
    ...limits,
    admit(url) {
      const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
      requireHttps(url, () => allowLoopback && (isLoopbackAddress(host) || host === "localhost"));
      // The resolver is not called for IP addresses, so they are checked here.
      if (isIP(host) !== 0 && !trusted.has(url.origin) && !isOpen(host)) throw closed(url.host, host);
    },
    send: (url, hop) => send(url, hop, trusted.has(url.origin) ? lookup : checked(lookup, isOpen)),
  });
}

/** A resolver that fails unless all addresses of a name are public. The caller connects to what it returns. */
function checked(lookup: LookupFunction, isOpen: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const addresses: readonly LookupAddress[] = Array.isArray(found) ? found : [];
      const [first] = addresses;
      const shut = addresses.find(({ address }) => !isOpen(address));
      if (error !== null) callback(error, []);
      else if (first === undefined) callback(new KitError(`elicit-kit: ${hostname} has no address.`), []);
      else if (shut !== undefined) callback(closed(hostname, shut.address), []);
      else if (options.all === true) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    });
  };
}

function closed(host: string, address: string): Error {
  return new KitError(
    `elicit-kit: ${host} is not fetched, because ${host === address ? "it" : address} is not a public address. If you trust this origin, add it to createGuardedFetch({ allowOrigins }); on the machine of a developer, allowLoopback: true.`,
  );
}

/** One request with Node's own client and an agent of its own: no shared connection, and no proxy from the environment. */
function send(url: URL, { method, headers, body, signal }: Hop, lookup: LookupFunction): Promise<Response> {
  const isTls = url.protocol === "https:";
  const options: RequestOptions = {
    method,
    // Asks for an uncompressed body, because the limit counts the bytes that are read. Compressed bodies are refused
    // below.
    headers: { ...Object.fromEntries(headers), "accept-encoding": "identity" },
    agent: isTls ? new HttpsAgent() : new HttpAgent(),
    lookup,
    signal,
  };
  return new Promise((resolve, reject) => {
    const request = (isTls ? httpsRequest : httpRequest)(url, options, (answer) => {
      const { statusCode = 500, headersDistinct } = answer;
      const received = new Headers();
      for (const [name, values = []] of Object.entries(headersDistinct)) {
        for (const value of values) received.append(name, value);
      }
      const encoding = received.get("content-encoding") ?? "identity";
      if (encoding !== "identity" || statusCode < 200 || statusCode > 599) {
        answer.destroy();
        const what = encoding === "identity" ? `status ${statusCode}` : "a compressed body";
        reject(new KitError(`elicit-kit: ${url.host} answered with ${what}, which is not read.`));
        return;
      }
      const isEmpty = WITHOUT_BODY.has(statusCode) || method === "HEAD";
      if (isEmpty) answer.resume();
      resolve(
        new Response(isEmpty ? null : streamOf(answer, signal), { status: statusCode, headers: received }),
      );
    });
    request.on("error", (error) => reject(signal.aborted ? signal.reason : error));
    request.end(body);
  });
}

function streamOf(answer: IncomingMessage, signal: AbortSignal): ReadableStream<Uint8Array<ArrayBuffer>> {
  const pieces: AsyncIterator<Uint8Array> = answer[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next().catch((error: unknown) => {
        throw signal.aborted ? signal.reason : error;
      });
      if (done === true) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
    cancel() {
      answer.destroy();
    },
  });
}
