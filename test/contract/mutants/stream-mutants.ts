import { askToConnect, call, faults } from "elicit-kit/mock-server";
import { contractAgent } from "../contract-agent.ts";
import {
  as,
  bodyOf,
  dataOf,
  isAttach,
  isChat,
  isEnd,
  isRequest,
  isStatus,
  isStop,
  json,
  type Mutant,
  onAnswer,
  onChunk,
  onFrame,
  onReply,
  saying,
  type Send,
  withBody,
  withHeader,
  without,
  withoutHeader,
} from "./mutant.ts";

/** Servers that ask or stream incorrectly. */
export const streamMutants: readonly Mutant[] = [
  // Requests
  {
    wrong: "writes events outside of data parts",
    caughtBy: ["requests/no-bare-events", "requests/url", "requests/form"],
    agent: { faults: [faults.bareEvents()] },
  },
  {
    wrong: "gives the chunk an id of its own",
    caughtBy: ["requests/url", "requests/form"],
    break: onChunk((chunk) => (isRequest(chunk) ? { ...chunk, id: "1" } : chunk)),
  },
  {
    wrong: "gives requests running numbers as ids",
    caughtBy: ["requests/single-use"],
    break: numbered(),
  },
  {
    wrong: "asks the same question twice",
    caughtBy: ["requests/asked-once"],
    break: onChunk((chunk) =>
      isEnd(chunk) ? { ...chunk, id: "again", data: { ...dataOf(chunk), elicitationId: "again" } } : chunk,
    ),
  },
  {
    wrong: "writes the answer into the stream",
    caughtBy: ["requests/resolution-without-content"],
    break: onChunk((chunk) =>
      isEnd(chunk) ? { ...chunk, data: { ...dataOf(chunk), content: { city: "Lisbon" } } } : chunk,
    ),
  },
  {
    wrong: "omits the expiry of requests",
    caughtBy: ["requests/expires"],
    break: onChunk((chunk) =>
      isRequest(chunk) ? { ...chunk, data: without(dataOf(chunk), "expiresAt") } : chunk,
    ),
  },
  {
    wrong: "has different expiries in the request and in its status",
    caughtBy: ["requests/expires"],
    break: onReply((body, { ok }, request) =>
      ok && isStatus(request) ? { ...body, expiresAt: "2999-01-01T00:00:00.000Z" } : undefined,
    ),
  },
  // Capability
  {
    wrong: "ignores the capability header",
    caughtBy: ["capability/absent", "capability/exact", "capability/tool-result", "basic/header"],
    break: (request, next) =>
      next(isChat(request) ? withHeader(request, "x-supports-elicitation", "true") : request),
  },
  {
    wrong: "accepts any spelling of true in the capability header",
    caughtBy: ["capability/exact"],
    break: (request, next) => {
      const isTrue = request.headers.get("x-supports-elicitation")?.toLowerCase() === "true";
      return next(isTrue ? withHeader(request, "x-supports-elicitation", "true") : request);
    },
  },
  {
    wrong: "ignores the capabilities of the body",
    caughtBy: [
      "capability/body-url",
      "capability/body-form",
      "capability/body-not-url",
      "capability/body-not-form",
    ],
    break: async (request, next) => {
      if (!isChat(request)) return next(request);
      const { capabilities: _, ...body } = await bodyOf(request);
      return next(withBody(request, body));
    },
  },
  {
    wrong: "treats any capability as both modes",
    caughtBy: ["capability/body-not-url", "capability/body-not-form"],
    break: async (request, next) => {
      const body = isChat(request) ? await bodyOf(request) : {};
      if (body["capabilities"] === undefined) return next(request);
      return next(withBody(request, { ...body, capabilities: { elicitation: { url: {}, form: {} } } }));
    },
  },
  {
    wrong: "answers stream: false with an OpenAI completion",
    caughtBy: ["capability/no-stream"],
    break: onReply((body, { ok }, request) =>
      ok && isChat(request) ? { id: body["id"], object: "chat.completion", choices: [] } : undefined,
    ),
  },
  {
    wrong: "asks users who are not signed in",
    caughtBy: ["capability/anonymous"],
    agent: { authenticate: (request) => contractAgent.authenticate(request) ?? { id: "anonymous" } },
  },
  {
    wrong: "asks without a stream",
    caughtBy: ["capability/no-stream"],
    break: async (request, next) =>
      next(isChat(request) ? withBody(request, { ...(await bodyOf(request)), stream: true }) : request),
  },
  {
    wrong: "gives the tool no text about a refusal",
    caughtBy: ["capability/tool-result", "capability/refusals-differ", "capability/expiry-differs"],
    break: onChunk((chunk) =>
      chunk["type"] === "tool-output-available" ? { ...chunk, output: "Failed." } : chunk,
    ),
  },
  {
    wrong: "does not make a tool fail that could not ask for an account",
    caughtBy: ["capability/tool-result"],
    break: onChunk(({ errorText, ...chunk }) =>
      chunk["type"] === "tool-output-error"
        ? { ...chunk, type: "tool-output-available", output: errorText }
        : { ...chunk, ...(errorText !== undefined && { errorText }) },
    ),
  },
  {
    wrong: "gives the tool another text than the contract",
    caughtBy: ["capability/tool-result", "capability/refusals-differ", "capability/expiry-differs"],
    break: onChunk((chunk) => {
      const { type, output } = chunk;
      if (type !== "tool-output-available" || typeof output !== "string") return chunk;
      return { ...chunk, output: output.replace(" but not provided", "").replace(" only the user has", "") };
    }),
  },
  {
    wrong: "gives the tool the text of a decline for a cancel",
    caughtBy: ["capability/refusals-differ", "basic/outcomes-apart"],
    break: onAnswer((body) => (body["action"] === "cancel" ? { ...body, action: "decline" } : body)),
  },
  {
    wrong: "asks again after a decline",
    caughtBy: ["capability/not-asked-again"],
    agent: saying({
      "Try twice.": [
        call("a"),
        askToConnect({ service: "Tracker" }),
        call("b"),
        askToConnect({ service: "Bank" }),
      ],
    }),
  },
  // Streams
  {
    wrong: "omits the header of a UI message stream",
    caughtBy: ["streams/headers"],
    break: async (request, next) => withoutHeader(await next(request), true, "x-vercel-ai-ui-message-stream"),
  },
  {
    wrong: "continues without waiting for the answer",
    caughtBy: ["streams/blocks", "basic/waits"],
    break: async (request, next, server) => {
      const isRun = isChat(request);
      const response = await next(request);
      if (isRun) {
        const withdrawing = setInterval(() => {
          for (const open of server.pending()) {
            void server.withdraw(open.elicitationId);
            clearInterval(withdrawing);
          }
        }, 30);
        withdrawing.unref();
      }
      return response;
    },
  },
  {
    wrong: "does not write the end of a request to the stream",
    caughtBy: [
      "streams/goes-on",
      "streams/declined",
      "streams/cancelled",
      "answers/race-different",
      "outside/completed",
    ],
    break: onChunk((chunk) => (isEnd(chunk) ? undefined : chunk)),
  },
  {
    wrong: "ends turns without finish",
    caughtBy: ["streams/finish"],
    break: onChunk((chunk) => (chunk["type"] === "finish" ? undefined : chunk)),
  },
  {
    wrong: "writes finish after each step",
    caughtBy: ["streams/finish"],
    break: onChunk((chunk) => (chunk["type"] === "finish-step" ? [chunk, { type: "finish" }] : chunk)),
  },
  {
    wrong: "omits [DONE]",
    caughtBy: ["streams/done", "streams/stop", "streams/attach"],
    break: onFrame(
      (frame) => (frame === "data: [DONE]" ? undefined : frame),
      (request) => isChat(request) || isAttach(request),
    ),
  },
  {
    wrong: "writes more events after [DONE]",
    caughtBy: ["streams/done"],
    break: onFrame((frame) =>
      frame === "data: [DONE]" ? [frame, 'data: {"type":"data-operation","data":{}}'] : frame,
    ),
  },
  {
    wrong: "asks one question after the other",
    caughtBy: ["streams/two", "fast-path/several", "status/list"],
    agent: saying({
      "Plan a trip.": [askToConnect({ service: "Calendar" }), askToConnect({ service: "Mail" })],
    }),
  },
  {
    wrong: "sends no keep-alive comments",
    caughtBy: ["streams/keep-alive"],
    break: onFrame((frame) => (frame.startsWith(":") ? undefined : frame)),
  },
  {
    wrong: "keeps the previous turn open beside the new one",
    caughtBy: ["streams/new-message"],
    break: (() => {
      let turn = 0;
      return async (request: Request, next: Send) => {
        if (!isChat(request)) return next(request);
        const body = await bodyOf(request);
        turn += 1;
        return next(turn === 1 ? request : withBody(request, { ...body, conversationId: `turn-${turn}` }));
      };
    })(),
  },
  {
    wrong: "starts a turn for each copy of a message",
    caughtBy: ["streams/same-message"],
    break: async (request, next) =>
      next(isChat(request) ? withBody(request, { ...(await bodyOf(request)), startId: undefined }) : request),
  },
  {
    wrong: "stops the open turn when a stop names an earlier one",
    caughtBy: ["streams/stop-late"],
    break: async (request, next) =>
      next(isStop(request) ? new Request(request.url.replace(/\?.*/, ""), request) : request),
  },
  {
    wrong: "replies to a stop without stopping the turn",
    caughtBy: ["streams/stop"],
    break: async (request, next) => (isStop(request) ? new Response(null, { status: 204 }) : next(request)),
  },
  {
    wrong: "replies to a stop with a body",
    caughtBy: ["streams/stop", "streams/stop-nothing"],
    break: async (request, next) => {
      const isIt = isStop(request);
      const response = await next(request);
      return isIt && response.status === 204 ? json(200, { success: true }) : response;
    },
  },
  {
    wrong: "replies 404 to a stop when no turn is open",
    caughtBy: ["streams/stop-nothing", "streams/stop-others"],
    break: async (request, next) => {
      if (!isStop(request)) return next(request);
      const { headers } = request;
      const open = await next(new Request(request.url.replace(/stop$/, "stream"), { headers }));
      await open.body?.cancel();
      if (open.status !== 204) return next(request);
      return json(404, { title: "Not found", status: 404, detail: "No turn is open." });
    },
  },
  {
    wrong: "ends a stopped turn like one that has finished",
    caughtBy: ["streams/stop"],
    break: onChunk((chunk) => (chunk["type"] === "abort" ? { type: "finish" } : chunk)),
  },
  {
    wrong: "lets any user stop and read a turn",
    caughtBy: ["streams/stop-others", "streams/attach-others"],
    break: (request, next) => next(isStop(request) || isAttach(request) ? as(request, "anna") : request),
  },
  {
    wrong: "withdraws requests when the reader disconnects",
    caughtBy: ["streams/disconnect"],
    break: async (request, next, server) => {
      const isRun = isChat(request);
      const response = await next(request);
      if (!isRun || response.body === null) return response;
      const reader = response.body.getReader();
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        async cancel() {
          for (const { elicitationId } of server.pending()) await server.withdraw(elicitationId);
        },
      });
      return new Response(body, response);
    },
  },
  {
    wrong: "sends a second reader only new chunks",
    caughtBy: ["streams/attach"],
    break: onChunk((chunk, index) => (index === 0 ? undefined : chunk), isAttach),
  },
  {
    wrong: "opens a stream where no turn is open",
    caughtBy: ["streams/attach-nothing", "streams/attach-others"],
    break: async (request, next) => {
      const isIt = isAttach(request);
      const response = await next(request);
      return isIt && response.status === 204
        ? new Response("", { headers: { "content-type": "text/event-stream" } })
        : response;
    },
  },
];

/** Replaces ids with guessable ones, in all requests and replies. */
function numbered(): NonNullable<Mutant["break"]> {
  const real: string[] = [];
  const numberOf = (id: string) =>
    `elicitation-request-${10_000 + (real.includes(id) ? real.indexOf(id) : real.push(id) - 1)}`;
  const realOf = (text: string) =>
    text.replace(/elicitation-request-(1\d{4})/g, (_, n) => real[Number(n) - 10_000]!);
  const renumber = onChunk((chunk) => {
    if (!isRequest(chunk)) return chunk;
    const id = numberOf(String(chunk["id"]));
    return { ...chunk, id, data: { ...dataOf(chunk), elicitationId: id } };
  });
  return async (request, next, server) => {
    const text = request.method === "POST" ? realOf(await request.text()) : undefined;
    const { headers, method } = request;
    const passed = new Request(realOf(request.url), {
      headers,
      method,
      ...(text !== undefined && { body: text }),
    });
    const response = await renumber(passed, next, server);
    if (!response.headers.get("content-type")?.includes("json")) return response;
    const reply = real.reduce((changed, id) => changed.replaceAll(id, numberOf(id)), await response.text());
    return new Response(reply, response);
  };
}
