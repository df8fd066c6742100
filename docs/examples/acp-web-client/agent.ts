import { type Runtime, createElicitor, createRuntime } from "elicit-kit/runtime";

/** An agent that asks two things in every turn: a form and, at the same time, a page. A script replaces the model. */
export function createTravelAgent(origin: string): Runtime {
  return createRuntime({
    // Without HTTP, the connection determines the user.
    authenticate: () => undefined,
    allowedOrigins: [],
    onError: console.error,
    async *runTurn(turn) {
      const elicitor = createElicitor({ turn, tool: "book_hotel", toolCallId: turn.id });
      const [city, account] = await Promise.all([
        elicitor.text("Where to?"),
        turn.ask({
          mode: "url",
          message: "To book, connect your hotel account.",
          url: (elicitationId) => `${origin}/connect?id=${elicitationId}`,
          tool: { id: "book_hotel", name: "book_hotel" },
          context: { trigger: "credential_required" },
        }),
      ]);
      const where = city.outcome === "accepted" ? `Booked a hotel in ${city.value}` : "Booked nothing";
      const how = account.outcome === "accepted" ? "with your account" : "without an account";
      yield { type: "text-start", id: "1" };
      yield { type: "text-delta", id: "1", delta: `${where}, ${how}.` };
      yield { type: "text-end", id: "1" };
    },
  });
}
