import type { ConformanceRule } from "../case.ts";
import { ensure, ensureEqual } from "../reply.ts";
import {
  ackIn,
  answer,
  ask,
  ensureGoesOn,
  ensureReplied,
  ensureResolved,
  ensureSettled,
  ensureStatus,
  isRequestChunk,
  problemIn,
  requestIn,
  statusOf,
  untilStatus,
} from "../steps.ts";
import { pause } from "../test-context.ts";

const LOOK_UP_MS = 500;

/** Rules for URL requests, which complete outside the chat (contract, sections 4 and 5). */
export const outsideCases: readonly ConformanceRule[] = [
  {
    id: "outside/not-yet",
    rule: "An accept that arrives before the page is complete gets 202, and the request stays open and can still be declined.",
    async run(context) {
      const connect = context.need("connect");
      const [person] = context.people();
      const asked = await ask(person, connect);
      const { elicitationId } = asked.request;
      const ack = ackIn(await answer(asked, "accept"), 202, asked);
      ensureEqual(ack, { success: true, elicitationId, status: "pending" }, "body of the 202");
      await ensureStatus(asked, "pending");
      ensureSettled(await answer(asked, "decline"), asked, "declined");
    },
  },
  {
    id: "outside/look-ups",
    rule: "Before it replies 202, a server checks three times, 500 ms apart, and a completion during that time ends the request as accepted.",
    async run(context) {
      const [connect, completeOutside] = [context.need("connect"), context.need("completeOutside")];
      const [person] = context.people();
      const asked = await ask(person, connect);
      const answered = answer(asked, "accept");
      await pause((context.hook("lookUpMs") ?? LOOK_UP_MS) / 2);
      await completeOutside(asked.request.elicitationId);
      const reply = await answered;
      ensureReplied(reply, 200);
      const ack = ackIn(reply, 200, asked);
      ensureEqual("outcome" in ack ? ack.outcome : ack.status, "accepted", "outcome of the reply");
    },
  },
  {
    id: "outside/completed",
    rule: "A completion outside of the chat ends the request as accepted, without an answer of the client, and the turn continues.",
    async run(context) {
      const [connect, completeOutside] = [context.need("connect"), context.need("completeOutside")];
      const [person] = context.people();
      const asked = await ask(person, connect);
      await completeOutside(asked.request.elicitationId);
      await ensureResolved(asked, "accepted");
      await ensureGoesOn(asked.turn);
      await ensureStatus(asked, "accepted");
    },
  },
  {
    id: "outside/accept-after",
    rule: "After the completion, an accept gets 200 with alreadyProcessed, and a decline gets 409.",
    async run(context) {
      const [connect, completeOutside] = [context.need("connect"), context.need("completeOutside")];
      const [person] = context.people();
      const asked = await ask(person, connect);
      await completeOutside(asked.request.elicitationId);
      await untilStatus(context, asked, "accepted");
      const { elicitationId } = asked.request;
      const again = { success: true, elicitationId, outcome: "accepted", alreadyProcessed: true };
      ensureEqual(ackIn(await answer(asked, "accept"), 200, asked), again, "body of the 200");
      ensureEqual(problemIn(await answer(asked, "decline"), 409).outcome, "accepted", "outcome in the 409");
    },
  },
  {
    id: "outside/failed",
    rule: "When the provider refuses, the request stays open, and the stream, the status and the 202 give the same reason.",
    async run(context) {
      const [connect, failOutside] = [context.need("connect"), context.need("failOutside")];
      const [person] = context.people();
      const asked = await ask(person, connect);
      const { elicitationId } = asked.request;
      const lastError = "The provider said no.";
      await failOutside(elicitationId, lastError);
      const again = await asked.turn.stream.until(
        "the request again with progress",
        (chunk) => isRequestChunk(chunk) && requestIn(chunk).progress !== undefined,
      );
      ensureEqual(requestIn(again).progress, { status: "pending", lastError }, "progress");
      const report = await statusOf(person, elicitationId);
      ensureEqual([report.status, report.lastError], ["pending", lastError], "status and lastError");
      const ack = ackIn(await answer(asked, "accept"), 202, asked);
      ensure("lastError" in ack && ack.lastError === lastError, "the 202 does not say why (lastError)");
    },
  },
  {
    id: "outside/consent",
    rule: "An accept that means consent gets 200 with the status consented, the stream shows that, and the request stays open.",
    async run(context) {
      const consent = context.need("consent");
      const [person] = context.people();
      const asked = await ask(person, consent);
      ensure(
        asked.request.mode === "url" && asked.request.acceptMeans === "consent",
        "acceptMeans is not consent",
      );
      const { elicitationId } = asked.request;
      const consented = { success: true, elicitationId, status: "consented" };
      ensureEqual(ackIn(await answer(asked, "accept"), 200, asked), consented, "body of the 200");
      const again = await asked.turn.stream.until(
        "the request again with progress",
        (chunk) => isRequestChunk(chunk) && requestIn(chunk).progress !== undefined,
      );
      ensureEqual(requestIn(again).progress, { status: "consented" }, "progress");
      await ensureStatus(asked, "consented");
      ensureEqual(ackIn(await answer(asked, "accept"), 200, asked), consented, "body of the second 200");
    },
  },
  {
    id: "outside/consent-cancelled",
    rule: "After consent the user can still dismiss the request.",
    async run(context) {
      const consent = context.need("consent");
      const [person] = context.people();
      const asked = await ask(person, consent);
      await answer(asked, "accept");
      ensureSettled(await answer(asked, "cancel"), asked, "cancelled");
      await ensureGoesOn(asked.turn);
    },
  },
  {
    id: "outside/consent-completed",
    rule: "After consent, a completion outside of the chat ends the request as accepted.",
    async run(context) {
      const [consent, completeOutside] = [context.need("consent"), context.need("completeOutside")];
      const [person] = context.people();
      const asked = await ask(person, consent);
      await answer(asked, "accept");
      await completeOutside(asked.request.elicitationId);
      await ensureResolved(asked, "accepted");
      await ensureGoesOn(asked.turn);
    },
  },
];
