import type { ConformanceCase } from "../case.ts";
import type { Chunk } from "../chunk-stream.ts";
import { answer, ask, ensureGoesOn, isRequestChunk, openRequests, requestsIn } from "../steps.ts";
import { NotChecked, ensure, ensureEqual, show } from "../verdict.ts";
import type { Person, SayOptions } from "../visit.ts";

const capabilities = (elicitation: unknown) => ({ capabilities: { elicitation } });

/** Whoever cannot show a request is never asked, and never waits (contract, section 2). */
export const capabilityCases: readonly ConformanceCase[] = [
  {
    id: "capability/absent",
    rule: "Without the capability header nothing is asked and the run ends at once.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      await ensureNotAsked(person, connect, { supports: null });
    },
  },
  {
    id: "capability/exact",
    rule: 'Only the exact value "true" of the header counts.',
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      await ensureNotAsked(person, connect, { supports: "TRUE" });
      await ensureNotAsked(person, connect, { supports: "1" });
      await ensureNotAsked(person, connect, { supports: "false" });
    },
  },
  {
    id: "capability/body-url",
    rule: "capabilities.elicitation.url in the body is enough to be asked for an account, and for nothing else.",
    async run(visit) {
      const [connect, form] = [visit.need("connect"), visit.need("form")];
      const [person] = visit.people();
      const url = { supports: null, body: capabilities({ url: {} }) };
      await ask(person, connect, url);
      await ensureNotAsked(person, form.say, url);
    },
  },
  {
    id: "capability/body-form",
    rule: "capabilities.elicitation.form in the body is enough to be asked for facts, and for nothing else.",
    async run(visit) {
      const [connect, form] = [visit.need("connect"), visit.need("form")];
      const [person] = visit.people();
      const facts = { supports: null, body: capabilities({ form: {} }) };
      await ask(person, form.say, facts);
      await ensureNotAsked(person, connect, facts);
    },
  },
  {
    id: "capability/body-empty",
    rule: "capabilities.elicitation: {} means form only.",
    async run(visit) {
      const [connect, form] = [visit.need("connect"), visit.need("form")];
      const [person] = visit.people();
      const empty = { supports: null, body: capabilities({}) };
      await ask(person, form.say, empty);
      await ensureNotAsked(person, connect, empty);
    },
  },
  {
    id: "capability/body-narrows",
    rule: "The body narrows what the header allows.",
    async run(visit) {
      const form = visit.need("form");
      const [person] = visit.people();
      await ensureNotAsked(person, form.say, { supports: "true", body: capabilities({ url: {} }) });
    },
  },
  {
    id: "capability/anonymous",
    rule: "Nobody who is not signed in is asked: the run ends at once, or is refused with 401.",
    async run(visit) {
      const connect = visit.need("connect");
      const nobody = visit.person();
      const response = await nobody.send(connect);
      if (response.status === 401) return response.body?.cancel();
      ensureEqual(response.status, 200, "status of POST /chat without identity");
      ensureNoRequests(await nobody.read(response).ended());
    },
  },
  {
    id: "capability/no-stream",
    rule: "With stream: false nothing is asked: the reply is JSON, and it comes.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      const conversationId = `conformance-${crypto.randomUUID()}`;
      const response = await person.send(connect, { conversationId, body: { stream: false } });
      ensureEqual(response.status, 200, "status");
      const type = response.headers.get("content-type") ?? "nothing";
      ensure(type.startsWith("application/json"), `expected application/json, got ${type}`);
      const body: unknown = await response.json();
      ensure(!JSON.stringify(body).includes("elicitation-request"), `the reply asks: ${show(body)}`);
      ensureEqual(await openRequests(person, conversationId), [], "open requests");
    },
  },
  {
    id: "capability/tool-result",
    rule: "A tool that could not ask gets a result that says so and is not to be tried again.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      const run = await person.say(connect, { supports: null });
      const output = toolText(await run.stream.ended());
      ensure(
        output.startsWith("Authentication required but not provided.") &&
          output.endsWith("Do not retry this tool."),
        `the tool got: ${output}`,
      );
    },
  },
  {
    id: "capability/refusals-differ",
    rule: "A no and a dismissal reach the tool as different results, and neither as an error.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      const results = [];
      for (const action of ["decline", "cancel"] as const) {
        const asked = await ask(person, connect);
        await answer(asked, action);
        results.push(toolText(await ensureGoesOn(asked.run)));
      }
      const [declined = "", cancelled = ""] = results;
      ensure(declined.includes("the user declined"), `after a no the tool got: ${declined}`);
      ensure(cancelled.includes("dismissed"), `after a dismissal the tool got: ${cancelled}`);
    },
  },
  {
    id: "capability/not-asked-again",
    rule: "A tool that was refused and is called again in the same turn gets that result without asking.",
    async run(visit) {
      const again = visit.need("again");
      const [person] = visit.people();
      const asked = await ask(person, again);
      await answer(asked, "decline");
      const ids = requestsIn(await ensureGoesOn(asked.run)).map(({ elicitationId }) => elicitationId);
      ensureEqual(new Set(ids).size, 1, "number of requests in the turn");
    },
  },
];

async function ensureNotAsked(person: Person, text: string, options: SayOptions): Promise<void> {
  const run = await person.say(text, options);
  ensureNoRequests(await run.stream.ended());
}

function ensureNoRequests(chunks: readonly Chunk[]): void {
  const asked = chunks.find(isRequestChunk);
  ensure(asked === undefined, `nobody can answer this: ${show(asked)}`);
}

/** What the model read of the last tool, where the server shows it. */
function toolText(chunks: readonly Chunk[]): string {
  const output = chunks.findLast(({ type }) => type === "tool-output-available")?.["output"];
  if (output === undefined) throw new NotChecked("the stream shows no tool output");
  return typeof output === "string" ? output : JSON.stringify(output);
}
