import type { JSONRPCMessage, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";

/**
 * Tracks the requests that a session has not answered. Call it after the server has connected. If a stream breaks during
 * a call, the client can return for the rest.
 */
export function watchCalls(transport: WebStandardStreamableHTTPServerTransport): { areRunning(): boolean } {
  const running = new Set<string | number>();
  const receive = transport.onmessage;
  const send = transport.send.bind(transport);

  // The transport is no event target.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  transport.onmessage = (message: JSONRPCMessage, extra) => {
    if ("method" in message) {
      if ("id" in message) running.add(message.id);
      // A cancelled call gets no reply.
      else if (message.method === "notifications/cancelled") {
        const id = message.params?.["requestId"];
        if (typeof id === "string" || typeof id === "number") running.delete(id);
      }
    }
    receive?.(message, extra);
  };
  transport.send = (message, options) => {
    if (!("method" in message) && message.id !== undefined) running.delete(message.id);
    return send(message, options);
  };
  return { areRunning: () => running.size > 0 };
}
