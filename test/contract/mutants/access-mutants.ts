import { isObject } from "../../../src/contract/json.ts";
import { contractAgent } from "../contract-agent.ts";
import {
  as,
  bodyOf,
  isAttach,
  isChat,
  isList,
  isStatus,
  isStop,
  isTo,
  json,
  listIn,
  type Mutant,
  onFrame,
  onReply,
  without,
  withoutHeader,
} from "./mutant.ts";

const ANSWER = "/elicitation-responses";
const answered = new Map<unknown, unknown>();

function listOf({ url }: Request): string {
  const list = new URL(url);
  list.searchParams.delete("after");
  return list.href;
}

/** Servers that reveal too much or too little, or to the wrong users. */
export const accessMutants: readonly Mutant[] = [
  // Status
  {
    wrong: "leaves its clock out of the status",
    caughtBy: ["status/open", "answers/decline"],
    break: onReply((body, _, request) => (isStatus(request) ? without(body, "now") : undefined)),
  },
  {
    wrong: "reports a clock that stands still",
    caughtBy: ["status/clock"],
    break: onReply((body, { ok }, request) =>
      ok && isStatus(request) ? { ...body, now: "2026-01-01T00:00:00.000Z" } : undefined,
    ),
  },
  {
    wrong: "lets browsers cache the status",
    caughtBy: ["status/not-cached"],
    break: async (request, next) => withoutHeader(await next(request), isStatus(request), "cache-control"),
  },
  {
    wrong: "lets browsers cache that no turn is open",
    caughtBy: ["status/not-cached"],
    break: async (request, next) => withoutHeader(await next(request), isAttach(request), "cache-control"),
  },
  {
    wrong: "repeats answers in the status",
    caughtBy: ["status/without-content"],
    break: async (request, next) => {
      const given = isTo(request, ANSWER) ? await bodyOf(request) : {};
      if (isObject(given["content"])) answered.set(given["elicitationId"], given["content"]);
      const isIt = isStatus(request);
      const response = await next(request);
      if (!isIt || !response.ok) return response;
      const body = await bodyOf(response);
      return json(200, { ...body, content: answered.get(body["elicitationId"]) });
    },
  },
  {
    wrong: "lists requests that have ended",
    caughtBy: ["status/list", "status/list-after-answer", "capability/no-stream"],
    break: onReply((body, { ok }, request) => {
      if (!ok || !isList(request)) return undefined;
      const ended = {
        type: "elicitation-request",
        elicitationId: "ended",
        mode: "url",
        message: "",
        url: "https://a.example",
      };
      return { ...body, elicitations: [...listIn(body, "elicitations"), ended] };
    }),
  },
  {
    wrong: "lists the newest request first",
    caughtBy: ["status/list"],
    break: onReply((body, { ok }, request) =>
      ok && isList(request) ? { elicitations: listIn(body, "elicitations").toReversed() } : undefined,
    ),
  },
  {
    wrong: "replies 404 instead of 401",
    caughtBy: ["status/unknown", "ownership/no-identity"],
    break: onReply((_, { status }) =>
      status === 401 ? json(404, { title: "Not found", status: 404, detail: "?" }) : undefined,
    ),
  },
  // Inbox
  {
    wrong: "leaves the newest request out of the inbox",
    caughtBy: ["inbox/list"],
    break: onReply((body, { ok }, request) =>
      ok && isList(request) && "items" in body ? { items: listIn(body, "items").slice(0, -1) } : undefined,
    ),
  },
  {
    wrong: "returns the first page of the inbox for an unknown cursor",
    caughtBy: ["inbox/cursor"],
    break: async (request, next) => next(isList(request) ? new Request(listOf(request), request) : request),
  },
  {
    wrong: "sends an empty page on the stream of the inbox",
    caughtBy: ["inbox/stream"],
    break: onFrame(() => 'data: {"items":[]}', isList),
  },
  // Proposals
  {
    wrong: "proposes invalid values",
    caughtBy: ["proposals/fits"],
    break: onReply((body, { ok }, request) =>
      ok && isTo(request, "/proposal") ? { ...body, content: { nights: 99 } } : undefined,
    ),
  },
  {
    wrong: "makes proposals for any text, request and user",
    caughtBy: ["proposals/refused", "proposals/ownership", "proposals/ended"],
    break: async (request, next) =>
      isTo(request, "/proposal")
        ? json(200, { success: true, elicitationId: "", content: {} })
        : next(request),
  },
  // Questions that somebody else decides
  {
    wrong: "accepts an answer of the user whose agent asks while another user decides",
    caughtBy: ["assign/decided"],
    break: async (request, next) => {
      const reply = await next(request);
      const { code } = await bodyOf(reply);
      return code === "assigned" ? json(200, { success: true, outcome: "declined" }) : reply;
    },
  },
  {
    wrong: "replies that it has reassigned a question, and does not",
    caughtBy: ["assign/taken-back", "assign/given-on", "assign/ownership"],
    break: async (request, next) =>
      isTo(request, "/assignee") ? json(200, { success: true, elicitationId: "" }) : next(request),
  },
  {
    wrong: "refuses a reminder without a time to wait",
    caughtBy: ["assign/reminded"],
    break: async (request, next) =>
      isTo(request, "/remind")
        ? json(409, { title: "Conflict", status: 409, detail: "Later.", code: "too-soon" })
        : next(request),
  },
  // More time
  {
    wrong: "gives more time and keeps the first end",
    caughtBy: ["more-time/given"],
    break: async (request, next) =>
      isTo(request, "/extend")
        ? json(200, { success: true, expiresAt: "2999-01-01T00:00:00.000Z" })
        : next(request),
  },
  {
    wrong: "gives every user more time for every request",
    caughtBy: ["more-time/ownership"],
    break: async (request, next) => {
      const reply = await next(request);
      return isTo(request, "/extend") ? json(200, { success: true }) : reply;
    },
  },
  // The link to the answer page
  {
    wrong: "gives every user the link to every request",
    caughtBy: ["link/own"],
    break: async (request, next) => {
      const reply = await next(request);
      return isTo(request, "/link") ? json(200, { link: "https://auth.example.com/auth/answer" }) : reply;
    },
  },
  // Remembered answers
  {
    wrong: "does not forget remembered answers",
    caughtBy: ["remember/used", "remember/ownership"],
    break: async (request, next) =>
      isTo(request, "/forget") ? json(200, { success: true, elicitationId: "" }) : next(request),
  },
  {
    wrong: "remembers every answer",
    caughtBy: ["remember/only-when-asked", "review/allowed-here"],
    break: async (request, next) => {
      const body = isTo(request, ANSWER) ? await bodyOf(request) : {};
      return body["action"] === "accept"
        ? next(new Request(request, { method: "POST", body: JSON.stringify({ ...body, remember: true }) }))
        : next(request);
    },
  },
  // You decide
  {
    wrong: "ignores that the user left the decision to the agent",
    caughtBy: ["delegate/accepted", "delegate/refused"],
    break: async (request, next) => {
      const { delegated: _, ...body } = isTo(request, ANSWER) ? await bodyOf(request) : {};
      return body["action"] === "accept"
        ? next(new Request(request, { method: "POST", body: JSON.stringify(body) }))
        : next(request);
    },
  },
  // Ownership
  {
    wrong: "does not check whose request it is",
    caughtBy: [
      "basic/ownership",
      "ownership/answer",
      "ownership/answered",
      "ownership/status",
      "ownership/list",
      "inbox/ownership",
      "proposals/ownership",
      "remember/ownership",
      "fast-path/ownership",
    ],
    agent: { authenticate: (request) => contractAgent.authenticate(request) && { id: "anna" } },
  },
  {
    wrong: "does not check the conversation of a request",
    caughtBy: ["ownership/conversation", "ownership/no-oracle"],
    break: async (request, next) => {
      const body = isTo(request, ANSWER) ? await bodyOf(request) : {};
      if (body["conversationId"] !== "conformance-elsewhere") return next(request);
      const { elicitationId } = body;
      return json(200, { success: true, elicitationId, outcome: "declined" });
    },
  },
  {
    wrong: "replies with another 404 for another user's request",
    caughtBy: ["ownership/no-oracle"],
    break: onReply((body, { status }, request) =>
      status === 404 && request.headers.get("authorization") === "Bearer ben"
        ? { ...body, detail: "Not yours." }
        : undefined,
    ),
  },
  {
    wrong: "believes a user id in the query",
    caughtBy: ["ownership/claimed-identity"],
    break: (request, next) => {
      const claimed = new URL(request.url).searchParams.get("userId");
      return next(claimed === null ? request : as(request, claimed));
    },
  },
  {
    wrong: "lets any user with a conversation id continue that conversation",
    caughtBy: ["ownership/turn"],
    break: (request, next) => next(isChat(request) ? as(request, "anna") : request),
  },
  {
    wrong: "vouches for any user",
    caughtBy: ["ownership/binding"],
    break: (request, next) => next(isTo(request, "/bind") ? as(request, "anna") : request),
  },
  {
    wrong: "vouches without a ticket for the page",
    caughtBy: ["ownership/binding"],
    break: onReply((body, { ok }, request) =>
      ok && isTo(request, "/bind") ? without(body, "ticket") : undefined,
    ),
  },
  // Browsers
  {
    wrong: "lets every site write",
    caughtBy: ["browsers/foreign-origin", "browsers/preflight"],
    agent: { allowedOrigins: () => true },
  },
  {
    wrong: "lets no site read its replies",
    caughtBy: ["browsers/allowed-origin", "browsers/preflight"],
    agent: { allowedOrigins: ["https://another.example"] },
  },
  {
    wrong: "checks the content type before the origin",
    caughtBy: ["browsers/precedence"],
    break: async (request, next) => {
      const isText = isTo(request, ANSWER) && request.headers.get("content-type") === "text/plain";
      if (!isText || !request.headers.has("cookie")) return next(request);
      return json(415, { title: "Unsupported media type", status: 415, detail: "Send JSON." });
    },
  },
  {
    wrong: "checks the origin before the identity",
    caughtBy: ["browsers/precedence"],
    break: onReply((_, { status }, request) =>
      status === 401 && request.headers.get("origin") === "https://evil.example"
        ? json(403, { title: "Forbidden", status: 403, detail: "Not from here." })
        : undefined,
    ),
  },
  {
    wrong: "does not count stops as writes",
    caughtBy: ["browsers/rate-limit"],
    agent: { limits: { writesPerMinute: 20 } },
    hooks: { writesPerMinute: 20 },
    break: async (request, next) => {
      const isIt = isStop(request);
      const response = await next(request);
      return isIt && response.status === 429 ? new Response(null, { status: 204 }) : response;
    },
  },
  {
    wrong: "reads the body before it checks the limit",
    caughtBy: ["browsers/rate-limit"],
    agent: { limits: { writesPerMinute: 20 } },
    hooks: { writesPerMinute: 20 },
    break: async (request, next) => {
      const isMalformed = request.method === "POST" && (await request.clone().text()) === "{";
      if (!isMalformed || isStop(request)) return next(request);
      return json(400, { title: "Bad request", status: 400, detail: "The body is not JSON." });
    },
  },
  {
    wrong: "limits reads like writes",
    caughtBy: ["browsers/rate-limit"],
    agent: { limits: { writesPerMinute: 20 } },
    hooks: { writesPerMinute: 20 },
    break: async (request, next) => {
      if (!isList(request)) return next(request);
      return json(429, { title: "Too many requests", status: 429, detail: "Wait." });
    },
  },
  {
    wrong: "limits no writes",
    caughtBy: ["browsers/rate-limit"],
    agent: { limits: { writesPerMinute: 1_000_000 } },
    hooks: { writesPerMinute: 20 },
  },
];
