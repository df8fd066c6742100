import { expect, test } from "vitest";
import type { Cards } from "./relay/call-questions.ts";
import { MAX_QUESTIONS, type LegacyRequestsOptions, answerLegacyRequests } from "./relay/legacy-requests.ts";

type Client = Parameters<typeof answerLegacyRequests>[0];

const cards: Cards = {
  claimedName: undefined,
  ask: () => {
    throw new Error("nothing is asked here");
  },
  askRound: () => [],
  pageOf: () => undefined,
  untilNextLook: async () => {},
  otherAsked: () => {},
  completeAllBut: () => {},
  end: async () => {},
};

test("refused forms count towards the limit of questions in a call, and forms beyond the limit are not parsed", async () => {
  let read = 0;
  const client: Client = { setNotificationHandler: () => {} };
  const options: LegacyRequestsOptions = {
    cards,
    supports: { url: true, form: true },
    showUnanswerable: false,
    onFlood: () => {},
    conceal(value) {
      read += 1;
      return value;
    },
  };
  answerLegacyRequests(client, options);
  const params = {
    message: "?",
    requestedSchema: { type: "object", properties: { password: { type: "string" } } },
  };
  const refusals: string[] = [];
  for (let count = 0; count < MAX_QUESTIONS + 10; count += 1) {
    const answer = client.fallbackRequestHandler?.(
      { jsonrpc: "2.0", id: count, method: "elicitation/create", params },
      { mcpReq: { signal: new AbortController().signal } } as never,
    );
    await answer?.catch((error: unknown) => refusals.push(String(error)));
  }
  expect(refusals).toHaveLength(MAX_QUESTIONS + 10);
  expect(refusals.at(MAX_QUESTIONS - 1)).toContain("asks for a secret");
  expect(refusals.at(MAX_QUESTIONS)).toContain("has asked 50 questions already");
  expect(read).toBe(MAX_QUESTIONS);
});
