/** Two runtimes of ours: the far one behind A2A, the near one with the chat. */
import { beforeEach, describe, expect, test } from "vitest";
import type { RunTurn } from "elicit-kit/runtime";
import { CITY, CONNECT, text } from "../../../src/runtime/testing/test-runtime.ts";
import { chatWith } from "./chat.ts";
import { type Served, serve } from "./served.ts";

const SECRETS = { headers: { authorization: "Bearer ada" } };

/** The far agent: it asks for a connection, and then for a form. */
const connectThenAsk: RunTurn = async function* run(turn) {
  yield { type: "start", messageId: turn.id };
  const page = await turn.ask(CONNECT);
  const form = page.outcome === "accepted" ? await turn.ask(CITY) : undefined;
  yield* text(`Far: ${JSON.stringify({ page: page.outcome, form })}`);
  yield { type: "finish" };
};

describe.each(["JSONRPC", "HTTP+JSON"] as const)(
  "an agent of ours behind A2A (%s), asked by our chat",
  (transport) => {
    let far: Served;
    let near: ReturnType<typeof chatWith>;
    beforeEach(() => {
      far = serve(connectThenAsk);
      near = chatWith("https://agent.example.com", undefined, { fetch: far.fetch, transport, ...SECRETS });
    });

    test("asks for a connection, then for a form: both are ordinary cards of the chat", async () => {
      const stream = await near.send();
      const page = await stream.request(0);
      expect(page).toMatchObject({
        mode: "url",
        message: CONNECT.message,
        requester: { name: "Contoso Travel" },
      });
      expect(page.mode === "url" && page.url).toContain("https://auth.example.com/auth/connect");
      await near.answer(stream, "accept", undefined, 0);
      const id = new URL(page.mode === "url" ? page.url : "").searchParams.get("elicitationId");
      await far.runtime.elicitations.complete(id!);
      const form = await stream.request(0, ({ mode }) => mode === "form");
      expect(form).toMatchObject({
        mode: "form",
        message: CITY.message,
        requestedSchema: CITY.requestedSchema,
      });
      const answer = { elicitationId: form.elicitationId, action: "accept", content: { city: "Rome" } };
      expect((await near.ada.answer("c1", answer)).status).toBe(200);
      await stream.done;
      expect(near.results()).toContain("Rome");
      expect(near.results()).toContain("Far:");
      // Each hop asks for itself.
      expect(page.elicitationId).not.toBe(id);
      expect([...near.errors, ...near.runtime.errors, ...far.errors, ...far.runtime.errors]).toEqual([]);
    });

    test("learns that the person declined, and goes on", async () => {
      const stream = await near.send();
      await stream.request(0);
      await near.answer(stream, "decline", undefined, 0);
      await stream.done;
      expect(near.results()).toContain("declined");
      expect([...near.errors, ...far.errors]).toEqual([]);
    });
  },
);
