import type { FetchLike } from "@modelcontextprotocol/client";
import { watchStreams } from "../../mcp/wire/lost-stream.ts";
import { type LengthLimit, limitLength } from "../../base/read-body.ts";
import { carryCredential } from "../credentials/api-key.ts";
import { type Connected, type McpCaller, loadSdk, newClient } from "./mcp-sdk.ts";
import type { McpServer } from "./mcp-server.ts";
import { mendMessages } from "./mend-messages.ts";
import { watchRefusals } from "../credentials/refused-call.ts";

/** The limit for one response. Images count, although they are not shown. */
const MAX_ANSWER_MIB = 8;
/** How long the end of a call waits for its cancellation to be sent, and how long the end of its session may take. */
const CANCEL_MS = 1000;
/** A lost connection is detected within a second. A stream that can be resumed has this time to do so. */
const RECONNECTION = {
  initialReconnectionDelay: 200,
  reconnectionDelayGrowFactor: 1,
  maxReconnectionDelay: 200,
  maxRetries: 2,
};

/**
 * Runs `use` with a client of a server over HTTP. A client lives for one call: it carries one user's credential and must
 * never serve another.
 */
export async function withHttpClient<T>(
  server: McpServer,
  headers: Readonly<Record<string, string>>,
  { credential, signal, capabilities, revision, maxMib }: Omit<McpCaller, "user">,
  use: (connected: Connected) => Promise<T>,
): Promise<T> {
  const { StreamableHTTPClientTransport } = await loadSdk();
  const client = await newClient(capabilities, revision);
  const refusals = watchRefusals();
  const cancelling: Promise<unknown>[] = [];
  const { authProvider, ...carried } = carryCredential(server, credential);
  const { service } = server;
  const limit =
    maxMib === undefined ? { service, mib: MAX_ANSWER_MIB } : { service, mib: maxMib, read: { bytes: 0 } };
  const sending = { ...carried, limit };
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    fetch: async (url, init) => {
      // Sent without any signal of the call and of the client, which have ended by then.
      if (init?.method === "DELETE") {
        return fetchWithin(sending, AbortSignal.timeout(CANCEL_MS), url, { ...init, signal: null });
      }
      if (!isCancellation(init)) {
        const response = await fetchWithin(sending, signal, url, init);
        refusals.see(init, response);
        return response;
      }
      // Sent without the signal of the call, which has already aborted: the server must still get the cancellation.
      const sent = fetchWithin(sending, AbortSignal.timeout(CANCEL_MS), url, init);
      cancelling.push(sent.catch(() => {}));
      return sent;
    },
    reconnectionOptions: RECONNECTION,
    requestInit: { headers: { ...headers } },
    ...(authProvider !== undefined && { authProvider }),
  });
  const watched = watchStreams(transport, server.service);
  mendMessages(transport);
  try {
    await client.connect(transport, { signal });
    return await use({ client, watched, isAskable: transport.sessionId !== undefined });
  } catch (error) {
    const refusal = signal.aborted ? undefined : await refusals.refusal(server.service);
    throw refusal ?? error;
  } finally {
    await Promise.all(cancelling);
    // A client lives for one call, so nobody needs its session any more. The result does not wait for its end.
    void transport.terminateSession().catch(() => {});
    await client.close();
  }
}

/** The method names as the SDK writes them. */
const CANCELLATIONS = ['{"jsonrpc":"2.0","method":"notifications/cancelled"', '{"method":"tasks/cancel"'];

function isCancellation(init: RequestInit | undefined): boolean {
  const body = init?.body;
  return typeof body === "string" && CANCELLATIONS.some((start) => body.startsWith(start));
}

/** Fetches with the signal of the call, which the SDK does not always pass on, and limits the size of the response. */
async function fetchWithin(
  { limit, fetch }: { limit: LengthLimit; fetch: FetchLike },
  signal: AbortSignal,
  ...[url, init]: Parameters<FetchLike>
): Promise<Response> {
  const requestSignal = init?.signal;
  const response = await fetch(url, {
    ...init,
    signal: requestSignal ? AbortSignal.any([requestSignal, signal]) : signal,
  });
  return limitLength(response, limit);
}
