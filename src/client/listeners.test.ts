import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createElicitationClient } from "./create-client.ts";
import { createHttpChannel } from "./http-channel.ts";
import { formRequest } from "../contract/testing/requests.ts";

/** The next error that nobody catches, as a page reports it. */
const uncaughtError = () => new Promise((resolve) => process.once("uncaughtException", resolve));

describe("a listener that throws", () => {
  const fault = new Error("a fault of the app");
  const faulty = () => {
    throw fault;
  };

  it("does not keep changes from the other views, and its error reaches the page", async () => {
    const heard = uncaughtError();
    const client = createElicitationClient({ channel: createHttpChannel() });
    await client.ready();
    onTestFinished(client.subscribe(faulty));
    onTestFinished(client.dispose);
    const view = vi.fn<() => void>();
    client.subscribe(view);
    client.receive("c1", formRequest());
    expect(view).toHaveBeenCalledOnce();
    expect(client.getSnapshot().items).toHaveLength(1);
    expect(await heard).toBe(fault);
  });

  it("does not keep requests from the other clients of a channel", async () => {
    const heard = uncaughtError();
    const channel = createHttpChannel();
    onTestFinished(channel.subscribe(faulty));
    const client = createElicitationClient({ channel });
    onTestFinished(client.dispose);
    await client.ready();
    channel.push({ type: "request", conversationId: "c1", request: formRequest() });
    expect(client.getSnapshot().items).toHaveLength(1);
    expect(await heard).toBe(fault);
  });
});
