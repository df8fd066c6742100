import { SUPPORTS_ELICITATION_HEADER } from "../../protocol/contract.ts";
import type { ConformanceCase } from "../case.ts";
import { answerOf, ask, ensureStatus, problemIn } from "../steps.ts";
import { NotChecked, ensure, ensureEqual } from "../verdict.ts";
import type { Visit } from "../visit.ts";

/** What keeps other sites out, and what keeps the server from being flooded (contract, section 4). */
export const browserCases: readonly ConformanceCase[] = [
  {
    id: "browsers/foreign-origin",
    rule: "A write that a browser signed in by cookie is refused with 403 when its origin is not on the list.",
    async run(visit) {
      const connect = visit.need("connect");
      const { headers, allowedOrigin, foreignOrigin } = needCookie(visit);
      const person = visit.person({ ...headers, origin: allowedOrigin });
      const asked = await ask(person, connect);
      const { conversationId } = asked.run;
      const elsewhere = visit.person({ ...headers, origin: foreignOrigin });
      const body = { conversationId, ...answerOf(asked, "decline") };
      problemIn(await elsewhere.post("/elicitation-responses", body), 403);
      problemIn(await elsewhere.post(`/chat/${conversationId}/stop`, {}), 403);
      const said = await elsewhere.send(connect);
      await said.body?.cancel();
      ensureEqual(said.status, 403, "status of a new run");
      await ensureStatus(asked, "pending");
    },
  },
  {
    id: "browsers/allowed-origin",
    rule: "From an origin on the list the person signed in by cookie answers, and the chat may read the reply.",
    async run(visit) {
      const connect = visit.need("connect");
      const { headers, allowedOrigin } = needCookie(visit);
      const person = visit.person({ ...headers, origin: allowedOrigin });
      const asked = await ask(person, connect);
      const body = { conversationId: asked.run.conversationId, ...answerOf(asked, "decline") };
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
    rule: "A preflight from an origin on the list is told of the contract's headers; one from elsewhere is not let in.",
    async run(visit) {
      const { allowedOrigin, foreignOrigin } = needCookie(visit);
      const wanted = [SUPPORTS_ELICITATION_HEADER, "authorization", "content-type"];
      const preflight = (origin: string) =>
        visit.person({ origin }).request("/chat", {
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
    // The last of all cases: it uses the second person up.
    id: "browsers/rate-limit",
    rule: "More writes than allowed get 429 and are told when to come back.",
    async run(visit) {
      const writesPerMinute = visit.need("writesPerMinute");
      const { headers } = visit.need("people")[1];
      const person = visit.person(headers);
      const body = JSON.stringify({
        conversationId: "conformance-flood",
        elicitationId: "AAAAAAAAAAAAAAAAAAAAAA",
        action: "decline",
      });
      for (let write = 0; write <= writesPerMinute; write += 1) {
        const init = { method: "POST", headers: { "content-type": "application/json" }, body };
        const response = await person.request("/elicitation-responses", init);
        const text = await response.text();
        if (response.status !== 429) continue;
        const { headers: replied } = response;
        problemIn({ status: 429, headers: replied, text, body: JSON.parse(text) }, 429);
        const seconds = replied.get("retry-after");
        ensure(/^\d+$/.test(seconds ?? ""), `retry-after: expected seconds, got ${String(seconds)}`);
        return;
      }
      ensure(false, `${writesPerMinute + 1} writes within a minute were all let through`);
    },
  },
];

/** Only where `fetch` may name an origin can a foreign one be played: in Node, not in a browser. */
function needCookie(visit: Visit) {
  const cookie = visit.need("cookie");
  const probe = new Request("https://example.com", { headers: { origin: cookie.foreignOrigin } });
  if (probe.headers.has("origin")) return cookie;
  throw new NotChecked("a browser sends its own Origin header: run this case in Node");
}
