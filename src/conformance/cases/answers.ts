import type { ConformanceCase } from "../case.ts";
import {
  ackIn,
  answer,
  answerOf,
  ask,
  ensureGoesOn,
  ensureResolved,
  ensureSettled,
  ensureStatus,
  problemIn,
  untilStatus,
} from "../steps.ts";
import { ensure, ensureEqual, show } from "../verdict.ts";

const MAX_ANSWER_BYTES = 64 * 1024;
const RACERS = 5;

/** What becomes of an answer (contract, section 4). */
export const answerCases: readonly ConformanceCase[] = [
  {
    id: "answers/accept",
    rule: "Content that fits settles a form as accepted.",
    async run(visit) {
      const form = visit.need("form");
      const [person] = visit.people();
      const asked = await ask(person, form.say);
      ensureSettled(await answer(asked, "accept", form.fits), asked, "accepted");
      await ensureStatus(asked, "accepted");
    },
  },
  {
    id: "answers/decline",
    rule: "A no settles a request as declined.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      const asked = await ask(person, connect);
      ensureSettled(await answer(asked, "decline"), asked, "declined");
      await ensureStatus(asked, "declined");
    },
  },
  {
    id: "answers/cancel",
    rule: "A dismissal settles a request as cancelled, which is not declined.",
    async run(visit) {
      const form = visit.need("form");
      const [person] = visit.people();
      const asked = await ask(person, form.say);
      ensureSettled(await answer(asked, "cancel"), asked, "cancelled");
      await ensureStatus(asked, "cancelled");
    },
  },
  {
    id: "answers/same-again",
    rule: "The same answer again is fine and says that it had arrived before.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      const asked = await ask(person, connect);
      ensureSettled(await answer(asked, "decline"), asked, "declined");
      const { elicitationId } = asked.request;
      const again = { success: true, elicitationId, outcome: "declined", alreadyProcessed: true };
      ensureEqual(ackIn(await answer(asked, "decline"), 200, asked), again, "body of the second 200");
    },
  },
  {
    id: "answers/same-content-again",
    rule: "The same content with its properties in another order is the same answer.",
    async run(visit) {
      const form = visit.need("form");
      const [person] = visit.people();
      const asked = await ask(person, form.say);
      ensureSettled(await answer(asked, "accept", form.fits), asked, "accepted");
      const reordered = Object.fromEntries(Object.entries(form.fits).toReversed());
      const ack = ackIn(await answer(asked, "accept", reordered), 200, asked);
      ensure("alreadyProcessed" in ack && ack.alreadyProcessed === true, `got ${show(ack)}`);
    },
  },
  {
    id: "answers/other-content",
    rule: "Other content after the end is refused with 409 content-differs.",
    async run(visit) {
      const form = visit.need("form");
      const [person] = visit.people();
      const asked = await ask(person, form.say);
      ensureSettled(await answer(asked, "accept", form.fits), asked, "accepted");
      const problem = problemIn(await answer(asked, "accept", form.alsoFits), 409);
      ensureEqual(problem.code, "content-differs", "code of the 409");
    },
  },
  {
    id: "answers/other-action",
    rule: "Another action after the end is refused with 409 and changes nothing; the reply says how it had ended.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      const asked = await ask(person, connect);
      ensureSettled(await answer(asked, "decline"), asked, "declined");
      ensureEqual(problemIn(await answer(asked, "cancel"), 409).outcome, "declined", "outcome in the 409");
      ensureEqual(problemIn(await answer(asked, "accept"), 409).outcome, "declined", "outcome in the 409");
      await ensureStatus(asked, "declined");
    },
  },
  {
    id: "answers/race-same",
    rule: "Of equal answers at the same moment all succeed and exactly one is the first.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      const asked = await ask(person, connect);
      const replies = await Promise.all(Array.from({ length: RACERS }, () => answer(asked, "decline")));
      const acks = replies.map((reply) => ackIn(reply, 200, asked));
      ensureEqual(acks.filter((ack) => !("alreadyProcessed" in ack)).length, 1, "number of first answers");
    },
  },
  {
    id: "answers/race-different",
    rule: "Of different answers at the same moment exactly one wins, and the stream agrees with it.",
    async run(visit) {
      const form = visit.need("form");
      const [person] = visit.people();
      const asked = await ask(person, form.say);
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
    rule: "Content that does not fit is refused with 400 and its fields; the form stays open and can be answered.",
    async run(visit) {
      const form = visit.need("form");
      const [person] = visit.people();
      const asked = await ask(person, form.say);
      const { errors = [] } = problemIn(await answer(asked, "accept", form.misfits), 400);
      ensure(errors.length > 0, "the 400 does not say which fields do not fit (errors)");
      await ensureStatus(asked, "pending");
      ensureSettled(await answer(asked, "accept", form.fits), asked, "accepted");
      await ensureGoesOn(asked.run);
    },
  },
  {
    id: "answers/malformed",
    rule: "What is no answer is refused with 400, and the request stays open.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      const asked = await ask(person, connect);
      const { conversationId } = asked.run;
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
        const reply = await person.post("/elicitation-responses", bad);
        ensure(reply.status === 400, `${show(bad)}: expected 400, got ${reply.status}`);
        problemIn(reply, 400);
      }
      await ensureStatus(asked, "pending");
    },
  },
  {
    id: "answers/not-json",
    rule: "A body that is not sent as JSON is refused with 415: a form of another site must not answer.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      const asked = await ask(person, connect);
      const { conversationId } = asked.run;
      const body = { conversationId, ...answerOf(asked, "decline") };
      for (const type of ["text/plain", "application/x-www-form-urlencoded"]) {
        problemIn(await person.post("/elicitation-responses", body, { "content-type": type }), 415);
      }
      await ensureStatus(asked, "pending");
    },
  },
  {
    id: "answers/too-large",
    rule: "An answer over 64 KiB is refused with 413, and the request stays open.",
    async run(visit) {
      const form = visit.need("form");
      const [person] = visit.people();
      const asked = await ask(person, form.say);
      const padding = "x".repeat(MAX_ANSWER_BYTES);
      problemIn(await answer(asked, "accept", { ...form.fits, padding }), 413);
      await ensureStatus(asked, "pending");
    },
  },
  {
    id: "answers/expired",
    rule: "What nobody answers in time expires by itself: the stream says so, the run goes on, an answer gets 410.",
    async run(visit) {
      const { say, afterMs } = visit.need("expiring");
      const [person] = visit.people();
      const asked = await ask(person, say);
      await untilStatus(visit, asked, "expired", afterMs + visit.patienceMs);
      await ensureResolved(asked, "expired");
      await ensureGoesOn(asked.run);
      for (const action of ["decline", "cancel"] as const) problemIn(await answer(asked, action), 410);
      await ensureStatus(asked, "expired");
    },
  },
];
