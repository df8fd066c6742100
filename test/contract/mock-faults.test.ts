import {
  answeredElsewhere,
  askToConnect,
  createMockServer,
  delay,
  dropStream,
  duplicateChunk,
  failReply,
  type Fault,
  say,
  swapChunks,
} from "elicit-kit/mock-server";
import { describe, expect, it } from "vitest";
import { chatOn } from "./mock-chat.ts";

const script = [askToConnect({ service: "Tracker" }), say(({ outcome }) => `It is ${outcome}.`)];
/** `start` and `start-step` come before it. */
const REQUEST_CHUNK = 3;

async function chatWith(...faults: Fault[]) {
  const server = createMockServer({ script, faults });
  const world = chatOn(server);
  const turn = world.chat.sendMessage({ text: "Go on." });
  return { ...world, server, turn };
}

describe("a chat that meets a fault", () => {
  it("reads the rest of a stream that broke off, by attaching again", async () => {
    const { chat, server, turn, said, asked } = await chatWith(dropStream({ afterChunks: 1 }));
    await turn;
    expect(chat.error?.message).toBe("network error");
    expect(said()).toBe("");
    const resumed = chat.resumeStream();
    await asked();
    await server.completeOutside();
    await resumed;
    expect(said()).toBe("It is accepted.");
  });

  it("reads nothing of a stream that broke off at once", async () => {
    const { chat, turn } = await chatWith(dropStream({ afterChunks: 0 }));
    await turn;
    expect(chat.error?.message).toBe("network error");
    expect(chat.messages.filter(({ role }) => role === "assistant")).toEqual([]);
  });

  it("shows one card for a request that comes twice", async () => {
    const { server, turn, said, asked, parts } = await chatWith(duplicateChunk(REQUEST_CHUNK));
    expect(await asked()).toHaveLength(1);
    await server.completeOutside();
    await turn;
    expect(said()).toBe("It is accepted.");
    expect(parts().filter(({ type }) => type === "data-elicitation-request")).toHaveLength(1);
  });

  it("keeps the end of a request that comes before its beginning", async () => {
    const { server, turn, items } = await chatWith(swapChunks(REQUEST_CHUNK));
    await expect.poll(() => server.pending()).toHaveLength(1);
    await server.completeOutside();
    await turn;
    expect(items().map(({ status }) => status)).toEqual(["accepted"]);
  });

  it("waits for a reply that comes late", async () => {
    const { elicit, server, turn, items, asked } = await chatWith(delay(2_000));
    const [{ id } = { id: "" }] = await asked();
    const declined = elicit.decline(id);
    await expect.poll(() => items()[0]!.status).toBe("submitting");
    expect(server.received()).toEqual([]);
    await server.advance(2_000);
    await declined;
    await turn;
    expect(items()[0]!.status).toBe("declined");
  });

  it("brings an answer that met a 500 once the server is fine again", async () => {
    const { elicit, server, turn, items, asked } = await chatWith(failReply());
    const [{ id } = { id: "" }] = await asked();
    await elicit.decline(id);
    await turn;
    expect(items()[0]!.status).toBe("declined");
    expect(server.received()).toMatchObject([{ elicitationId: id, action: "decline" }]);
  });

  it("shows how a request ended that somebody else has answered (409)", async () => {
    const { elicit, server, turn, items, asked } = await chatWith(answeredElsewhere("accepted"));
    const [{ id } = { id: "" }] = await asked();
    await elicit.decline(id);
    await turn;
    expect(items()[0]!.status).toBe("accepted");
    expect(server.received()).toMatchObject([{ action: "decline" }]);
  });

  it("shows that a request has expired when the answer comes too late (410)", async () => {
    const { elicit, turn, items, asked, said } = await chatWith(answeredElsewhere("expired"));
    const [{ id } = { id: "" }] = await asked();
    await elicit.decline(id);
    await turn;
    expect(items()[0]!.status).toBe("expired");
    expect(said()).toBe("It is expired.");
  });

  it("meets what is injected later, once", async () => {
    const { elicit, server, turn, asked } = await chatWith();
    const [{ id } = { id: "" }] = await asked();
    server.inject(failReply({ on: "status", status: 503 }));
    const report = () => server.fetch(`http://mock.test/run/api/elicitations/${id}`);
    expect((await report()).status).toBe(503);
    expect((await report()).status).toBe(200);
    await elicit.decline(id);
    await turn;
  });
});
