import { parseElicitationRequest } from "../../../src/contract/guard.ts";
import { isObject } from "../../../src/contract/json.ts";
import type { ConformanceRule } from "../case.ts";
import { NotChecked, ensure, ensureEqual, show } from "../reply.ts";
import { type Asked, UNKNOWN_ID, answer, askAny, ensureReplied, problemIn } from "../steps.ts";
import type { Person } from "../test-context.ts";

const INBOX = "/elicitations";
/** A server without an inbox replies with one of these statuses. */
const NOT_OFFERED = new Set([400, 404, 405, 501]);

/** Rules for the open requests of a user in all conversations (contract, section 4). The inbox is optional. */
export const inboxCases: readonly ConformanceRule[] = [
  {
    id: "inbox/list",
    rule: "Without a conversation, the list has the open requests of the user in all conversations, oldest first, and each can be answered in the conversation that it names.",
    async run(context) {
      const [first, second] = [await askAny(context), await askAny(context)];
      const ids = [first, second].map(({ request }) => request.elicitationId);
      const mine = async () => (await listed(first.person)).filter(({ id }) => ids.includes(id));
      const open = [first, second].map(entryOf);
      ensureEqual(await mine(), open, "entries of the inbox");
      await answer(first, "decline");
      ensureEqual(await mine(), open.slice(1), "entries after the first was answered");
    },
  },
  {
    id: "inbox/ownership",
    rule: "The inbox has no requests of other users, and gets 401 without an identity.",
    async run(context) {
      const asked = await askAny(context);
      await listed(asked.person);
      const [, other] = context.people();
      const ids = (await listed(other)).map(({ id }) => id);
      ensure(!ids.includes(asked.request.elicitationId), "the inbox of another user holds the request");
      problemIn(await context.person().get(INBOX), 401);
    },
  },
  {
    id: "inbox/cursor",
    rule: "An `after` that the server has not given to this user gets 400.",
    async run(context) {
      const asked = await askAny(context);
      await listed(asked.person);
      for (const after of [UNKNOWN_ID, "", "%00"]) {
        problemIn(await asked.person.get(`${INBOX}?after=${after}`), 400);
      }
    },
  },
  {
    id: "inbox/stream",
    rule: "The stream of the inbox sends the first page at once, and again whenever a request begins or ends.",
    async run(context) {
      const [person] = context.people();
      await listed(person);
      const stream = person.read(await person.request(INBOX, { headers: { accept: "text/event-stream" } }));
      await stream.until("the first page", (page) => Array.isArray(page["items"]));
      const asked = await askAny(context);
      const { elicitationId } = asked.request;
      const has = (page: unknown) => entriesIn(page).some(({ id }) => id === elicitationId);
      await stream.until("a page with the request", has);
      await answer(asked, "cancel");
      await stream.until("a page without the request", () => !has(stream.chunks.at(-1)));
    },
  },
];

interface Entry {
  readonly id: string;
  readonly conversationId: unknown;
}

function entryOf({ request, turn }: Asked): Entry {
  return { id: request.elicitationId, conversationId: turn.conversationId };
}

/** All pages. */
async function listed(person: Person): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (let path = INBOX; ;) {
    const reply = await person.get(path);
    if (path === INBOX && NOT_OFFERED.has(reply.status)) throw new NotChecked("the server has no inbox");
    ensureReplied(reply, 200);
    entries.push(...entriesIn(reply.body));
    const next = isObject(reply.body) ? reply.body["next"] : undefined;
    if (next === undefined) return entries;
    ensure(typeof next === "string", `next of the inbox is no text: ${show(next)}`);
    path = `${INBOX}?after=${encodeURIComponent(next)}`;
  }
}

function entriesIn(page: unknown): readonly Entry[] {
  const items = isObject(page) ? page["items"] : undefined;
  ensure(Array.isArray(items), `expected {"items": [...]}, got ${show(page)}`);
  return items.map((item: unknown) => {
    const request = parseElicitationRequest(isObject(item) ? item["request"] : undefined);
    ensure(request.ok && isObject(item), `an entry of the inbox is malformed: ${show(item)}`);
    const isTime = !Number.isNaN(Date.parse(String(item["askedAt"])));
    ensure(isTime, `askedAt of the inbox is no time: ${show(item["askedAt"])}`);
    return { id: request.value.elicitationId, conversationId: item["conversationId"] };
  });
}
