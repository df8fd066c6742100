import type { WireMessage } from "./recording.ts";

/** A `fetch` that records the JSON messages of both directions: bodies in JSON, and events in event streams. */
export interface WireTap {
  readonly fetch: typeof globalThis.fetch;
  readonly wire: WireMessage[];
}

/** `through` sends the messages on. @default fetch */
export function createWireTap(client: string, server: string, through: typeof fetch = fetch): WireTap {
  const wire: WireMessage[] = [];
  const write = (from: string, text: string) => wire.push({ from, message: JSON.parse(text) });
  return {
    wire,
    async fetch(url, init) {
      if (typeof init?.body === "string") write(client, init.body);
      const response = await through(url, init);
      const type = response.headers.get("content-type") ?? "";
      if (response.body === null) return response;
      const body = type.startsWith("text/event-stream")
        ? response.body.pipeThrough(eachEvent((text) => write(server, text)))
        : await response.text();
      if (typeof body === "string" && type.startsWith("application/json")) write(server, body);
      return new Response(body, response);
    },
  };
}

function eachEvent(see: (data: string) => void): TransformStream<Uint8Array<ArrayBuffer>> {
  const decoder = new TextDecoder();
  let rest = "";
  return new TransformStream({
    transform(bytes, controller) {
      const events = (rest + decoder.decode(bytes, { stream: true })).split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events) {
        const data = /^data: (.+)$/m.exec(event)?.[1];
        if (data !== undefined) see(data);
      }
      controller.enqueue(bytes);
    },
  });
}
