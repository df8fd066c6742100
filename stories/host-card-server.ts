import { createEliciting, createElicitingHandler, elicitorFor } from "elicit-kit/mcp/server";
import { z } from "zod";
import { placeNear, text } from "../demo/host/parcel.ts";

/** The state of the conversation. `handed`: the call has returned. `ended`: the call returned an hour ago. */
export type Frame = "asked" | "page" | "answered" | "handed" | "ended";

export const TO = "Lisbon";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export interface Parcels {
  fetch: (request: Request) => Promise<Response>;
  close: () => Promise<void>;
}

/** An MCP server whose tool asks, as its author writes it. It runs in the page of the story. */
export function createParcels(frame: Frame): Parcels {
  // A server that does not wait for a view returns from its call at once. A request from an hour ago has expired.
  const isLate = frame === "handed" || frame === "ended";
  const clock = {
    now: () => Date.now() - (frame === "ended" ? HOUR : 0),
    after(ms: number, callback: () => void) {
      const timer = setTimeout(callback, isLate && ms < MINUTE ? 0 : ms);
      return () => clearTimeout(timer);
    },
  };
  const eliciting = createEliciting({ app: true, clock });

  function build() {
    const server = eliciting.createServer({ name: "parcel", title: "Parcel server", version: "1.0.0" });
    server.registerTool(
      "book_courier",
      { description: "Books a courier for a parcel", inputSchema: z.object({ to: z.string() }) },
      eliciting("book_courier", async ({ to }, ctx) => {
        const elicitor = elicitorFor(ctx);
        if (frame === "page") {
          const url = "https://pay.parcel.example/checkout/0f2c1a90fe6d?elicitationId=ndvITy_QLzi0vBuXK4m9Qw";
          const paid = await elicitor.url("Pay the courier, 18 €", { url, service: "Parcel" });
          return text(paid.outcome === "accepted" ? "The courier is paid." : paid.text);
        }
        const where = await elicitor.form("Where shall the parcel go?", placeNear(to));
        if (where.outcome !== "accepted") return text(where.text);
        // The courier processes the order for as long as the story shows that state.
        if (frame === "answered") await new Promise(() => {});
        return text(`The courier comes tomorrow, to ${where.value.city}.`);
      }),
    );
    return server;
  }

  const handler = createElicitingHandler(build, { onError: console.error });
  const authInfo = { token: "you", clientId: "chat", scopes: [] };
  return { fetch: (request) => handler.fetch(request, { authInfo }), close: () => handler.close() };
}
