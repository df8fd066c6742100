import type { ElicitationOptions } from "elicit-kit/ai-sdk";
import { askToConnect, createMockServer, type Fault, faults, say } from "elicit-kit/mock-server";
import { describe, expect, it } from "vitest";
import { chatOn } from "./mock-chat.ts";

const script = [askToConnect({ service: "Tracker" }), say(({ outcome }) => `It is ${outcome}.`)];
/** `start` and `start-step` precede it. */
const REQUEST_CHUNK = 3;

async function chatWith(...injected: Fault[]) {
  const server = createMockServer({ script, faults: injected });
  const world = chatOn(server);
  const turn = world.chat.sendMessage({ text: "Go on." });
  return { ...world, server, turn };
}

describe("a chat with a fault of the mock server", () => {
  // The question is the seventh chunk.
  it.each([0, 1, 2, 3, 4, 5, 6, 7])(
    "shows the card and continues reading when its stream breaks after %i chunks",
    async (afterChunks) => {
      const server = createMockServer({
        script: [say("One moment."), ...script],
        faults: [faults.dropStream({ afterChunks })],
      });
      const { chat, said, asked, parts } = chatOn(server);
      const turn = chat.sendMessage({ text: "Go on." });
      expect(await asked()).toHaveLength(1);
      await server.completeOutside();
      await turn;
      expect(said()).toBe("One moment. It is accepted.");
      expect(parts().filter(({ type }) => type === "data-elicitation-request")).toHaveLength(1);
      expect(chat.messages).toHaveLength(2);
      expect([chat.status, chat.error]).toEqual(["ready", undefined]);
    },
  );

  it("shows the card once the network is back, if the connection was lost before the question arrived", async () => {
    const server = createMockServer({ script, faults: [faults.dropStream({ afterChunks: 1 })] });
    const network = lostAfterTheFirstCall(server.fetch);
    const { chat, said, asked, items } = chatOn(server, network.options);
    const turn = chat.sendMessage({ text: "Go on." });
    await expect.poll(network.failures).toBe(1);
    expect(items()).toEqual([]);
    network.comeBack();
    await asked();
    await server.completeOutside();
    await turn;
    expect(said()).toBe("It is accepted.");
    expect(chat.error).toBe(undefined);
  });

  it("shows one card for a request that arrives twice", async () => {
    const { server, turn, said, asked, parts } = await chatWith(faults.duplicateChunk(REQUEST_CHUNK));
    expect(await asked()).toHaveLength(1);
    await server.completeOutside();
    await turn;
    expect(said()).toBe("It is accepted.");
    expect(parts().filter(({ type }) => type === "data-elicitation-request")).toHaveLength(1);
  });

  it("keeps the outcome of a request that arrives before the request itself", async () => {
    const { server, turn, items } = await chatWith(faults.swapChunks(REQUEST_CHUNK));
    await expect.poll(() => server.pending()).toHaveLength(1);
    await server.completeOutside();
    await turn;
    expect(items().map(({ status }) => status)).toEqual(["accepted"]);
  });

  it("waits for a late reply", async () => {
    const { elicit, server, turn, items, asked } = await chatWith(faults.delay(2_000));
    const [{ id } = { id: "" }] = await asked();
    const declined = elicit.decline(id);
    await expect.poll(() => items()[0]!.status).toBe("submitting");
    expect(server.received()).toEqual([]);
    await server.advance(2_000);
    await declined;
    await turn;
    expect(items()[0]!.status).toBe("declined");
  });

  it("sends an answer again after a 500", async () => {
    const { elicit, server, turn, items, asked } = await chatWith(faults.failReply());
    const [{ id } = { id: "" }] = await asked();
    await elicit.decline(id);
    await turn;
    expect(items()[0]!.status).toBe("declined");
    expect(server.received()).toMatchObject([{ elicitationId: id, action: "decline" }]);
  });

  it("shows the outcome when the request was answered elsewhere (409)", async () => {
    const { elicit, server, turn, items, asked } = await chatWith(faults.answeredElsewhere("accepted"));
    const [{ id } = { id: "" }] = await asked();
    await elicit.decline(id);
    await turn;
    expect(items()[0]!.status).toBe("accepted");
    expect(server.received()).toMatchObject([{ action: "decline" }]);
  });

  it("shows that a request has expired when the answer comes too late (410)", async () => {
    const { elicit, turn, items, asked, said } = await chatWith(faults.answeredElsewhere("expired"));
    const [{ id } = { id: "" }] = await asked();
    await elicit.decline(id);
    await turn;
    expect(items()[0]!.status).toBe("expired");
    expect(said()).toBe("It is expired.");
  });

  it("gets a fault that is injected later only once", async () => {
    const { elicit, server, turn, asked } = await chatWith();
    const [{ id } = { id: "" }] = await asked();
    server.inject(faults.failReply({ on: "status", status: 503 }));
    const report = () => server.fetch(`http://mock.test/run/api/elicitations/${id}`);
    expect((await report()).status).toBe(503);
    expect((await report()).status).toBe(200);
    await elicit.decline(id);
    await turn;
  });
});

/** A network that is away after one call, until the browser says that it is online. No time passes in between. */
function lostAfterTheFirstCall(fetch: typeof globalThis.fetch) {
  const listeners = new Set<() => void>();
  let calls = 0;
  let failures = 0;
  let isBack = false;
  const options: ElicitationOptions = {
    fetch(input, init) {
      if (calls++ === 0 || isBack) return fetch(input, init);
      failures++;
      return Promise.reject(new TypeError("Failed to fetch"));
    },
    clock: { now: () => Date.now(), after: () => () => undefined },
    onOnline(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return {
    options,
    failures: () => failures,
    comeBack() {
      isBack = true;
      for (const listener of listeners) listener();
    },
  };
}
