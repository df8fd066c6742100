/** Tests with clients before 2026 whose connections break: a sleeping laptop, a restarting proxy. */
import { type Socket, connect, createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { createDeferred } from "../../../src/base/deadlines.ts";
import { listen } from "../../stages/listen.ts";
import { serveAgent } from "./agent.ts";
import { clientV1, clientV2 } from "./clients.ts";
import { asks, asksForCity } from "./turns.ts";

/** A proxy in front of an endpoint. The test can break its connections. */
async function breakable(url: string): Promise<{ url: string; breakAll(): void; resumable: Promise<void> }> {
  const { port } = new URL(url);
  const sockets = new Set<Socket>();
  const resumable = createDeferred<void>();
  const proxy = createServer((near) => {
    const far = connect(Number(port), "127.0.0.1");
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    }
    near.pipe(far).pipe(near);
    // A client can resume the stream of a call once it has got an event with an id on it.
    let isCall = false;
    near.on("data", (bytes: Buffer) => {
      isCall ||= bytes.includes("tools/call");
    });
    far.on("data", (bytes: Buffer) => {
      if (isCall && /^id: /m.test(bytes.toString())) resumable.resolve();
    });
  });
  const own = await listen(proxy);
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    breakAll();
    return own.close();
  });
  return { url: url.replace(port, String(own.port)), breakAll, resumable: resumable.promise };
}

describe.each([
  ["version 1", clientV1, "2025-06-18"],
  ["version 1", clientV1, "2025-11-25"],
  ["version 2", clientV2, "2025-11-25"],
] as const)("a client (%s of the SDK) whose connection breaks", (_, connectTo, era) => {
  test(`while the user thinks gets the agent's reply on its next connection (${era})`, async () => {
    const agent = await serveAgent(asksForCity);
    const { url, breakAll } = await breakable(agent.url);
    let asked = 0;
    const client = await connectTo(url, era, {
      async answer() {
        asked += 1;
        breakAll();
        await new Promise((resolve) => setTimeout(resolve, 100));
        return { action: "accept", content: { answer: "Oslo" } };
      },
    });
    const { text } = await client.call({ message: "Go" });
    expect(JSON.parse(text)).toEqual({ outcome: "accepted", value: "Oslo" });
    expect(asked).toBe(1);
    expect(agent.errors).toEqual([]);
  });

  test(`before a question arrives gets the question on its next connection (${era})`, async () => {
    const broken = createDeferred<void>();
    const run = asks(async (elicitor) => {
      await broken.promise;
      return elicitor.text("Where to?");
    });
    const agent = await serveAgent(run);
    const { url, breakAll, resumable } = await breakable(agent.url);
    const client = await connectTo(url, era, {
      answer: () => ({ action: "accept", content: { answer: "Oslo" } }),
    });
    const call = client.call({ message: "Go" });
    await resumable;
    await new Promise((resolve) => setTimeout(resolve, 50));
    breakAll();
    broken.resolve();
    const { text } = await call;
    expect(JSON.parse(text)).toEqual({ outcome: "accepted", value: "Oslo" });
  });
});
