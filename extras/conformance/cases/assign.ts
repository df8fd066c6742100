import { isObject } from "../../../src/contract/json.ts";
import type { ConformanceRule } from "../case.ts";
import { NotChecked, ensure, ensureEqual, show } from "../reply.ts";
import { type Asked, UNKNOWN_ID, answer, ask, ensureReplied, problemIn } from "../steps.ts";
import { type Person, type TestContext, eventually } from "../test-context.ts";

const pathOf = (elicitationId: string, route: string): string =>
  `/elicitations/${encodeURIComponent(elicitationId)}/${route}`;

/** Rules for questions that another user decides (contract, section 4). This feature is optional. */
export const assignCases: readonly ConformanceRule[] = [
  {
    id: "assign/decided",
    rule: "A form that another user decides names that user in `assignee`, and an answer of the user whose agent asks gets 409 `assigned`. The other user finds the form in their inbox, with `from` and with the id of the request as its conversation, and their answer ends it.",
    async run(context) {
      const { asked, other, entry } = await leave(context);
      const { elicitationId } = asked.request;
      ensureEqual(entry["conversationId"], elicitationId, "conversationId of the entry in the inbox");
      const own = problemIn(await answer(asked, "decline"), 409);
      ensureEqual(own.code, "assigned", "code of the 409");
      ensureReplied(await declineAs(other, elicitationId), 200);
    },
  },
  {
    id: "assign/taken-back",
    rule: "If `assignee.takeBack` is set, the assignee `null` gives the form back to the user whose agent asks: their answer counts, and an answer of the other user gets 404.",
    async run(context) {
      const { asked, other } = await leave(context);
      const { elicitationId, assignee } = asked.request;
      if (assignee?.takeBack !== true) throw new NotChecked("the user may not take it back (takeBack)");
      ensureReplied(await asked.person.post(pathOf(elicitationId, "assignee"), { to: null }), 200);
      problemIn(await declineAs(other, elicitationId), 404);
      ensureReplied(await answer(asked, "decline"), 200);
    },
  },
  {
    id: "assign/given-on",
    rule: "If `giveOn` is set, `assignees` lists the users who may decide instead, without the user themself, and the chosen one decides from then on.",
    async run(context) {
      const { asked, other, entry } = await leave(context);
      const { elicitationId } = asked.request;
      if (requestIn(entry)["giveOn"] !== true)
        throw new NotChecked("the user may give it to nobody (giveOn)");
      const listed = await other.get(pathOf(elicitationId, "assignees"));
      ensureReplied(listed, 200);
      const choices = isObject(listed.body) ? listed.body["assignees"] : undefined;
      const [first]: readonly unknown[] = Array.isArray(choices) ? choices : [];
      const isNamed = isObject(first) && isObject(first["to"]) && typeof first["name"] === "string";
      ensure(isNamed, `expected {"assignees": [{"to", "name"}]}, got ${show(listed.body)}`);
      const given = await other.post(pathOf(elicitationId, "assignee"), { to: first["to"] });
      ensureReplied(given, 200);
      problemIn(await declineAs(other, elicitationId), 404);
    },
  },
  {
    id: "assign/reminded",
    rule: "If `assignee.remind` is set, a reminder gets 200, or 409 `too-soon` with `retry-after`.",
    async run(context) {
      const { asked } = await leave(context);
      const { elicitationId, assignee } = asked.request;
      if (assignee?.remind !== true) throw new NotChecked("nobody gets a notice of it (remind)");
      const reply = await asked.person.post(pathOf(elicitationId, "remind"), {});
      if (reply.status === 200) return;
      ensureEqual(problemIn(reply, 409).code, "too-soon", "code of the 409");
      ensure(Number(reply.headers.get("retry-after")) > 0, "retry-after must be the seconds to wait");
    },
  },
  {
    id: "assign/ownership",
    rule: "A user who neither asks nor decides cannot assign a form or send a reminder, and gets 404, or 401 without an identity. A malformed assignee gets 400, and an ended request 409 with its outcome.",
    async run(context) {
      const { asked, other } = await leave(context);
      const { person, request } = asked;
      const path = pathOf(request.elicitationId, "assignee");
      problemIn(await context.person().post(path, { to: null }), 401);
      problemIn(await person.post(pathOf(UNKNOWN_ID, "assignee"), { to: null }), 404);
      for (const body of [{}, { to: "ben" }, { to: {} }]) problemIn(await person.post(path, body), 400);
      problemIn(await person.get(pathOf(request.elicitationId, "assignees")), 404);
      problemIn(await other.post(pathOf(request.elicitationId, "remind"), {}), 404);
      ensureReplied(await declineAs(other, request.elicitationId), 200);
      const ended = problemIn(await person.post(path, { to: null }), 409);
      ensureEqual(ended.outcome, "declined", "outcome of the 409");
    },
  },
];

/** The first user's agent asks a question that the second user decides. */
async function leave(context: TestContext): Promise<{
  readonly asked: Asked;
  readonly other: Person;
  /** The entry in the inbox of the second user. */
  readonly entry: Readonly<Record<string, unknown>>;
}> {
  const [person, other] = context.people();
  const asked = await ask(person, context.need("assigned"));
  const { elicitationId, assignee } = asked.request;
  ensure(assignee !== undefined, "the request must say who decides (assignee)");
  const entry = await eventually(context, "entry with `from` in the inbox of who decides", async () => {
    const { body } = await other.get("/elicitations");
    const items: readonly unknown[] = isObject(body) && Array.isArray(body["items"]) ? body["items"] : [];
    const found = items.filter(isObject).find((item) => requestIn(item)["elicitationId"] === elicitationId);
    const from = found && requestIn(found)["from"];
    return isObject(from) && typeof from["name"] === "string" ? found : undefined;
  });
  return { asked, other, entry };
}

function requestIn({ request }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return isObject(request) ? request : {};
}

function declineAs(person: Person, elicitationId: string) {
  const body = { conversationId: elicitationId, elicitationId, action: "decline" };
  return person.post("/elicitation-responses", body);
}
