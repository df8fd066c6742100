import { createMockServer, type MockServer, type Scenario, scenarios } from "elicit-kit/mock-server";
import type { ElicitationContent } from "elicit-kit/contract";
import { describe, expect, it } from "vitest";
import { chatOn } from "./mock-chat.ts";

type ChatOnMock = ReturnType<typeof chatOn>;
type Act = (world: ChatOnMock & { server: MockServer; id: string }) => Promise<unknown>;

const accept =
  (content: ElicitationContent): Act =>
  ({ elicit, id }) =>
    elicit.accept(id, content);
const decline: Act = ({ elicit, id }) => elicit.decline(id);
const dismiss: Act = ({ elicit, id }) => elicit.cancel(id);
const connect: Act = ({ server }) => server.completeOutside();
const stay = { city: "Lisbon", checkIn: "2026-12-01", nights: 2 };

/** The user's actions, and the final text of the agent. */
const JOURNEYS: Readonly<Record<keyof typeof scenarios, readonly (readonly [Act, string])[]>> = {
  connect: [
    [connect, "Done: TRK-42."],
    [decline, "Then I cannot create the issue."],
  ],
  form: [
    [accept(stay), "Casa do Mar in Lisbon has a room."],
    [dismiss, "Then I cannot search."],
    [({ elicit, id }) => elicit.decline(id, "Something by the sea"), "Instead: Something by the sea"],
  ],
  decline: [[decline, "without Tracker. Connect it in your settings."]],
  cancel: [[dismiss, "No problem. Say so when you want to connect Tracker."]],
  expiry: [[({ server }) => server.advance(10_000), "That took too long. Ask me again when you are back."]],
  twoAtOnce: [
    [
      async ({ elicit, items }) => {
        const [calendar, form] = items();
        await elicit.accept(form!.id, stay);
        await elicit.decline(calendar!.id);
      },
      "Thank you, that is all I need.",
    ],
  ],
  somebodyElse: [
    [({ server }) => server.answerOutside({ approve: true }), "Paid. Ada approved it."],
    [
      async ({ server }) => {
        await server.assignOutside({ user: "Cy" });
        await server.answerOutside({ approve: true });
      },
      "Paid. Cy approved it.",
    ],
    [
      async ({ elicit, id }) => {
        await elicit.assign(id, null);
        await elicit.accept(id, { approve: true });
      },
      "Paid. You approved it.",
    ],
  ],
  sentence: [[accept(stay), "Casa do Mar in Lisbon has a room."]],
  connectAs: [[connect, "Done: TRK-42."]],
  delegatedAgent: [
    [connect, "The travel agent has booked it."],
    [decline, "The travel agent could not book it."],
  ],
  noCapability: [],
  bareEvents: [[connect, "Done: TRK-42."]],
  unknownEvents: [[connect, "Done: TRK-42."]],
  choice: [[accept({ plan: "m" }), "You chose m."]],
  previews: [[accept({ layout: "list" }), "The layout is: list."]],
  youDecide: [
    [accept({ tone: "formal" }), "You chose: formal."],
    [({ elicit, id }) => elicit.accept(id, undefined, { delegated: true }), "I chose: friendly."],
  ],
  slider: [[accept({ degrees: 23 }), "Set to 23 degrees."]],
  rating: [[accept({ stars: 5 }), "Thank you for 5 stars."]],
  naming: [[accept({ name: "Apollo" }), "It is called Apollo."]],
  approval: [
    [accept({ euros: 42 }), "The money is on its way."],
    [decline, "I refunded nothing."],
  ],
  background: [
    [accept({ hotel: "Alfama 12" }), "Booked: Alfama 12."],
    [decline, "I booked no hotel."],
  ],
  confirmDestructive: [
    [accept({ confirm: true }), "Deleted."],
    [accept({ confirm: false }), "I left everything as it is."],
    [decline, "I left everything as it is."],
  ],
};

async function play(scenario: Scenario, act: Act, requests = 1) {
  const server = createMockServer(scenario);
  const world = chatOn(server);
  const turn = world.chat.sendMessage({ text: "Go on." });
  const [first] = await world.asked(requests);
  await act({ ...world, server, id: first!.id });
  await turn;
  return world;
}

describe("a chat on the mock server", () => {
  const journeys = Object.entries(scenarios).flatMap(([name, scenario]) =>
    JOURNEYS[name as keyof typeof scenarios].map(([act, ending]) => ({ name, scenario, act, ending })),
  );
  it.each(journeys)(
    "plays the scenario $name, and the agent continues with “$ending”",
    async ({ name, scenario, act, ending }) => {
      const { said, chat, items } = await play(scenario, act, name === "twoAtOnce" ? 2 : 1);
      expect(chat.error).toBeUndefined();
      expect(said()).toContain(ending);
      expect(items().filter(({ status }) => status === "pending")).toEqual([]);
    },
  );

  it("never asks in the scenario noCapability, and the tool returns the reason", async () => {
    const { chat, items, said, outputs } = chatOn(createMockServer(scenarios.noCapability));
    await chat.sendMessage({ text: "Go on." });
    expect(items()).toEqual([]);
    expect(said()).toContain("Connect Tracker first, then ask me again.");
    expect(outputs()).toEqual([
      expect.stringMatching(/^Authentication required .+ Do not retry this tool\.$/),
    ]);
  });

  it("asks only once in the scenario decline, although the tool is called again", async () => {
    const { items, outputs } = await play(scenarios.decline, decline);
    expect(items()).toHaveLength(1);
    expect(outputs()).toHaveLength(2);
    for (const output of outputs()) expect(output).toContain("the user declined to connect Tracker");
  });

  it("works on in the scenario background, and answers the call when the user has answered", async () => {
    const { outputs } = await play(scenarios.background, async ({ elicit, id, said, outputs: soFar }) => {
      await expect.poll(said).toContain("It will be sunny.");
      expect(soFar()).toEqual([expect.stringMatching(/^Asked\./), { sky: "sunny" }]);
      await elicit.accept(id, { hotel: "Casa do Mar" });
    });
    expect(outputs()).toEqual(["Booked: Casa do Mar", { sky: "sunny" }]);
  });

  it("opens both requests of the scenario twoAtOnce before either is answered", async () => {
    await play(
      scenarios.twoAtOnce,
      async ({ server, elicit }) => {
        const open = server.pending();
        expect(open.map(({ mode }) => mode)).toEqual(["url", "form"]);
        for (const { elicitationId } of open) await elicit.cancel(elicitationId);
      },
      2,
    );
  });

  it("gets the name of the account in the outcome of the scenario connectAs", async () => {
    const { items } = await play(scenarios.connectAs, connect);
    expect(items()[0]!.request.resolution).toMatchObject({ outcome: "accepted", account: "alice" });
  });

  it("shows the other agent's name as a claim in the scenario delegatedAgent", async () => {
    const { items, parts } = await play(scenarios.delegatedAgent, connect);
    expect(items()[0]!.request.requester).toEqual({ name: "Acme Assistant", claimedName: "Travel agent" });
    expect(parts().filter(({ type }) => type === "data-operation")).toHaveLength(2);
  });

  it("keeps the unknown parts of the scenario unknownEvents in its history, if the AI SDK keeps them", async () => {
    const { parts } = await play(scenarios.unknownEvents, connect);
    expect(parts()).toContainEqual({ type: "data-weather", data: { sky: "clear" } });
  });
});
