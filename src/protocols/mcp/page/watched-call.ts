import type {
  CallToolRequest,
  CallToolResult,
  Client,
  RequestOptions,
  Transport,
} from "@modelcontextprotocol/client";
import { type Watch, watchStreams } from "../wire/lost-stream.ts";

/** A client may reconnect with another transport. */
const watches = new WeakMap<Transport, Watch>();

/** Calls a tool. Rejects when the connection of the call is lost. */
export function callWatched(
  { client, serverName }: { client: Client; serverName: string },
  params: CallToolRequest["params"],
  { signal, ...options }: RequestOptions,
): Promise<CallToolResult> {
  const { transport } = client;
  // The SDK says that the client is not connected.
  if (transport === undefined) return client.callTool(params, options);
  const watch = watches.get(transport) ?? watchStreams(transport, serverName);
  watches.set(transport, watch);
  return watch((watched) => {
    const until = signal === undefined ? watched.lost : AbortSignal.any([signal, watched.lost]);
    return client.callTool(params, { ...options, ...watched.options, signal: until });
  });
}
