import { RESPONSE_PART_TYPE } from "../../protocol/contract.ts";
import { isObject } from "../../protocol/json.ts";
import type { ConformanceCase } from "../case.ts";
import {
  type Asked,
  answer,
  answerOf,
  ask,
  described,
  ensureGoesOn,
  ensureResolved,
  ensureSettled,
  ensureStatus,
  problemIn,
  untilStatus,
} from "../steps.ts";
import { ensure, ensureEqual } from "../verdict.ts";
import { type Person, type Reply, isEventStream } from "../visit.ts";
import { askTwo } from "./streams.ts";

/** Answering by a message of the chat (contract, section 4). */
export const fastPathCases: readonly ConformanceCase[] = [
  {
    id: "fast-path/one",
    rule: "A message that is an answer settles the request like the endpoint does, and starts no run.",
    async run(visit) {
      const form = visit.need("form");
      const [person] = visit.people();
      const asked = await ask(person, form.say);
      const reply = await answerByMessage(asked, [partOf(answerOf(asked, "accept", form.fits))]);
      // A durable server may answer with the rest of the run as a stream: then the status tells.
      if (!isEventStream(reply)) ensureSettled(reply, asked, "accepted");
      await untilStatus(visit, asked, "accepted");
      if (isEventStream(reply)) return;
      await ensureResolved(asked, "accepted");
      await ensureGoesOn(asked.run);
    },
  },
  {
    id: "fast-path/bare-part",
    rule: "A bare elicitation-response part is taken as well.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      const asked = await ask(person, connect);
      await answerByMessage(asked, [{ type: "elicitation-response", ...answerOf(asked, "decline") }]);
      await untilStatus(visit, asked, "declined");
    },
  },
  {
    id: "fast-path/several",
    rule: "Several answers in one message are settled each, and the reply holds the status and body of each.",
    async run(visit) {
      const [first, second] = await askTwo(visit);
      const reply = await answerByMessage(first, [
        partOf(answerOf(first, "decline")),
        partOf(answerOf(second, "cancel")),
      ]);
      if (!isEventStream(reply)) {
        ensure(reply.status === 200, `expected 200, got ${described(reply)}`);
        const results = isObject(reply.body) ? reply.body["results"] : undefined;
        ensureEqual(results, [settled(first, "declined"), settled(second, "cancelled")], "results");
      }
      await untilStatus(visit, first, "declined");
      await untilStatus(visit, second, "cancelled");
    },
  },
  {
    id: "fast-path/mixed",
    rule: "A message that holds an answer and anything else is refused with 400 and settles nothing.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      const asked = await ask(person, connect);
      const parts = [{ type: "text", text: "No." }, partOf(answerOf(asked, "decline"))];
      problemIn(await answerByMessage(asked, parts), 400);
      await ensureStatus(asked, "pending");
    },
  },
  {
    id: "fast-path/malformed",
    rule: "An answer that is none is refused with 400 and starts no run.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      const asked = await ask(person, connect);
      problemIn(await answerByMessage(asked, [partOf({ action: "decline" })]), 400);
      await ensureStatus(asked, "pending");
    },
  },
  {
    id: "fast-path/again",
    rule: "The fast path and the endpoint know of each other: another answer by message gets the 409.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      const asked = await ask(person, connect);
      ensureSettled(await answer(asked, "decline"), asked, "declined");
      const problem = problemIn(await answerByMessage(asked, [partOf(answerOf(asked, "cancel"))]), 409);
      ensureEqual(problem.outcome, "declined", "outcome in the 409");
    },
  },
  {
    id: "fast-path/ownership",
    rule: "By message too, another person's request is unknown and nobody without identity answers.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person, other] = visit.people();
      const asked = await ask(person, connect);
      const parts = [partOf(answerOf(asked, "decline"))];
      problemIn(await answerByMessage(asked, parts, other), 404);
      problemIn(await answerByMessage(asked, parts, visit.person()), 401);
      await ensureStatus(asked, "pending");
    },
  },
];

/** How one of several answers stands in the reply. */
function settled({ request: { elicitationId } }: Asked, outcome: string) {
  return { elicitationId, status: 200, body: { success: true, elicitationId, outcome } };
}

function partOf(data: Readonly<Record<string, unknown>>) {
  return { type: RESPONSE_PART_TYPE, data };
}

async function answerByMessage(
  { run, person }: Asked,
  parts: readonly unknown[],
  who: Person = person,
): Promise<Reply> {
  const { conversationId } = run;
  const message = { id: `answer-${crypto.randomUUID()}`, role: "user", parts };
  const body = { id: conversationId, conversationId, trigger: "submit-message", messages: [message] };
  return who.post("/chat", body);
}
