import { isObject } from "../../../src/contract/json.ts";
import type { ConformanceRule } from "../case.ts";
import { ensure, ensureEqual, show } from "../reply.ts";
import {
  UNKNOWN_ID,
  answer,
  ask,
  askAny,
  describeReply,
  ensureStatus,
  openRequests,
  problemIn,
  statusOf,
} from "../steps.ts";
import { pause } from "../test-context.ts";
import { longTextsOf } from "./requests.ts";
import { askTwo } from "./streams.ts";

/** Rules for reading the status of one request and the list of open requests (contract, section 4). */
export const statusCases: readonly ConformanceRule[] = [
  {
    id: "status/open",
    rule: "The status of an open request is pending, with its expiry and the server's clock.",
    async run(context) {
      const { person, request } = await askAny(context);
      const { elicitationId } = request;
      const report = await statusOf(person, elicitationId);
      ensureEqual(report.elicitationId, elicitationId, "elicitationId");
      ensureEqual(report.status, "pending", "status");
      const left = Date.parse(report.expiresAt) - Date.parse(report.now);
      ensure(left > 0, `a pending request has expired by the server's own clock: ${show(report)}`);
    },
  },
  {
    id: "status/clock",
    rule: "The server's clock in the status advances between two reads.",
    async run(context) {
      const { person, request } = await askAny(context);
      const first = await statusOf(person, request.elicitationId);
      await pause(20);
      const second = await statusOf(person, request.elicitationId);
      ensure(Date.parse(second.now) > Date.parse(first.now), `${first.now}, then ${second.now}`);
    },
  },
  {
    id: "status/not-cached",
    rule: "No reply may be cached: each read and each stream has cache-control: no-store.",
    async run(context) {
      const { person, turn, request } = await askAny(context);
      const { conversationId } = turn;
      const replies = {
        "POST /chat": turn.headers,
        "GET /elicitations/:id": (await person.get(`/elicitations/${request.elicitationId}`)).headers,
        "GET /elicitations": (await person.get(`/elicitations?conversationId=${conversationId}`)).headers,
        "GET /chat/:conversationId/stream, 204": (await person.get("/chat/conformance-elsewhere/stream"))
          .headers,
      };
      for (const [to, headers] of Object.entries(replies)) {
        const told = headers.get("cache-control") ?? "nothing";
        ensure(told.includes("no-store"), `cache-control of ${to}: expected no-store, got ${told}`);
      }
    },
  },
  {
    id: "status/without-content",
    rule: "The status of a form contains neither its answer nor any credential.",
    async run(context) {
      const form = context.need("form");
      const [person] = context.people();
      const asked = await ask(person, form.message);
      await answer(asked, "accept", form.fits);
      const { text, body } = await person.get(`/elicitations/${asked.request.elicitationId}`);
      const leaked = longTextsOf(form.fits).find((value) => text.includes(value));
      ensure(leaked === undefined, `the status repeats an answer: ${text}`);
      const names = isObject(body) ? Object.keys(body) : [];
      const telling = names.find((name) => /content|token|credential|connection/i.test(name));
      ensure(telling === undefined, `the status has a member ${String(telling)}`);
    },
  },
  {
    id: "status/unknown",
    rule: "The status of an unknown id gets 404, and a read without an identity gets 401, whether the id exists or not.",
    async run(context) {
      const { person, request } = await askAny(context);
      problemIn(await person.get(`/elicitations/${UNKNOWN_ID}`), 404);
      const nobody = context.person();
      const known = await nobody.get(`/elicitations/${request.elicitationId}`);
      problemIn(known, 401);
      const unknown = await nobody.get(`/elicitations/${UNKNOWN_ID}`);
      ensureEqual(describeReply(unknown), describeReply(known), "reply for an unknown id");
    },
  },
  {
    id: "status/list",
    rule: "The list of a conversation has its open requests, oldest first, and none that has ended.",
    async run(context) {
      const [first, second] = await askTwo(context);
      const idsOf = async (conversationId: string) =>
        (await openRequests(first.person, conversationId)).map(({ elicitationId }) => elicitationId);
      const { conversationId } = first.turn;
      const both = [first.request.elicitationId, second.request.elicitationId];
      ensureEqual(await idsOf(conversationId), both, "ids of the open requests");
      await answer(first, "decline");
      ensureEqual(await idsOf(conversationId), both.slice(1), "ids after the first was answered");
      ensureEqual(await idsOf("conformance-elsewhere"), [], "ids of another conversation");
    },
  },
  {
    id: "status/list-after-answer",
    rule: "The list is empty once the only request has been answered.",
    async run(context) {
      const asked = await askAny(context);
      const { person, turn } = asked;
      const open = await openRequests(person, turn.conversationId);
      ensureEqual(open.length, 1, "number of open requests");
      await answer(asked, "cancel");
      ensureEqual(await openRequests(person, turn.conversationId), [], "open requests");
      await ensureStatus(asked, "cancelled");
    },
  },
];
