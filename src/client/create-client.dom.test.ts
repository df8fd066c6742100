import { expect, it } from "vitest";
import type { ElicitationAnswer, ElicitationRequest } from "../protocol/contract.ts";
import { type Channel, ChannelError } from "./channel.ts";
import { createElicitationClient } from "./create-client.ts";

const request: ElicitationRequest = {
  type: "elicitation-request",
  elicitationId: "e1",
  mode: "form",
  message: "Where to?",
  requestedSchema: { type: "object", properties: { city: { type: "string" } } },
};

/** A channel whose server is away until told otherwise. */
function unreachable(): Channel & { sent: (readonly ElicitationAnswer[])[]; back: boolean } {
  const channel = {
    sent: [] as (readonly ElicitationAnswer[])[],
    back: false,
    subscribe: () => () => undefined,
    delivery: () => ({ accept: "send", decline: "send", cancel: "send" }) as const,
    async respond(answers: readonly ElicitationAnswer[]) {
      channel.sent.push(answers);
      if (!channel.back) throw new ChannelError("away", { retryable: true, retryAfter: 3_600_000 });
      return answers.map(
        ({ elicitationId }) => ({ elicitationId, kind: "settled", outcome: "accepted" }) as const,
      );
    },
  };
  return channel;
}

it("sends what the network lost when the window says it is back, and not after it is disposed of", async () => {
  const channel = unreachable();
  const client = createElicitationClient({ channel });
  client.receive("c1", request);
  const delivered = client.accept("e1", { city: "Lisbon" });
  await expect.poll(() => client.getSnapshot().items[0]?.status).toBe("undelivered");
  channel.back = true;
  window.dispatchEvent(new Event("online"));
  await delivered;
  expect(client.getSnapshot().items[0]?.status).toBe("accepted");
  client.dispose();
  window.dispatchEvent(new Event("online"));
  expect(channel.sent).toHaveLength(2);
});

it("keeps what was typed for a reload in the session of the tab", () => {
  const client = createElicitationClient({ channel: unreachable() });
  client.receive("c1", request);
  client.drafts.save("e1", { city: "Lis" });
  expect(createElicitationClient({ channel: unreachable() }).drafts.load("e1")).toEqual({ city: "Lis" });
  client.drafts.save("e1", undefined);
  expect(sessionStorage).toHaveLength(0);
});
