import { SUPPORTS_ELICITATION_HEADER } from "../../../src/contract/contract.ts";
import type { ConformanceRule } from "../case.ts";
import { type Reply, NotChecked, Nonconformity, ensure, ensureEqual } from "../reply.ts";
import { UNKNOWN_ID, answerOf, ask, ensureStatus, openRequests, problemIn } from "../steps.ts";
import { type Person, type TestContext, pause } from "../test-context.ts";

/** Rules that keep out other sites and limit how much a client can send (contract, section 4). */
export const browserCases: readonly ConformanceRule[] = [
  {
    id: "browsers/foreign-origin",
    rule: "A write with a cookie from an origin that is not on the list gets 403.",
    async run(context) {
      const { message } = context.question("url");
      const { headers, allowedOrigin, foreignOrigin } = needCookie(context);
      const person = context.person({ ...headers, origin: allowedOrigin });
      const asked = await ask(person, message);
      const { conversationId } = asked.turn;
      const elsewhere = context.person({ ...headers, origin: foreignOrigin });
      const body = { conversationId, ...answerOf(asked, "decline") };
      problemIn(await elsewhere.post("/elicitation-responses", body), 403);
      problemIn(await elsewhere.post(`/chat/${conversationId}/stop`, {}), 403);
      const sent = await elsewhere.trySendMessage(message);
      await sent.body?.cancel();
      ensureEqual(sent.status, 403, "status of a new message");
      await ensureStatus(asked, "pending");
    },
  },
  {
    id: "browsers/precedence",
    rule: "A missing identity (401) is reported before a foreign origin (403), and a foreign origin before faults of the body (415).",
    async run(context) {
      const { headers, foreignOrigin } = needCookie(context);
      const path = "/elicitation-responses";
      const asText = { "content-type": "text/plain" };
      problemIn(await context.person({ origin: foreignOrigin }).post(path, "{}", asText), 401);
      problemIn(await context.person({ ...headers, origin: foreignOrigin }).post(path, "{}", asText), 403);
    },
  },
  {
    id: "browsers/allowed-origin",
    rule: "A user signed in by cookie can answer from an origin on the list, and the chat can read the reply.",
    async run(context) {
      const { message } = context.question("url");
      const { headers, allowedOrigin } = needCookie(context);
      const person = context.person({ ...headers, origin: allowedOrigin });
      const asked = await ask(person, message);
      const body = { conversationId: asked.turn.conversationId, ...answerOf(asked, "decline") };
      const reply = await person.post("/elicitation-responses", body);
      ensureEqual(reply.status, 200, "status");
      ensureEqual(
        reply.headers.get("access-control-allow-origin"),
        allowedOrigin,
        "access-control-allow-origin",
      );
      ensureEqual(
        reply.headers.get("access-control-allow-credentials"),
        "true",
        "access-control-allow-credentials",
      );
    },
  },
  {
    id: "browsers/preflight",
    rule: "A preflight from an origin on the list gets the headers of the contract, and one from another origin does not.",
    async run(context) {
      const { allowedOrigin, foreignOrigin } = needCookie(context);
      const wanted = [SUPPORTS_ELICITATION_HEADER, "authorization", "content-type"];
      const preflight = (origin: string) =>
        context.person({ origin }).request("/chat", {
          method: "OPTIONS",
          headers: {
            "access-control-request-method": "POST",
            "access-control-request-headers": wanted.join(","),
          },
        });
      const { headers } = await preflight(allowedOrigin);
      ensureEqual(headers.get("access-control-allow-origin"), allowedOrigin, "access-control-allow-origin");
      ensureEqual(
        headers.get("access-control-allow-credentials"),
        "true",
        "access-control-allow-credentials",
      );
      const told = (headers.get("access-control-allow-headers") ?? "")
        .toLowerCase()
        .split(",")
        .map((name) => name.trim());
      const missing = wanted.find((name) => !told.includes(name));
      ensure(
        missing === undefined,
        `access-control-allow-headers lacks ${String(missing)}: ${told.join(", ")}`,
      );
      const foreign = (await preflight(foreignOrigin)).headers.get("access-control-allow-origin");
      ensure(foreign !== foreignOrigin && foreign !== "*", `${foreignOrigin} got ${String(foreign)}`);
    },
  },
  {
    // This case comes last, because the second user must wait for a minute after it.
    id: "browsers/rate-limit",
    rule: "Writes beyond the limit get 429 with a time to wait: answers, messages and stops count as writes, reads do not.",
    async run(context) {
      const writesPerMinute = context.need("writesPerMinute");
      const { headers } = context.need("people")[1];
      const person = context.person(headers);
      let seconds = await flood(person, writesPerMinute);
      if (seconds < SHORT_REST_S) {
        await pause(seconds * 1_000);
        seconds = await flood(person, writesPerMinute);
      }
      // A malformed body shows that the limit is checked before the body is read.
      for (const path of ["/elicitation-responses", "/chat", "/chat/conformance-flood/stop"]) {
        problemIn(await write(person, path, "{"), 429);
      }
      await openRequests(person, "conformance-flood");
    },
  },
];

/** If less of the minute is left, the checks after the flood could come too late. */
const SHORT_REST_S = 5;

/** Sends writes until the server refuses. @returns the seconds to wait, from the server's reply */
async function flood(person: Person, writesPerMinute: number): Promise<number> {
  const body = { conversationId: "conformance-flood", elicitationId: UNKNOWN_ID, action: "decline" };
  // A minute may begin or end in between. The first writes then count for one minute and the others for the next.
  const most = 2 * writesPerMinute;
  for (let writes = 0; writes <= most; writes += 1) {
    const reply = await write(person, "/elicitation-responses", JSON.stringify(body));
    if (reply.status !== 429) continue;
    problemIn(reply, 429);
    const seconds = reply.headers.get("retry-after") ?? "";
    ensure(/^\d+$/.test(seconds), `retry-after: expected seconds, got ${seconds}`);
    return Number(seconds);
  }
  throw new Nonconformity(`${most + 1} writes one after another were all let through`);
}

/** One write that does not wait for the rate limit. */
function write(person: Person, path: string, body: string): Promise<Reply> {
  return person.postOnce(path, body, { "content-type": "application/json" });
}

/** Only Node, not a browser, lets `fetch` set the Origin header to simulate another origin. */
function needCookie(context: TestContext) {
  const cookie = context.need("cookie");
  const probe = new Request("https://example.com", { headers: { origin: cookie.foreignOrigin } });
  if (probe.headers.has("origin")) return cookie;
  throw new NotChecked("a browser sends its own Origin header: run this case in Node");
}
