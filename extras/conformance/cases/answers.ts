import type { ConformanceRule } from "../case.ts";
import { readReply, ensure, ensureEqual, show } from "../reply.ts";
import type { Chunk } from "../chunk-stream.ts";
import {
  UNKNOWN_ID,
  ackIn,
  answer,
  answerOf,
  ask,
  askAny,
  askForm,
  ensureGoesOn,
  ensureReplied,
  ensureResolved,
  ensureSettled,
  ensureStatus,
  isRequestChunk,
  problemIn,
  requestIn,
  untilStatus,
} from "../steps.ts";

const MAX_ANSWER_BYTES = 64 * 1024;
const RACERS = 5;

const isEnd = (chunk: Chunk) => isRequestChunk(chunk) && requestIn(chunk).resolution !== undefined;

/** Rules for how an answer ends a request, or is refused (contract, section 4). */
export const answerCases: readonly ConformanceRule[] = [
  {
    id: "answers/accept",
    rule: "An accept with valid content ends a form as accepted.",
    async run(context) {
      const { form, ...asked } = await askForm(context);
      ensureSettled(await answer(asked, "accept", form.fits), asked, "accepted");
      await ensureStatus(asked, "accepted");
    },
  },
  {
    id: "answers/decline",
    rule: "A decline ends a request as declined.",
    async run(context) {
      const asked = await askAny(context);
      ensureSettled(await answer(asked, "decline"), asked, "declined");
      await ensureStatus(asked, "declined");
    },
  },
  {
    id: "answers/decline-note",
    rule: "A decline with a note ends a request as declined. The note is in no reply and on no card, and a decline with another note is the same answer.",
    async run(context) {
      const asked = await askAny(context, "form");
      const { conversationId } = asked.turn;
      const decline = (note: string) => {
        const body = { conversationId, ...answerOf(asked, "decline"), note };
        return asked.person.post("/elicitation-responses", body);
      };
      const note = "Only to my office, please.";
      const first = await decline(note);
      ensureSettled(first, asked, "declined");
      const again = await decline("To a neighbour, please.");
      const ack = ackIn(again, 200, asked);
      ensure("alreadyProcessed" in ack, `expected alreadyProcessed, got ${show(ack)}`);
      const { elicitationId } = asked.request;
      const report = await asked.person.get(`/elicitations/${elicitationId}`);
      const end = requestIn(await asked.turn.stream.until("the end of the request", isEnd));
      const told = [first, again, report].map(({ text }) => text).join("") + JSON.stringify(end);
      ensure(!told.includes(note), "the note of the user is shown to clients");
    },
  },
  {
    id: "answers/cancel",
    rule: "A cancel ends a request as cancelled, not as declined.",
    async run(context) {
      const asked = await askAny(context, "form");
      ensureSettled(await answer(asked, "cancel"), asked, "cancelled");
      await ensureStatus(asked, "cancelled");
    },
  },
  {
    id: "answers/same-again",
    rule: "An answer that is sent again gets 200 and alreadyProcessed.",
    async run(context) {
      const asked = await askAny(context);
      ensureSettled(await answer(asked, "decline"), asked, "declined");
      const { elicitationId } = asked.request;
      const again = { success: true, elicitationId, outcome: "declined", alreadyProcessed: true };
      ensureEqual(ackIn(await answer(asked, "decline"), 200, asked), again, "body of the second 200");
    },
  },
  {
    id: "answers/same-content-again",
    rule: "Content with the same properties in another order is the same answer.",
    async run(context) {
      const { form, ...asked } = await askForm(context);
      ensureSettled(await answer(asked, "accept", form.fits), asked, "accepted");
      const reordered = Object.fromEntries(Object.entries(form.fits).toReversed());
      const ack = ackIn(await answer(asked, "accept", reordered), 200, asked);
      const isRepeated = "alreadyProcessed" in ack && ack.alreadyProcessed === true;
      ensure(isRepeated, `expected alreadyProcessed, got ${show(ack)}`);
    },
  },
  {
    id: "answers/stream-reply",
    rule: "If a server replies to an answer with a stream, the stream has the turn from its start.",
    async run(context) {
      const asked = await askAny(context);
      const { person, turn, request } = asked;
      const { conversationId } = turn;
      const response = await person.request("/elicitation-responses", {
        method: "POST",
        headers: { accept: "text/event-stream, application/json", "content-type": "application/json" },
        body: JSON.stringify({ conversationId, ...answerOf(asked, "decline") }),
      });
      if (response.headers.get("content-type")?.startsWith("text/event-stream") !== true) {
        return ensureSettled(await readReply("POST /elicitation-responses", response), asked, "declined");
      }
      ensureEqual(response.status, 200, "status of the stream");
      const stream = person.read(response);
      const end = requestIn(await stream.until("the end of the request", isEnd));
      ensureEqual(end.elicitationId, request.elicitationId, "elicitationId of the request that ended");
      ensureEqual(end.resolution?.outcome, "declined", "outcome of the request");
      ensureEqual(stream.chunks[0]?.["type"], "start", "first chunk of the stream");
    },
  },
  {
    id: "answers/other-content",
    rule: "An accept with other content after the end gets 409 content-differs.",
    async run(context) {
      const { form, ...asked } = await askForm(context);
      ensureSettled(await answer(asked, "accept", form.fits), asked, "accepted");
      const problem = problemIn(await answer(asked, "accept", form.alsoFits), 409);
      ensureEqual(problem.code, "content-differs", "code of the 409");
    },
  },
  {
    id: "answers/other-action",
    rule: "An answer with another action after the end gets 409 with the outcome, and changes nothing.",
    async run(context) {
      const asked = await askAny(context);
      ensureSettled(await answer(asked, "decline"), asked, "declined");
      ensureEqual(problemIn(await answer(asked, "cancel"), 409).outcome, "declined", "outcome in the 409");
      ensureEqual(problemIn(await answer(asked, "accept"), 409).outcome, "declined", "outcome in the 409");
      await ensureStatus(asked, "declined");
    },
  },
  {
    id: "answers/race-same",
    rule: "When equal answers arrive at the same moment, all succeed, and all but one get alreadyProcessed.",
    async run(context) {
      const asked = await askAny(context);
      const replies = await Promise.all(Array.from({ length: RACERS }, () => answer(asked, "decline")));
      const acks = replies.map((reply) => ackIn(reply, 200, asked));
      ensureEqual(acks.filter((ack) => !("alreadyProcessed" in ack)).length, 1, "number of first answers");
    },
  },
  {
    id: "answers/race-different",
    rule: "When different answers arrive at the same moment, exactly one is taken, and the stream has its outcome.",
    async run(context) {
      const { form, ...asked } = await askForm(context);
      const replies = await Promise.all([
        answer(asked, "accept", form.fits),
        answer(asked, "decline"),
        answer(asked, "cancel"),
      ]);
      const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
      ensureEqual(statuses, [200, 409, 409], "statuses of the three");
      const winner = (["accepted", "declined", "cancelled"] as const).find(
        (_, index) => replies[index]?.status === 200,
      );
      if (winner !== undefined) await ensureResolved(asked, winner);
    },
  },
  {
    id: "answers/misfit",
    rule: "An accept with invalid content gets 400 with the invalid fields, and the form stays open and can be answered.",
    async run(context) {
      const { form, ...asked } = await askForm(context);
      const { errors = [] } = problemIn(await answer(asked, "accept", form.misfits), 400);
      ensure(errors.length > 0, "the 400 does not say which fields do not fit (errors)");
      await ensureStatus(asked, "pending");
      ensureSettled(await answer(asked, "accept", form.fits), asked, "accepted");
      await ensureGoesOn(asked.turn);
    },
  },
  {
    id: "answers/malformed",
    rule: "A malformed answer gets 400, and the request stays open.",
    async run(context) {
      const asked = await askAny(context);
      const { conversationId } = asked.turn;
      const good = { conversationId, ...answerOf(asked, "decline") };
      for (const bad of [
        "{",
        "null",
        JSON.stringify([good]),
        { ...good, elicitationId: undefined },
        { ...good, elicitationId: 7 },
        { ...good, conversationId: undefined },
        { ...good, action: undefined },
        { ...good, action: "completed" },
        { ...good, content: { note: "a refusal has no content" } },
        { ...good, action: "accept", content: { deep: { er: true } } },
      ]) {
        const reply = await asked.person.post("/elicitation-responses", bad);
        ensure(reply.status === 400, `${show(bad)}: expected 400, got ${reply.status}`);
        problemIn(reply, 400);
      }
      await ensureStatus(asked, "pending");
    },
  },
  {
    id: "answers/not-json",
    rule: "A body that is not sent as JSON gets 415, so that a form on another site cannot answer.",
    async run(context) {
      const asked = await askAny(context);
      const { conversationId } = asked.turn;
      const body = { conversationId, ...answerOf(asked, "decline") };
      for (const type of ["text/plain", "application/x-www-form-urlencoded"]) {
        problemIn(await asked.person.post("/elicitation-responses", body, { "content-type": type }), 415);
      }
      await ensureStatus(asked, "pending");
    },
  },
  {
    id: "answers/too-large",
    rule: "An answer over 64 KiB gets 413, and the request stays open.",
    async run(context) {
      const asked = await askAny(context, "form");
      const { conversationId } = asked.turn;
      const padding = "x".repeat(MAX_ANSWER_BYTES);
      const body = { conversationId, ...answerOf(asked, "accept", { padding }) };
      problemIn(await asked.person.post("/elicitation-responses", body), 413);
      await ensureStatus(asked, "pending");
    },
  },
  {
    id: "answers/precedence",
    rule: "An answer with several faults gets the first of 401, 415, 413, 400 and 404, and only without these the 409 of an ended request.",
    async run(context) {
      const asked = await askAny(context);
      const nobody = context.person();
      const { conversationId } = asked.turn;
      const path = "/elicitation-responses";
      const asText = { "content-type": "text/plain" };
      const large = JSON.stringify({ padding: "x".repeat(MAX_ANSWER_BYTES) });
      const malformed = { conversationId, elicitationId: UNKNOWN_ID, action: "perhaps" };
      const unknown = { conversationId, elicitationId: UNKNOWN_ID, action: "decline" };
      problemIn(await nobody.post(path, malformed, asText), 401);
      problemIn(await asked.person.post(path, large, asText), 415);
      problemIn(await asked.person.post(path, large), 413);
      problemIn(await asked.person.post(path, malformed), 400);
      problemIn(await asked.person.post(path, unknown), 404);
      ensureReplied(await answer(asked, "decline"), 200);
      const late = { conversationId, ...answerOf(asked, "accept", { unknown: "field" }) };
      problemIn(await asked.person.post(path, late), 409);
    },
  },
  {
    id: "answers/expired",
    rule: "A request without an answer expires: the stream has that outcome, the turn continues, and a later answer gets 410.",
    async run(context) {
      const { message, afterMs } = context.need("expiring");
      const [person] = context.people();
      const asked = await ask(person, message);
      await untilStatus(context, asked, "expired", afterMs + context.patienceMs);
      await ensureResolved(asked, "expired");
      await ensureGoesOn(asked.turn);
      for (const action of ["decline", "cancel"] as const) problemIn(await answer(asked, action), 410);
      await ensureStatus(asked, "expired");
    },
  },
];
