import { trackerCalls } from "./chat-page.ts";
import { expect, test } from "./demo.ts";
import { ScriptClient } from "./script-client.ts";

const FLIGHT = {
  destination: "Lisbon",
  date: "2099-03-04",
  cabin: "economy",
  travellers: 1,
  flexible: false,
};

test("for a client that cannot show requests, the tool immediately gets a text for the model", async ({
  demo,
}) => {
  const alice = new ScriptClient(demo);
  const both = await alice.run("Do both: an issue and a flight", { elicitation: false });
  expect(both.asked).toEqual([]);
  const results = both.chunks.flatMap((chunk) => {
    if (chunk.type === "tool-output-error") return [chunk.errorText];
    return chunk.type === "tool-output-available" ? [chunk.output] : [];
  });
  expect(JSON.stringify(results)).toContain(
    "requires user authentication: the user needs to connect their Tracker account before this tool can be used. Do not retry this tool.",
  );
  expect(JSON.stringify(results)).toContain(
    "needs information only the user has: Destination, Departure date, Cabin, Travellers, My dates are flexible. Ask for it in your answer, or go on with defaults where they exist. Do not guess.",
  );
  expect(await trackerCalls(demo)).toEqual({ withCredential: 0, withBadCredential: 0, withoutCredential: 0 });
});

for (const path of ["answer", "answerByMessage"] as const) {
  test(
    `the turn continues after an ${path === "answer" ? "answer to the endpoint" : "answer in a message"}`,
    { tag: path === "answerByMessage" ? "@long" : [] },
    async ({ demo }) => {
      const alice = new ScriptClient(demo);
      const turn = await alice.run("Book me a flight", {
        async onAsked({ elicitationId }) {
          const response = await alice[path]({ elicitationId, action: "accept", content: FLIGHT });
          expect(response.status).toBe(200);
          expect(await response.json()).toEqual({ success: true, elicitationId, outcome: "accepted" });
        },
      });
      expect(turn.text).toContain("Done: Flight to Lisbon on 4 March 2099");
      expect(turn.asked.at(-1)?.resolution).toMatchObject({ outcome: "accepted" });
    },
  );
}

test("an invalid answer is refused, and the turn keeps waiting for a valid one", async ({ demo }) => {
  const alice = new ScriptClient(demo);
  const bob = new ScriptClient(demo, "bob");
  const turn = await alice.run("Book me a flight", {
    async onAsked({ elicitationId }) {
      const accept = { elicitationId, action: "accept", content: FLIGHT };
      const theirs = { ...accept, conversationId: alice.conversationId };
      const wrong: [number, Promise<Response>][] = [
        [404, alice.answer({ ...accept, elicitationId: "unknown" })],
        [404, alice.answer({ ...accept, conversationId: "another" })],
        [404, bob.answer(theirs)],
        [404, bob.fetch(`elicitations/${elicitationId}`)],
        [401, alice.fetch("elicitation-responses", { body: theirs, headers: { authorization: "Bearer x" } })],
        [
          415,
          alice.fetch("elicitation-responses", { body: "a=b", headers: { "content-type": "text/plain" } }),
        ],
        [400, alice.fetch("elicitation-responses", { body: "{" })],
        [400, alice.answer({ elicitationId, action: "maybe" })],
        [400, alice.answer({ ...accept, content: { ...FLIGHT, date: "2099-02-30" } })],
      ];
      for (const [status, response] of wrong) expect((await response).status).toBe(status);
      const missing = await alice.answer({ elicitationId: "unknown", action: "decline" });
      const foreign = await bob.answer({ ...theirs, action: "decline", content: undefined });
      expect(await foreign.json()).toEqual(await missing.json());
      expect((await alice.answer(accept)).status).toBe(200);
      const again = await alice.answer(accept);
      expect([again.status, await again.json()]).toEqual([
        200,
        { success: true, elicitationId, outcome: "accepted", alreadyProcessed: true },
      ]);
      expect((await alice.answer({ elicitationId, action: "decline" })).status).toBe(409);
    },
  });
  expect(turn.text).toContain("Done: Flight to Lisbon");
});

test.describe("when the user does not answer in time", () => {
  test.use({ demoEnv: { ELICITATION_TTL_MS: "500" } });

  test("a late answer gets 410", async ({ demo }) => {
    const alice = new ScriptClient(demo);
    const { asked, text } = await alice.run("Book me a flight");
    expect(text).toContain("I did not book the flight.");
    const late = { elicitationId: asked[0]?.elicitationId, action: "accept", content: FLIGHT };
    expect((await alice.answer(late)).status).toBe(410);
  });
});

test(
  "a connection belongs to one user: Bob is asked to connect his own",
  { tag: "@long" },
  async ({ demo }) => {
    const bob = new ScriptClient(demo, "bob");
    const { asked } = await bob.run("Create an issue about the login bug", {
      onAsked: async ({ elicitationId }) => void (await bob.answer({ elicitationId, action: "cancel" })),
    });
    expect(asked.map(({ mode, resolution }) => [mode, resolution?.outcome])).toEqual([
      ["url", undefined],
      ["url", "cancelled"],
    ]);
  },
);
