import { RESPONSE_PART_TYPE } from "../../../src/contract/contract.ts";
import { isObject } from "../../../src/contract/json.ts";
import type { ConformanceRule } from "../case.ts";
import { type Reply, ensureEqual, show } from "../reply.ts";
import {
  type Asked,
  UNKNOWN_ID,
  answer,
  answerOf,
  askAny,
  askForm,
  ensureGoesOn,
  ensureReplied,
  ensureResolved,
  ensureSettled,
  ensureStatus,
  problemIn,
  untilStatus,
} from "../steps.ts";
import { type Person, isEventStream } from "../test-context.ts";
import { askTwo } from "./streams.ts";

/** Rules for answers in a message of the chat (contract, section 4). */
export const fastPathCases: readonly ConformanceRule[] = [
  {
    id: "fast-path/one",
    rule: "A message that contains only an answer ends the request like the answer endpoint, and starts no turn.",
    async run(context) {
      const { form, ...asked } = await askForm(context);
      const reply = await answerByMessage(asked, [partOf(answerOf(asked, "accept", form.fits))]);
      // A durable server may reply with the rest of the turn as a stream. The status then shows the outcome.
      if (!isEventStream(reply)) ensureSettled(reply, asked, "accepted");
      await untilStatus(context, asked, "accepted");
      if (isEventStream(reply)) return;
      await ensureResolved(asked, "accepted");
      await ensureGoesOn(asked.turn);
    },
  },
  {
    id: "fast-path/bare-part",
    rule: "An elicitation-response part without the data- prefix is accepted, too.",
    async run(context) {
      const asked = await askAny(context);
      await answerByMessage(asked, [{ type: "elicitation-response", ...answerOf(asked, "decline") }]);
      await untilStatus(context, asked, "declined");
    },
  },
  {
    id: "fast-path/several",
    rule: "Each of several answers in one message ends its request, and the reply has the status and body of each.",
    async run(context) {
      const [first, second] = await askTwo(context);
      const reply = await answerByMessage(first, [
        partOf(answerOf(first, "decline")),
        partOf(answerOf(second, "cancel")),
      ]);
      if (!isEventStream(reply)) {
        ensureReplied(reply, 200);
        const results = [settled(first, "declined"), settled(second, "cancelled")];
        ensureEqual(reply.body, { success: true, results }, "body of the 200");
      }
      await untilStatus(context, first, "declined");
      await untilStatus(context, second, "cancelled");
    },
  },
  {
    id: "fast-path/several-refused",
    rule: "Each of several answers in one message gets its own status, and success is false if one of them was refused.",
    async run(context) {
      const asked = await askAny(context);
      const parts = [
        partOf({ elicitationId: UNKNOWN_ID, action: "decline" }),
        partOf(answerOf(asked, "decline")),
      ];
      const reply = await answerByMessage(asked, parts);
      if (isEventStream(reply)) return;
      ensureReplied(reply, 200);
      const { success, results } = Object(reply.body);
      const told = Array.isArray(results) ? results.filter(isObject) : [];
      const ids = told.map(({ elicitationId, status }) => [elicitationId, status]);
      ensureEqual(
        ids,
        [
          [UNKNOWN_ID, 404],
          [asked.request.elicitationId, 200],
        ],
        "ids and statuses of results",
      );
      ensureEqual(success, false, `success of ${show(reply.body)}`);
      await ensureStatus(asked, "declined");
    },
  },
  {
    id: "fast-path/mixed",
    rule: "A message with an answer and any other part gets 400, and ends no request.",
    async run(context) {
      const asked = await askAny(context);
      const parts = [{ type: "text", text: "No." }, partOf(answerOf(asked, "decline"))];
      problemIn(await answerByMessage(asked, parts), 400);
      await ensureStatus(asked, "pending");
    },
  },
  {
    id: "fast-path/malformed",
    rule: "A message with a malformed answer gets 400, and starts no turn.",
    async run(context) {
      const asked = await askAny(context);
      problemIn(await answerByMessage(asked, [partOf({ action: "decline" })]), 400);
      await ensureStatus(asked, "pending");
    },
  },
  {
    id: "fast-path/again",
    rule: "After an answer to the endpoint, a different answer in a message gets 409 with the outcome.",
    async run(context) {
      const asked = await askAny(context);
      ensureSettled(await answer(asked, "decline"), asked, "declined");
      const problem = problemIn(await answerByMessage(asked, [partOf(answerOf(asked, "cancel"))]), 409);
      ensureEqual(problem.outcome, "declined", "outcome in the 409");
    },
  },
  {
    id: "fast-path/ownership",
    rule: "An answer in a message gets 404 for another user's request, and 401 without an identity.",
    async run(context) {
      const [, other] = context.people();
      const asked = await askAny(context);
      const parts = [partOf(answerOf(asked, "decline"))];
      problemIn(await answerByMessage(asked, parts, other), 404);
      problemIn(await answerByMessage(asked, parts, context.person()), 401);
      await ensureStatus(asked, "pending");
    },
  },
];

/** The entry for one of several answers in the reply. */
function settled({ request: { elicitationId } }: Asked, outcome: string) {
  return { elicitationId, status: 200, body: { success: true, elicitationId, outcome } };
}

function partOf(data: Readonly<Record<string, unknown>>) {
  return { type: RESPONSE_PART_TYPE, data };
}

async function answerByMessage(
  { turn, person }: Asked,
  parts: readonly unknown[],
  who: Person = person,
): Promise<Reply> {
  const { conversationId } = turn;
  const message = { id: `answer-${crypto.randomUUID()}`, role: "user", parts };
  const body = { id: conversationId, conversationId, trigger: "submit-message", messages: [message] };
  return who.post("/chat", body);
}
