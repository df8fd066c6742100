import { isObject } from "../../../src/contract/json.ts";
import { NotChecked, ensure, ensureEqual, show } from "../reply.ts";
import type { ConformanceRule } from "../case.ts";
import {
  type Asked,
  UNKNOWN_ID,
  answer,
  askAny,
  ensureReplied,
  problemIn,
  requestsIn,
  statusOf,
} from "../steps.ts";
import type { Person, TestContext } from "../test-context.ts";

const extend = (person: Person, elicitationId: string) =>
  person.post(`/elicitations/${encodeURIComponent(elicitationId)}/extend`, {});

/** Asks a question whose user can get more time. */
async function askExtendable(context: TestContext): Promise<Asked & { readonly until: number }> {
  const asked = await askAny(context);
  const { extendableUntil } = asked.request;
  if (extendableUntil === undefined) throw new NotChecked("the server gives no more time (extendableUntil)");
  return { ...asked, until: Date.parse(extendableUntil) };
}

/** Rules for more time (contract, section 4). */
export const moreTimeCases: readonly ConformanceRule[] = [
  {
    id: "more-time/given",
    rule: "A user whose request has `extendableUntil` gets more time: the reply, the status and the stream have the later end, which is not after that moment, and an answer still counts.",
    async run(context) {
      const { until, ...asked } = await askExtendable(context);
      const { person, turn, request } = asked;
      const { elicitationId } = request;
      const reply = await extend(person, elicitationId);
      ensureReplied(reply, 200);
      const expiresAt = isObject(reply.body) ? reply.body["expiresAt"] : undefined;
      const end = typeof expiresAt === "string" ? Date.parse(expiresAt) : Number.NaN;
      const first = Date.parse(request.expiresAt ?? "");
      ensure(
        end > first && end <= until,
        `expected an end after ${first} and up to ${until}, got ${show(reply.body)}`,
      );
      const report = await statusOf(person, elicitationId);
      ensureEqual(Date.parse(report.expiresAt), end, "expiresAt of the status, in ms");
      await turn.stream.until("the request with its later end", (chunk) =>
        requestsIn([chunk]).some((again) => Date.parse(again.expiresAt ?? "") === end),
      );
      ensureReplied(await answer(asked, "decline"), 200);
    },
  },
  {
    id: "more-time/ownership",
    rule: "Only the user of a request gets more time: another user and an unknown id get 404, a client without an identity 401, and an ended request 409 with its outcome.",
    async run(context) {
      const { until: _, ...asked } = await askExtendable(context);
      const { person, request } = asked;
      const { elicitationId } = request;
      problemIn(await extend(context.person(), elicitationId), 401);
      problemIn(await extend(person, UNKNOWN_ID), 404);
      const [, other] = context.people();
      problemIn(await extend(other, elicitationId), 404);
      ensureReplied(await answer(asked, "decline"), 200);
      ensureEqual(
        problemIn(await extend(person, elicitationId), 409).outcome,
        "declined",
        "outcome of the 409",
      );
    },
  },
];
