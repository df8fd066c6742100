import { isObject } from "../../../src/contract/json.ts";
import { NotChecked, ensure, ensureEqual, show } from "../reply.ts";
import type { ConformanceRule } from "../case.ts";
import { UNKNOWN_ID, answer, askAny, ensureReplied, problemIn } from "../steps.ts";
import type { Person } from "../test-context.ts";

const linkOf = (person: Person, elicitationId: string) =>
  person.get(`/elicitations/${encodeURIComponent(elicitationId)}/link`);

/** Rules for the link to the answer page (contract, section 4). */
export const linkCases: readonly ConformanceRule[] = [
  {
    id: "link/own",
    rule: "The user of a form with `context.worksByLink` gets the link to its answer page while it waits: another user and an unknown id get 404, a client without an identity 401, and an ended request 409 with its outcome.",
    async run(context) {
      const asked = await askAny(context);
      const { person, request } = asked;
      const { elicitationId } = request;
      if (request.context?.["worksByLink"] !== true) {
        throw new NotChecked("the server has no page where users answer (context.worksByLink)");
      }
      const reply = await linkOf(person, elicitationId);
      ensureReplied(reply, 200);
      const link = isObject(reply.body) ? reply.body["link"] : undefined;
      ensure(typeof link === "string" && URL.canParse(link), `expected a link, got ${show(reply.body)}`);
      problemIn(await linkOf(context.person(), elicitationId), 401);
      problemIn(await linkOf(person, UNKNOWN_ID), 404);
      const [, other] = context.people();
      problemIn(await linkOf(other, elicitationId), 404);
      ensureReplied(await answer(asked, "decline"), 200);
      ensureEqual(
        problemIn(await linkOf(person, elicitationId), 409).outcome,
        "declined",
        "outcome of the 409",
      );
    },
  },
];
