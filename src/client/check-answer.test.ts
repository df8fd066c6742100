import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createManualClock, promisesSettled } from "../base/testing/manual-clock.ts";
import {
  type ElicitationAnswer,
  type ElicitationContent,
  type ElicitationRequest,
  outcomeOfAction,
} from "../contract/contract.ts";
import { formRequest, urlRequest } from "../contract/testing/requests.ts";
import type { AnswerReceipt, Channel } from "./channel.ts";
import { refusalsOf, respondEach } from "./check-answer.ts";
import { createElicitationClient } from "./create-client.ts";
import { createOpenQuestions, type OpenQuestion } from "./open-questions.ts";

const START = Date.parse("2026-11-21T12:00:00Z");
const form = (elicitationId: string, round?: ElicitationRequest["round"]) =>
  formRequest({ elicitationId, round });

/** A protocol whose server keeps no requests and checks no answers. `way`: how it takes the answers of a round. */
function setUp(way: "each" | "together" = "each") {
  const clock = createManualClock(START);
  const { open, channel, ...questions } = createOpenQuestions<OpenQuestion>(clock);
  const taken: string[] = [];
  const take = ({ elicitationId, action }: ElicitationAnswer): AnswerReceipt => {
    open.delete(elicitationId);
    taken.push(`${elicitationId} ${action}`);
    return { elicitationId, kind: "settled", outcome: outcomeOfAction[action] };
  };
  const together: Channel["respond"] = async (answers) =>
    (await refusalsOf(answers, (id) => open.get(id)?.request)) ?? answers.map(take);
  const respond = way === "each" ? respondEach(open, (_, answer) => take(answer)) : together;
  const ask = (request: ElicitationRequest): OpenQuestion => {
    const question = { conversationId: "c1", request };
    questions.show(question);
    return question;
  };
  const create = () => {
    const client = createElicitationClient({ channel: { ...channel, respond }, clock, storage: null });
    onTestFinished(() => client.dispose());
    const item = (id: string) => client.getSnapshot().items.find((one) => one.id === id);
    return { client, item };
  };
  return { ...questions, ...create(), ask, channel, clock, create, taken };
}

const wrong: ElicitationContent = { city: "x", email: "nobody" };
const right: ElicitationContent = { city: "Lisbon" };

describe.each(["each", "together"] as const)("in a protocol that checks no answer, sent %s,", (way) => {
  it.each<[string, ElicitationRequest, Pick<ElicitationAnswer, "action" | "content">, string]>([
    ["a form with right answers is accepted", form("a"), { action: "accept", content: right }, "accepted"],
    ["a form with wrong answers stays open", form("a"), { action: "accept", content: wrong }, "pending"],
    ["a form without the answer it needs stays open", form("a"), { action: "accept" }, "pending"],
    ["a form is declined whatever is in it", form("a"), { action: "decline" }, "declined"],
    [
      "a page is accepted without content",
      urlRequest({ elicitationId: "a" }),
      { action: "accept" },
      "accepted",
    ],
  ])("%s", async (_, request, { action, content }, status) => {
    const { ask, client, item, taken } = setUp(way);
    ask(request);
    await (action === "accept" ? client.accept("a", content) : client.decline("a"));
    expect(item("a")?.status).toBe(status);
    expect(taken).toEqual(status === "pending" ? [] : [`a ${action}`]);
  });

  it("each field of a wrong answer says what is wrong, and a right answer follows", async () => {
    const { ask, client, item, taken } = setUp(way);
    ask(form("a"));
    await client.accept("a", wrong);
    expect(item("a")).toMatchObject({
      notice: { code: "refused", detail: "Some answers do not fit their questions." },
      fieldErrors: { city: { code: "too-short" }, email: { code: "email" } },
    });
    await client.accept("a", right);
    expect(taken).toEqual(["a accept"]);
  });

  it("an answer is sent again if the code that checks it cannot be loaded", async () => {
    vi.doMock("../form/check-content.ts", () => Promise.reject(new TypeError("Failed to fetch")));
    onTestFinished(() => vi.doUnmock("../form/check-content.ts"));
    const { ask, client, item } = setUp(way);
    ask(form("a"));
    void client.accept("a", right);
    await expect.poll(() => item("a")?.status).toBe("undelivered");
    expect(item("a")?.notice?.code).toBe("unreachable");
    vi.doUnmock("../form/check-content.ts");
    await client.retry("a");
    await expect.poll(() => item("a")?.status).toBe("accepted");
  });
});

it("no answer of a round is sent when one of them is wrong, and each form says why", async () => {
  const { ask, client, item, taken } = setUp("together");
  const round = { id: "r", size: 2 };
  for (const id of ["a", "b"]) ask(form(id, round));
  await client.accept("a", wrong);
  await client.decline("b");
  expect(item("a")).toMatchObject({ status: "pending", fieldErrors: { city: { code: "too-short" } } });
  expect(item("b")).toMatchObject({
    status: "pending",
    notice: { code: "refused", detail: "Another answer does not fit, so none was sent." },
  });
  expect(taken).toEqual([]);
  await client.accept("a", right);
  await client.decline("b");
  expect(taken).toEqual(["a accept", "b decline"]);
});

it("an answer reaches nobody when its question was withdrawn while the answer was checked", async () => {
  const { ask, client, channel, end, item, taken } = setUp();
  const question = ask(form("a"));
  const ends: unknown[] = [];
  channel.subscribe((event) => event.type === "request" && ends.push(event.request.resolution));
  const accepted = client.accept("a", right);
  end(question, "withdrawn");
  end(question, "failed");
  await accepted;
  expect(taken).toEqual([]);
  expect(item("a")?.status).toBe("withdrawn");
  const resolution = { outcome: "withdrawn", at: new Date(START).toISOString() };
  expect(ends).toEqual([undefined, resolution]);
});

it("an answer to a question that the protocol no longer has disables its card", async () => {
  const { client, item } = setUp();
  client.receive("c1", form("a"));
  await client.accept("a", right);
  expect(item("a")?.status).toBe("gone");
});

it("a client that is created later shows the questions that are still open", async () => {
  const { ask, create, end } = setUp();
  end(ask(form("a")), "expired");
  ask(form("b"));
  const { client } = create();
  await promisesSettled();
  expect(client.getSnapshot().items.map(({ id, conversationId }) => [id, conversationId])).toEqual([
    ["b", "c1"],
  ]);
});
