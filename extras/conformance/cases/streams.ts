import type { ElicitationOutcome } from "../../../src/contract/index.ts";
import type { ConformanceRule } from "../case.ts";
import { ensure, ensureEqual, show } from "../reply.ts";
import type { Chunk } from "../chunk-stream.ts";
import {
  SETTLE_MS,
  answer,
  ask,
  askAny,
  askForm,
  ensureGoesOn,
  ensureReplied,
  ensureResolved,
  ensureStatus,
  isRequestChunk,
  isToolInput,
  openRequests,
  requestIn,
  untilStatus,
} from "../steps.ts";
import { type Person, type TestContext, eventually, newConversation } from "../test-context.ts";

const KEEP_ALIVE_MS = 15_000;

/** Rules for how a turn streams, waits, continues and is left (contract, section 3). */
export const streamCases: readonly ConformanceRule[] = [
  {
    id: "streams/headers",
    rule: "A turn is a text/event-stream with the header of a UI message stream, version 1, that no proxy may transform.",
    async run(context) {
      const { message } = context.question("url");
      const [person] = context.people();
      const { headers } = await person.sendMessage(message);
      const type = headers.get("content-type") ?? "nothing";
      ensure(type.startsWith("text/event-stream"), `content-type: expected text/event-stream, got ${type}`);
      ensureEqual(headers.get("x-vercel-ai-ui-message-stream"), "v1", "x-vercel-ai-ui-message-stream");
      const caching = headers.get("cache-control") ?? "nothing";
      ensure(
        caching.includes("no-transform"),
        `cache-control: expected no-transform, or a proxy that compresses holds the question back, got ${caching}`,
      );
    },
  },
  {
    id: "streams/blocks",
    rule: "While a request is open, the turn waits: the agent writes nothing, and the stream stays open.",
    async run(context) {
      const { turn, request } = await askAny(context);
      const isExpected = (chunk: Chunk) => isToolInput(chunk) || chunk["id"] === request.elicitationId;
      await turn.stream.staysOpen(SETTLE_MS, isExpected);
    },
  },
  {
    id: "streams/goes-on",
    rule: "After an answer, the same stream continues with the end of the request, and then with the agent's text.",
    async run(context) {
      const { form, ...asked } = await askForm(context);
      await answer(asked, "accept", form.fits);
      await ensureResolved(asked, "accepted");
      const chunks = await ensureGoesOn(asked.turn);
      const end = chunks.findIndex(
        (chunk) => isRequestChunk(chunk) && requestIn(chunk).resolution !== undefined,
      );
      const lastText = chunks.findLastIndex(({ type }) => type === "text-delta");
      ensure(lastText > end, "no text came after the request had ended");
    },
  },
  {
    id: "streams/declined",
    rule: "A decline ends the request as declined, and the turn continues.",
    run: endsWith("decline", "declined"),
  },
  {
    id: "streams/cancelled",
    rule: "A cancel ends the request as cancelled, and the turn continues.",
    run: endsWith("cancel", "cancelled"),
  },
  {
    id: "streams/finish",
    rule: "A turn that is not stopped has exactly one finish chunk, and it is the last.",
    async run(context) {
      const asked = await askAny(context);
      await answer(asked, "decline");
      const chunks = await ensureGoesOn(asked.turn);
      ensureEqual(chunks.at(-1)?.["type"], "finish", "type of the last chunk");
      ensureEqual(chunks.filter(({ type }) => type === "finish").length, 1, "number of finish chunks");
    },
  },
  {
    id: "streams/done",
    rule: "A stream ends with [DONE] after the last chunk.",
    async run(context) {
      const asked = await askAny(context);
      await answer(asked, "decline");
      await asked.turn.stream.endedByDone();
    },
  },
  {
    id: "streams/two",
    rule: "Two open requests can be answered in any order, each by its own id, and the turn continues after both.",
    async run(context) {
      const [first, second] = await askTwo(context);
      await answer(second, "decline");
      await ensureResolved(second, "declined");
      await ensureStatus(first, "pending");
      await answer(first, "cancel");
      await ensureResolved(first, "cancelled");
      await ensureGoesOn(first.turn);
    },
  },
  {
    id: "streams/keep-alive",
    rule: "A stream that waits sends a comment every 15 seconds.",
    async run(context) {
      const { turn } = await askAny(context);
      await turn.stream.comment(context.hook("keepAliveMs") ?? KEEP_ALIVE_MS);
    },
  },
  {
    id: "streams/new-message",
    rule: "A new message in the conversation withdraws the requests of the previous turn.",
    async run(context) {
      const { message } = context.question("url");
      const asked = await askAny(context);
      await asked.person.sendMessage(message, { conversationId: asked.turn.conversationId });
      await untilStatus(context, asked, "withdrawn");
    },
  },
  {
    id: "streams/same-message",
    rule: "A message that arrives again with the same startId gets the stream of its turn, which continues, and its request stays open.",
    async run(context) {
      const { message } = context.question("url");
      const [person] = context.people();
      const body = { startId: newConversation() };
      const asked = await ask(person, message, { body });
      const { conversationId } = asked.turn;
      const again = await ask(person, message, { conversationId, body });
      ensureEqual(again.request.elicitationId, asked.request.elicitationId, "request of the copy");
      await ensureStatus(asked, "pending");
      await answer(asked, "decline");
      await ensureGoesOn(asked.turn);
      await ensureGoesOn(again.turn);
    },
  },
  {
    id: "streams/stop",
    rule: "Stopping a turn gets 204 and withdraws its requests; its stream ends with abort and [DONE].",
    async run(context) {
      const asked = await askAny(context);
      ensureReplied(await stop(asked.person, asked.turn.conversationId), 204);
      await untilStatus(context, asked, "withdrawn");
      const chunks = await asked.turn.stream.endedByDone();
      ensureEqual(chunks.at(-1)?.["type"], "abort", "type of the last chunk");
    },
  },
  {
    id: "streams/stop-late",
    rule: "A stop that names the message of an earlier turn gets 204, and the request of the open turn stays open.",
    async run(context) {
      const { message } = context.question("url");
      const before = await askAny(context);
      const { person, turn } = before;
      const [start] = turn.stream.chunks;
      const asked = await ask(person, message, { conversationId: turn.conversationId });
      ensureReplied(await stop(person, turn.conversationId, start?.["messageId"]), 204);
      await ensureStatus(asked, "pending");
      const [now] = asked.turn.stream.chunks;
      ensureReplied(await stop(person, turn.conversationId, now?.["messageId"]), 204);
      await untilStatus(context, asked, "withdrawn");
    },
  },
  {
    id: "streams/stop-nothing",
    rule: "A stop gets 204 even if no turn is open.",
    async run(context) {
      const [person] = context.people();
      ensureReplied(await stop(person, newConversation()), 204);
      const asked = await askAny(context);
      await answer(asked, "decline");
      await asked.turn.stream.ended();
      ensureReplied(await stop(asked.person, asked.turn.conversationId), 204);
    },
  },
  {
    id: "streams/stop-others",
    rule: "A stop of another user's turn does not affect that turn and gets 204, and a stop without an identity gets 401.",
    async run(context) {
      const [, other] = context.people();
      const asked = await askAny(context);
      const { conversationId, stream } = asked.turn;
      ensureReplied(await stop(other, conversationId), 204);
      ensureReplied(await stop(context.person(), conversationId), 401);
      await stream.staysOpen(SETTLE_MS, isToolInput);
      await ensureStatus(asked, "pending");
    },
  },
  {
    id: "streams/disconnect",
    rule: "A request stays open when the reader of its stream disconnects.",
    async run(context) {
      const asked = await askAny(context);
      await asked.turn.stream.cancel();
      const again = await attach(context, asked.person, asked.turn.conversationId);
      await again.staysOpen(SETTLE_MS, () => true);
      await ensureStatus(asked, "pending");
    },
  },
  {
    id: "streams/attach",
    rule: "A second reader gets the whole turn from its start, and then the rest together with the first.",
    async run(context) {
      const asked = await askAny(context);
      const second = await attach(context, asked.person, asked.turn.conversationId);
      await second.until("the open request", isRequestChunk);
      await answer(asked, "decline");
      ensureEqual(
        await second.endedByDone(),
        await ensureGoesOn(asked.turn),
        "chunks that the second reader got",
      );
    },
  },
  {
    id: "streams/attach-nothing",
    rule: "Attaching to a conversation without an open turn gets 204.",
    async run(context) {
      const asked = await askAny(context);
      await answer(asked, "decline");
      await asked.turn.stream.ended();
      await eventually(context, "204 for the conversation that has no open turn", async () => {
        const response = await asked.person.request(`/chat/${asked.turn.conversationId}/stream`);
        await response.body?.cancel();
        return response.status === 204 || undefined;
      });
    },
  },
  {
    id: "streams/attach-others",
    rule: "Another user cannot attach to a turn, and a client without an identity gets 401.",
    async run(context) {
      const [, other] = context.people();
      const { turn } = await askAny(context);
      const path = `/chat/${turn.conversationId}/stream`;
      for (const [who, expected] of [
        [other, [204, 404]],
        [context.person(), [401]],
      ] as const) {
        const response = await who.request(path);
        await response.body?.cancel();
        const isExpected = expected.some((status) => status === response.status);
        ensure(isExpected, `GET ${path}: expected ${expected.join(" or ")}, got ${response.status}`);
      }
    },
  },
];

function endsWith(action: "decline" | "cancel", outcome: ElicitationOutcome) {
  return async (context: TestContext): Promise<void> => {
    const asked = await askAny(context);
    await answer(asked, action);
    await ensureResolved(asked, outcome);
    await ensureGoesOn(asked.turn);
  };
}

function stop(person: Person, conversationId: string, messageId?: unknown) {
  const named = typeof messageId === "string" ? `?messageId=${encodeURIComponent(messageId)}` : "";
  return person.post(`/chat/${conversationId}/stop${named}`, {});
}

async function attach(context: TestContext, person: Person, conversationId: string) {
  const response = await eventually(context, "stream to attach to", async () => {
    const attempt = await person.request(`/chat/${conversationId}/stream`);
    if (attempt.status === 200) return attempt;
    await attempt.body?.cancel();
    return undefined;
  });
  return person.read(response);
}

/** Two requests of one turn that are open at the same time, in the order in which they were asked. */
export async function askTwo(context: TestContext) {
  const two = context.need("two");
  const [person] = context.people();
  const first = await ask(person, two);
  const { elicitationId } = first.request;
  const isOther = (chunk: Chunk) => isRequestChunk(chunk) && chunk["id"] !== elicitationId;
  const request = requestIn(
    await first.turn.stream.until("a second request while the first is open", isOther),
  );
  const second = { ...first, request };
  const open = await openRequests(person, first.turn.conversationId);
  ensureEqual(open.length, 2, `number of open requests among ${show(open)}`);
  return [first, second] as const;
}
