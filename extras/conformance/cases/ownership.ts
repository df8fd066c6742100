import { isObject } from "../../../src/contract/json.ts";
import type { ConformanceRule } from "../case.ts";
import { NotChecked, ensure, ensureEqual } from "../reply.ts";
import {
  SETTLE_MS,
  UNKNOWN_ID,
  answer,
  answerOf,
  ask,
  askAny,
  describeReply,
  ensureStatus,
  isToolInput,
  openRequests,
  problemIn,
} from "../steps.ts";

/**
 * Rules for ownership: a request belongs to one user in one conversation, and only the session identifies the user
 * (contract, section 4).
 */
export const ownershipCases: readonly ConformanceRule[] = [
  {
    id: "ownership/answer",
    rule: "An answer to another user's request gets 404, and the request stays open.",
    async run(context) {
      const [, other] = context.people();
      const asked = await askAny(context);
      problemIn(await answer(asked, "decline", undefined, other), 404);
      await ensureStatus(asked, "pending");
    },
  },
  {
    id: "ownership/answered",
    rule: "An answer to a request that another user has answered gets 404, not 409.",
    async run(context) {
      const [, other] = context.people();
      const asked = await askAny(context);
      await answer(asked, "decline");
      problemIn(await answer(asked, "decline", undefined, other), 404);
      problemIn(await answer(asked, "cancel", undefined, other), 404);
    },
  },
  {
    id: "ownership/status",
    rule: "The status of another user's request gets 404.",
    async run(context) {
      const [, other] = context.people();
      const { request } = await askAny(context);
      problemIn(await other.get(`/elicitations/${request.elicitationId}`), 404);
    },
  },
  {
    id: "ownership/list",
    rule: "The list of another user's conversation is empty.",
    async run(context) {
      const [, other] = context.people();
      const { turn } = await askAny(context);
      ensureEqual(
        await openRequests(other, turn.conversationId),
        [],
        "list of another person's conversation",
      );
    },
  },
  {
    id: "ownership/conversation",
    rule: "An answer that names another conversation than that of the request gets 404.",
    async run(context) {
      const asked = await askAny(context);
      const body = { conversationId: "conformance-elsewhere", ...answerOf(asked, "decline") };
      problemIn(await asked.person.post("/elicitation-responses", body), 404);
      await ensureStatus(asked, "pending");
    },
  },
  {
    id: "ownership/no-oracle",
    rule: "The 404 is the same, byte for byte, for an unknown request, for another user's, and for another conversation's.",
    async run(context) {
      const [, other] = context.people();
      const asked = await askAny(context);
      const { person } = asked;
      const { conversationId } = asked.turn;
      const path = "/elicitation-responses";
      const unknown = { conversationId, elicitationId: UNKNOWN_ID, action: "decline" };
      const expected = describeReply(await person.post(path, unknown));
      const elsewhere = { conversationId: "conformance-elsewhere", ...answerOf(asked, "decline") };
      ensureEqual(
        describeReply(await person.post(path, elsewhere)),
        expected,
        "reply for another conversation",
      );
      const foreign = await answer(asked, "decline", undefined, other);
      ensureEqual(describeReply(foreign), expected, "reply for another person");
      const foreignStatus = await other.get(`/elicitations/${asked.request.elicitationId}`);
      const unknownStatus = await other.get(`/elicitations/${UNKNOWN_ID}`);
      ensureEqual(
        describeReply(foreignStatus),
        describeReply(unknownStatus),
        "status of another person's request",
      );
    },
  },
  {
    id: "ownership/turn",
    rule: "A message with the id of another user's conversation does not affect that user's turn.",
    async run(context) {
      const { message } = context.question("url");
      const [, other] = context.people();
      const asked = await askAny(context);
      const { conversationId, stream } = asked.turn;
      for (const who of [other, context.person()]) {
        const response = await who.trySendMessage(message, { conversationId });
        await response.body?.cancel();
      }
      await stream.staysOpen(SETTLE_MS, isToolInput);
      await ensureStatus(asked, "pending");
    },
  },
  {
    id: "ownership/no-identity",
    rule: "Without an identity, every route that reads or answers gets 401, and nothing changes.",
    async run(context) {
      const asked = await askAny(context);
      const nobody = context.person();
      problemIn(await answer(asked, "decline", undefined, nobody), 401);
      problemIn(await nobody.get(`/elicitations?conversationId=${asked.turn.conversationId}`), 401);
      problemIn(await nobody.get(`/elicitations/${asked.request.elicitationId}`), 401);
      await ensureStatus(asked, "pending");
    },
  },
  {
    id: "ownership/claimed-identity",
    rule: "A user id in a body, a query or a custom header does not make the client that user.",
    async run(context) {
      const userId = context.need("people")[0].userId;
      if (userId === undefined) throw new NotChecked('needs "userId" of the first of the people');
      const [, other] = context.people();
      const asked = await askAny(context);
      const claims = { userId, user: { id: userId }, user_id: userId, sub: userId };
      const body = { ...claims, conversationId: asked.turn.conversationId, ...answerOf(asked, "decline") };
      const query = `userId=${encodeURIComponent(userId)}`;
      const headers = { "content-type": "application/json", "x-user-id": userId };
      for (const who of [other, context.person()]) {
        const answered = await who.post(`/elicitation-responses?${query}`, body, headers);
        const read = await who.get(`/elicitations/${asked.request.elicitationId}?${query}`);
        for (const reply of [answered, read]) {
          const isRefused = reply.status === 401 || reply.status === 404;
          ensure(isRefused, `${reply.to}: expected 401 or 404, got ${describeReply(reply)}`);
        }
      }
      await ensureStatus(asked, "pending");
    },
  },
  {
    id: "ownership/binding",
    rule: "A user can vouch for the hosted page only for their own open request, and then gets a ticket for the page.",
    async run(context) {
      context.need("binding");
      const connect = context.need("connect");
      const [person, other] = context.people();
      const asked = await ask(person, connect);
      const path = `/elicitations/${asked.request.elicitationId}/bind`;
      const challenge = { challenge: "conformance-challenge-of-43-characters-____" };
      problemIn(await context.person().post(path, challenge), 401);
      problemIn(await other.post(path, challenge), 404);
      const own = await person.post(path, challenge);
      ensure(own.status === 200, `expected 200, got ${describeReply(own)}`);
      const { elicitationId } = asked.request;
      const { ticket, ...ack } = isObject(own.body) ? own.body : {};
      ensureEqual(ack, { success: true, elicitationId }, "body without the ticket");
      ensure(typeof ticket === "string" && ticket !== "", "the reply has no ticket");
      problemIn(await person.post(path, { challenge: "short" }), 400);
      await ensureStatus(asked, "pending");
    },
  },
];
