import type { ConformanceCase } from "../case.ts";
import type { Chunk } from "../chunk-stream.ts";
import {
  SETTLE_MS,
  answer,
  ask,
  described,
  ensureGoesOn,
  ensureResolved,
  ensureStatus,
  isRequestChunk,
  isToolInput,
  openRequests,
  requestIn,
  untilStatus,
} from "../steps.ts";
import { ensure, ensureEqual, show } from "../verdict.ts";
import { type Person, type Visit, eventually } from "../visit.ts";

const KEEP_ALIVE_MS = 15_000;

/** How a turn streams, pauses, goes on and is left (contract, section 3). */
export const streamCases: readonly ConformanceCase[] = [
  {
    id: "streams/headers",
    rule: "A run is a text/event-stream that names itself a UI message stream, version 1.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      const { headers } = await person.say(connect);
      const type = headers.get("content-type") ?? "nothing";
      ensure(type.startsWith("text/event-stream"), `content-type: expected text/event-stream, got ${type}`);
      ensureEqual(headers.get("x-vercel-ai-ui-message-stream"), "v1", "x-vercel-ai-ui-message-stream");
    },
  },
  {
    id: "streams/blocks",
    rule: "While a request is open the run waits: nothing more is said and the stream stays open.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      const { run, request } = await ask(person, connect);
      const early = (chunk: Chunk) => isToolInput(chunk) || chunk["id"] === request.elicitationId;
      await run.stream.staysOpen(SETTLE_MS, early);
    },
  },
  {
    id: "streams/goes-on",
    rule: "After an answer the same stream goes on: first the end of the request, then what the agent says.",
    async run(visit) {
      const form = visit.need("form");
      const [person] = visit.people();
      const asked = await ask(person, form.say);
      await answer(asked, "accept", form.fits);
      await ensureResolved(asked, "accepted");
      const chunks = await ensureGoesOn(asked.run);
      const end = chunks.findIndex(
        (chunk) => isRequestChunk(chunk) && requestIn(chunk).resolution !== undefined,
      );
      const said = chunks.findLastIndex(({ type }) => type === "text-delta");
      ensure(said > end, "nothing was said after the request had ended");
    },
  },
  {
    id: "streams/declined",
    rule: "A no ends the request as declined, and the run goes on.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      const asked = await ask(person, connect);
      await answer(asked, "decline");
      await ensureResolved(asked, "declined");
      await ensureGoesOn(asked.run);
    },
  },
  {
    id: "streams/cancelled",
    rule: "A dismissal ends the request as cancelled, and the run goes on.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      const asked = await ask(person, connect);
      await answer(asked, "cancel");
      await ensureResolved(asked, "cancelled");
      await ensureGoesOn(asked.run);
    },
  },
  {
    id: "streams/two",
    rule: "Two open requests are answered in any order, each by its own id, and the run goes on after both.",
    async run(visit) {
      const [first, second] = await askTwo(visit);
      await answer(second, "decline");
      await ensureResolved(second, "declined");
      await ensureStatus(first, "pending");
      await answer(first, "cancel");
      await ensureResolved(first, "cancelled");
      await ensureGoesOn(first.run);
    },
  },
  {
    id: "streams/keep-alive",
    rule: "A blocked stream is kept alive by comments, every 15 seconds.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      const { run } = await ask(person, connect);
      await run.stream.comment(visit.hook("keepAliveMs") ?? KEEP_ALIVE_MS);
    },
  },
  {
    id: "streams/new-message",
    rule: "A new message in the conversation withdraws what the turn before had asked.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      const asked = await ask(person, connect);
      const { conversationId } = asked.run;
      await person.say(connect, { conversationId });
      await untilStatus(visit, asked, "withdrawn");
    },
  },
  {
    id: "streams/stop",
    rule: "Stopping a turn withdraws its requests and ends its stream.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      const asked = await ask(person, connect);
      const reply = await person.post(`/chat/${asked.run.conversationId}/stop`, {});
      ensure(reply.status >= 200 && reply.status < 300, `POST stop: expected 2xx, got ${described(reply)}`);
      await untilStatus(visit, asked, "withdrawn");
      await asked.run.stream.ended();
    },
  },
  {
    id: "streams/stop-others",
    rule: "Nobody stops another person's turn, and nobody without identity stops any.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person, other] = visit.people();
      const asked = await ask(person, connect);
      const path = `/chat/${asked.run.conversationId}/stop`;
      await other.post(path, {});
      ensureEqual((await visit.person().post(path, {})).status, 401, "status of a stop without identity");
      await asked.run.stream.staysOpen(SETTLE_MS, isToolInput);
      await ensureStatus(asked, "pending");
    },
  },
  {
    id: "streams/disconnect",
    rule: "A reader that goes away ends nothing: the request stays open.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      const asked = await ask(person, connect);
      await asked.run.stream.cancel();
      const again = await attach(visit, person, asked.run.conversationId);
      await again.staysOpen(SETTLE_MS, () => true);
      await ensureStatus(asked, "pending");
    },
  },
  {
    id: "streams/attach",
    rule: "A second reader gets the whole turn from its start, and then what happens, as the first one does.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      const asked = await ask(person, connect);
      const second = await attach(visit, person, asked.run.conversationId);
      await second.until("the open request", isRequestChunk);
      await answer(asked, "decline");
      ensureEqual(await second.ended(), await ensureGoesOn(asked.run), "what the second reader got");
    },
  },
  {
    id: "streams/attach-nothing",
    rule: "Where no turn is open, attaching gets 204.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      const asked = await ask(person, connect);
      await answer(asked, "decline");
      await asked.run.stream.ended();
      await eventually(visit, "a 204 for the conversation that has no open turn", async () => {
        const response = await person.request(`/chat/${asked.run.conversationId}/stream`, {});
        await response.body?.cancel();
        return response.status === 204 || undefined;
      });
    },
  },
  {
    id: "streams/attach-others",
    rule: "Nobody reads another person's turn, and nobody without identity reads any.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person, other] = visit.people();
      const { run } = await ask(person, connect);
      const path = `/chat/${run.conversationId}/stream`;
      for (const [who, expected] of [
        [other, [204, 404]],
        [visit.person(), [401]],
      ] as const) {
        const response = await who.request(path, {});
        await response.body?.cancel();
        const isExpected = expected.some((status) => status === response.status);
        ensure(isExpected, `expected ${expected.join(" or ")}, got ${response.status}`);
      }
    },
  },
];

async function attach(visit: Visit, person: Person, conversationId: string) {
  const response = await eventually(visit, "a stream to attach to", async () => {
    const attempt = await person.request(`/chat/${conversationId}/stream`, {});
    if (attempt.status === 200) return attempt;
    await attempt.body?.cancel();
    return undefined;
  });
  return person.read(response);
}

/** Two requests of one run that are open at the same time. */
export async function askTwo(visit: Visit) {
  const two = visit.need("two");
  const [person] = visit.people();
  const first = await ask(person, two);
  const { elicitationId } = first.request;
  const other = (chunk: Chunk) => isRequestChunk(chunk) && chunk["id"] !== elicitationId;
  const request = requestIn(await first.run.stream.until("a second request while the first is open", other));
  const second = { ...first, request };
  const open = await openRequests(person, first.run.conversationId);
  ensureEqual(open.length, 2, `number of open requests among ${show(open)}`);
  return [first, second] as const;
}
