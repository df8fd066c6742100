import { type MockServer, askForm, askToConnect, say } from "elicit-kit/mock-server";
import { isObject } from "../../../src/contract/json.ts";
import {
  bodyOf,
  dataOf,
  isTo,
  json,
  listIn,
  type Mutant,
  onAnswer,
  onChunk,
  onParts,
  onReply,
  saying,
  type Body,
  type Send,
  withHeader,
  without,
} from "./mutant.ts";

const ANSWER = "/elicitation-responses";

/** Servers that handle answers incorrectly. */
export const answerMutants: readonly Mutant[] = [
  // Answers
  {
    wrong: "treats a cancel as a decline",
    caughtBy: [
      "answers/cancel",
      "streams/cancelled",
      "outside/consent-cancelled",
      "status/list-after-answer",
    ],
    break: onAnswer((body) => (body["action"] === "cancel" ? { ...body, action: "decline" } : body)),
  },
  {
    wrong: "shows the note of a decline on the card",
    caughtBy: ["answers/decline-note"],
    break: (() => {
      let note: unknown;
      const show = onChunk((chunk) => {
        const { resolution, ...data } = dataOf(chunk);
        return isObject(resolution)
          ? { ...chunk, data: { ...data, resolution: { ...resolution, reason: note } } }
          : chunk;
      });
      return async (request: Request, next: Send, server: MockServer) => {
        if (isTo(request, ANSWER)) note = (await bodyOf(request))["note"];
        return show(request, next, server);
      };
    })(),
  },
  {
    wrong: "acknowledges answers and ignores them",
    caughtBy: [
      "answers/accept",
      "answers/decline",
      "answers/cancel",
      "basic/accept",
      "basic/decline",
      "basic/cancel",
    ],
    break: async (request, next) => {
      if (!isTo(request, ANSWER)) return next(request);
      const { elicitationId, action } = await bodyOf(request);
      const outcome = { accept: "accepted", decline: "declined", cancel: "cancelled" }[String(action)];
      return json(200, { success: true, elicitationId, outcome });
    },
  },
  {
    wrong: "replies to an answer with only the rest of the turn",
    caughtBy: ["answers/stream-reply"],
    break: onChunk(
      (chunk) => (chunk["type"] === "start" ? undefined : chunk),
      (request) => isTo(request, ANSWER),
    ),
  },
  {
    wrong: "never sends alreadyProcessed",
    caughtBy: [
      "answers/same-again",
      "answers/same-content-again",
      "answers/race-same",
      "outside/accept-after",
    ],
    break: onReply((body, { status }) =>
      status === 200 && "outcome" in body ? without(body, "alreadyProcessed") : undefined,
    ),
  },
  {
    wrong: "compares content as text",
    caughtBy: ["answers/same-content-again"],
    break: (() => {
      const first = new Map<unknown, string>();
      return async (request: Request, next: Send) => {
        const body = isTo(request, ANSWER) ? await bodyOf(request) : {};
        if (!isObject(body["content"])) return next(request);
        const [id, text] = [body["elicitationId"], JSON.stringify(body["content"])];
        if (!first.has(id)) first.set(id, text);
        if (first.get(id) === text) return next(request);
        const problem = { title: "Already ended", status: 409, detail: "Differs.", code: "content-differs" };
        return json(409, problem);
      };
    })(),
  },
  {
    wrong: "ignores the content of a second answer",
    caughtBy: ["answers/other-content"],
    break: onReply((body) =>
      body["code"] === "content-differs"
        ? json(200, { success: true, elicitationId: "x", outcome: "accepted", alreadyProcessed: true })
        : undefined,
    ),
  },
  {
    wrong: "lets a later answer replace the first",
    caughtBy: ["answers/other-action", "answers/race-different", "fast-path/again", "outside/accept-after"],
    break: onReply((body, { status }) =>
      status === 409 ? json(200, { success: true, elicitationId: "x", outcome: body["outcome"] }) : undefined,
    ),
  },
  {
    wrong: "does not report the outcome of an ended request",
    caughtBy: ["answers/other-action", "fast-path/again"],
    break: onReply((body, { status }) => (status === 409 ? without(body, "outcome") : undefined)),
  },
  {
    wrong: "does not check the content of answers",
    caughtBy: ["answers/misfit"],
    agent: saying({
      "Book a hotel.": [
        askForm({
          message: "Anything?",
          properties: { city: { type: "string" }, nights: { type: "number" } },
        }),
      ],
    }),
  },
  {
    wrong: "does not report which fields are invalid",
    caughtBy: ["answers/misfit"],
    break: onReply((body, { status }) => (status === 400 ? without(body, "errors") : undefined)),
  },
  {
    wrong: "accepts content with a decline",
    caughtBy: ["answers/malformed"],
    break: onAnswer(({ content, ...body }) => (body["action"] === "accept" ? { ...body, content } : body)),
  },
  {
    wrong: "refuses with plain JSON instead of problem+json",
    caughtBy: ["answers/malformed", "status/unknown", "ownership/answer"],
    break: async (request, next) => {
      const response = await next(request);
      if (response.status < 400) return response;
      return new Response(response.body, {
        status: response.status,
        headers: { "content-type": "application/json" },
      });
    },
  },
  {
    wrong: "accepts any content type",
    caughtBy: ["answers/not-json"],
    break: (request, next) =>
      next(request.method === "POST" ? withHeader(request, "content-type", "application/json") : request),
  },
  {
    wrong: "accepts answers of any size",
    caughtBy: ["answers/too-large"],
    break: onAnswer((body) => {
      if (!isObject(body["content"])) return body;
      const { padding: _, ...content } = body["content"];
      return { ...body, content };
    }),
  },
  {
    wrong: "lets no request expire",
    caughtBy: ["answers/expired"],
    agent: saying({ "Hurry.": [askToConnect({ service: "Bank" })] }),
  },
  {
    wrong: "accepts an answer after the expiry",
    caughtBy: ["answers/expired"],
    break: onReply((body, { status }) =>
      status === 410 ? json(200, { success: true, ...body }) : undefined,
    ),
  },
  {
    wrong: "checks the content type before the identity",
    caughtBy: ["answers/precedence"],
    break: async (request, next) => {
      const isText = isTo(request, ANSWER) && request.headers.get("content-type") === "text/plain";
      if (!isText) return next(request);
      return json(415, { title: "Unsupported media type", status: 415, detail: "Send JSON." });
    },
  },
  {
    wrong: "looks for the request before it checks the answer",
    caughtBy: ["answers/precedence"],
    break: async (request, next) => {
      const { elicitationId } = isTo(request, ANSWER) ? await bodyOf(request) : {};
      const isUnknown = typeof elicitationId === "string" && /^A+$/.test(elicitationId);
      const isSignedIn = request.headers.has("authorization");
      if (!isUnknown || !isSignedIn) return next(request);
      return json(404, { title: "Not found", status: 404, detail: "There is no such elicitation." });
    },
  },
  {
    wrong: "checks the content of an answer to a request that has ended",
    caughtBy: ["answers/precedence"],
    break: async (request, next) => {
      const { action } = isTo(request, ANSWER) ? await bodyOf(request) : {};
      const response = await next(request);
      if (response.status !== 409 || action !== "accept") return response;
      return json(400, { title: "Bad request", status: 400, detail: "It does not fit.", errors: [] });
    },
  },
  // The fast path
  {
    wrong: "starts a turn for each message",
    caughtBy: [
      "fast-path/one",
      "fast-path/bare-part",
      "fast-path/several",
      "fast-path/malformed",
      "fast-path/ownership",
    ],
    break: onParts((parts) =>
      parts.map((part) => (part["type"] === "text" ? part : { type: "text", text: "Create an issue." })),
    ),
  },
  {
    wrong: "reads only answers in parts with the data- prefix",
    caughtBy: ["fast-path/bare-part"],
    break: onParts((parts) =>
      parts.map((part) => (part["type"] === "elicitation-response" ? { type: "text", text: "?" } : part)),
    ),
  },
  {
    wrong: "accepts an answer among other parts",
    caughtBy: ["fast-path/mixed"],
    break: onParts((parts) => {
      const answers = parts.filter((part) => part["type"] === "data-elicitation-response");
      return answers.length > 0 ? answers : parts;
    }),
  },
  {
    wrong: "reads only the first of several answers",
    caughtBy: ["fast-path/several"],
    break: onParts((parts) => parts.slice(0, 1)),
  },
  {
    wrong: "replies success: true to several answers even if one was refused",
    caughtBy: ["fast-path/several-refused"],
    break: onReply((body) => ("results" in body ? { ...body, success: true } : undefined)),
  },
  {
    wrong: "replies to several answers with the status of a refused one",
    caughtBy: ["fast-path/several-refused"],
    break: onReply((body) => {
      const worst = Math.max(0, ...listIn(body, "results").map(({ status }) => Number(status)));
      return worst < 400
        ? undefined
        : json(worst, { title: "Refused", status: worst, detail: "See results." });
    }),
  },
  // Outside
  {
    wrong: "takes a page for complete because the user says so",
    caughtBy: ["outside/not-yet"],
    break: async (request, next, server) => {
      const { action, elicitationId } = isTo(request, ANSWER) ? await bodyOf(request) : {};
      const isOpen = server.pending().some((open) => open.elicitationId === elicitationId);
      if (action === "accept" && isOpen) await server.completeOutside(String(elicitationId));
      return next(request);
    },
  },
  {
    wrong: "checks only once for a completion",
    caughtBy: ["outside/look-ups"],
    // On its clock, the checks are over before the page can be complete.
    break: async (request, next, server) => {
      const reply = next(request);
      const isOver = reply.then(
        () => true,
        () => true,
      );
      const check = async () => !(await Promise.race([isOver, server.advance(500)]));
      while (isTo(request, ANSWER) && (await check()));
      return reply;
    },
  },
  {
    wrong: "does not notice completions",
    caughtBy: ["outside/completed", "outside/accept-after", "outside/consent-completed"],
    hooks: { completeOutside: () => Promise.resolve() },
  },
  {
    wrong: "omits the provider's reason",
    caughtBy: ["outside/failed"],
    break: onReply((body, { status }) => (status < 400 ? without(body, "lastError") : undefined)),
  },
  {
    wrong: "reports a failed attempt as consent",
    caughtBy: ["outside/failed"],
    break: onChunk((chunk) => withProgress(chunk, "pending", "consented")),
  },
  {
    wrong: "reports consent as pending",
    caughtBy: ["outside/consent"],
    break: onChunk((chunk) => withProgress(chunk, "consented", "pending")),
  },
  {
    wrong: "treats consent as completion",
    caughtBy: ["outside/consent"],
    agent: saying({ "Pay the invoice.": [askToConnect({ service: "Bank" }), say("Done.")] }),
  },
  {
    wrong: "does not show consent on the stream",
    caughtBy: ["outside/consent", "outside/failed"],
    break: onChunk((chunk) => ("progress" in dataOf(chunk) ? undefined : chunk)),
  },
];

/** A request chunk in which progress `from` is replaced with `to`. */
function withProgress(chunk: Body, from: string, to: string): Body {
  const { progress } = dataOf(chunk);
  if (!isObject(progress) || progress["status"] !== from) return chunk;
  return { ...chunk, data: { ...dataOf(chunk), progress: { ...progress, status: to } } };
}
