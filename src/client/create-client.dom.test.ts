import { expect, it } from "vitest";
import { formRequest } from "../contract/testing/requests.ts";
import { ChannelError } from "./channel.ts";
import { createElicitationClient } from "./create-client.ts";
import { FakeChannel, settleAll } from "./testing/fake-channel.ts";

const request = formRequest({ elicitationId: "e1" });

it("the client retries undelivered answers when the window is online again, but not after it is disposed of", async () => {
  const channel = new FakeChannel();
  channel.reply = () => new ChannelError("away", { retryable: true, retryAfterMs: 3_600_000 });
  const client = createElicitationClient({ channel });
  client.receive("c1", request);
  const delivered = client.accept("e1", { city: "Lisbon" });
  await expect.poll(() => client.getSnapshot().items[0]?.status).toBe("undelivered");
  channel.reply = settleAll;
  window.dispatchEvent(new Event("online"));
  await delivered;
  expect(client.getSnapshot().items[0]?.status).toBe("accepted");
  client.dispose();
  window.dispatchEvent(new Event("online"));
  expect(channel.sent).toHaveLength(2);
});

it("the client keeps user input across a reload, in the session storage of the tab", () => {
  sessionStorage.clear();
  const client = createElicitationClient({ channel: new FakeChannel() });
  client.receive("c1", request);
  client.drafts.save("e1", { city: "Lis" });
  expect(createElicitationClient({ channel: new FakeChannel() }).drafts.load("e1")).toEqual({ city: "Lis" });
  client.drafts.save("e1", undefined);
  expect(sessionStorage).toHaveLength(0);
});
