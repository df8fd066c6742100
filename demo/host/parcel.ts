import { createEliciting, createElicitingHandler, elicitorFor } from "elicit-kit/mcp/server";
import { z } from "zod";

export interface ParcelServer {
  fetch: (request: Request) => Promise<Response>;
  /** The user has paid on the page of a request. */
  pay: (elicitationId: string) => void;
  close: () => Promise<void>;
}

const eitherSpeed = z.union([
  z.literal("normal").meta({ title: "Normal" }),
  z.literal("express").meta({ title: "Express" }),
]);

export const placeNear = (city: string) =>
  z.object({
    city: z.string().min(2).default(city).meta({ title: "City" }),
    speed: eitherSpeed.default("normal").meta({ title: "Speed" }),
  });

/** An MCP server whose tools ask the user, as its author writes it. `payUrl` is the URL of the payment page. */
export function createParcelServer({
  payUrl,
  onError,
}: {
  payUrl: (elicitationId: string) => string;
  onError: (error: unknown) => void;
}): ParcelServer {
  const paid = new Set<string>();
  const eliciting = createEliciting({ app: true, isCompleted: (id) => paid.has(id) });

  function build() {
    const server = eliciting.createServer({ name: "parcel", title: "Parcel server", version: "1.0.0" });
    server.registerTool(
      "book_courier",
      {
        title: "Book a courier",
        description: "Books a courier for a parcel. Asks the user for the rest.",
        inputSchema: z.object({ to: z.string() }),
      },
      eliciting("book_courier", async ({ to }, ctx) => {
        const elicitor = elicitorFor(ctx);
        const where = await elicitor.form("Where shall the parcel go?", placeNear(to));
        if (where.outcome !== "accepted") return text(where.text);
        const when = await elicitor.choose("When may the courier come?", ["Morning", "Noon", "Evening"], {
          title: "Time",
        });
        if (when.outcome !== "accepted") return text(when.text);
        const { city, speed } = where.value;
        return text(`The courier comes tomorrow: ${when.value}, to ${city}, ${speed}.`);
      }),
    );
    server.registerTool(
      "pay_courier",
      {
        title: "Pay the courier",
        description: "Has the user pay for the courier, on a page of the server.",
        inputSchema: z.object({}),
      },
      eliciting("pay_courier", async (_, ctx) => {
        const done = await elicitorFor(ctx).url("Pay the courier, 18 €", { url: payUrl, service: "Parcel" });
        return text(done.outcome === "accepted" ? "The courier is paid." : done.text);
      }),
    );
    return server;
  }

  const handler = createElicitingHandler(build, { onError });
  return {
    // The demo listens on this machine only, and this chat has one user.
    fetch: (request) => handler.fetch(request, { authInfo: { token: "you", clientId: "chat", scopes: [] } }),
    pay: (id) => void paid.add(id),
    close: () => handler.close(),
  };
}

export function text(said: string): { content: { type: "text"; text: string }[] } {
  return { content: [{ type: "text", text: said }] };
}
