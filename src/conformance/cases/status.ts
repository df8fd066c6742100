import { isObject } from "../../protocol/json.ts";
import type { ConformanceCase } from "../case.ts";
import { answer, ask, described, ensureStatus, openRequests, problemIn, statusOf } from "../steps.ts";
import { ensure, ensureEqual, show } from "../verdict.ts";
import { tellingTexts } from "./requests.ts";
import { askTwo } from "./streams.ts";

/** Reading the truth: the status of one request, the list of the open ones (contract, section 4). */
export const statusCases: readonly ConformanceCase[] = [
  {
    id: "status/open",
    rule: "The status of an open request is pending, with its end and the server's clock.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      const { request } = await ask(person, connect);
      const { elicitationId } = request;
      const report = await statusOf(person, elicitationId);
      ensureEqual(report.elicitationId, elicitationId, "elicitationId");
      ensureEqual(report.status, "pending", "status");
      const left = Date.parse(report.expiresAt) - Date.parse(report.now);
      ensure(left > 0, `a pending request has expired by the server's own clock: ${show(report)}`);
      if (request.expiresAt === undefined) return;
      ensureEqual(
        Date.parse(report.expiresAt),
        Date.parse(request.expiresAt),
        "expiresAt, as the request says",
      );
    },
  },
  {
    id: "status/clock",
    rule: "The server's clock moves between two reads.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      const { request } = await ask(person, connect);
      const first = await statusOf(person, request.elicitationId);
      await new Promise((resolve) => setTimeout(resolve, 20));
      const second = await statusOf(person, request.elicitationId);
      ensure(Date.parse(second.now) > Date.parse(first.now), `${first.now}, then ${second.now}`);
    },
  },
  {
    id: "status/without-content",
    rule: "The status of a form never repeats what was answered, nor any credential.",
    async run(visit) {
      const form = visit.need("form");
      const [person] = visit.people();
      const asked = await ask(person, form.say);
      await answer(asked, "accept", form.fits);
      const { text, body } = await person.get(`/elicitations/${asked.request.elicitationId}`);
      const leaked = tellingTexts(form.fits).find((value) => text.includes(value));
      ensure(leaked === undefined, `the status repeats an answer: ${text}`);
      const names = isObject(body) ? Object.keys(body) : [];
      const telling = names.find((name) => /content|token|credential|connection/i.test(name));
      ensure(telling === undefined, `the status has a member ${String(telling)}`);
    },
  },
  {
    id: "status/unknown",
    rule: "An id that does not exist is 404, and a read without identity is 401 whether it exists or not.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      const { request } = await ask(person, connect);
      problemIn(await person.get("/elicitations/AAAAAAAAAAAAAAAAAAAAAA"), 404);
      const nobody = visit.person();
      const known = await nobody.get(`/elicitations/${request.elicitationId}`);
      problemIn(known, 401);
      const unknown = await nobody.get("/elicitations/AAAAAAAAAAAAAAAAAAAAAA");
      ensureEqual(described(unknown), described(known), "reply for an unknown id");
    },
  },
  {
    id: "status/list",
    rule: "The list of a conversation holds its open requests, and none that has ended.",
    async run(visit) {
      const [first, second] = await askTwo(visit);
      await answer(first, "decline");
      const open = await openRequests(first.person, first.run.conversationId);
      const ids = open.map(({ elicitationId }) => elicitationId);
      ensureEqual(ids, [second.request.elicitationId], "ids of the open requests");
      ensureEqual(
        await openRequests(first.person, "conformance-elsewhere"),
        [],
        "list of another conversation",
      );
    },
  },
  {
    id: "status/list-after-answer",
    rule: "Once the only request has been answered the list is empty.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      const asked = await ask(person, connect);
      ensureEqual(
        (await openRequests(person, asked.run.conversationId)).length,
        1,
        "number of open requests",
      );
      await answer(asked, "cancel");
      ensureEqual(await openRequests(person, asked.run.conversationId), [], "open requests");
      await ensureStatus(asked, "cancelled");
    },
  },
];
