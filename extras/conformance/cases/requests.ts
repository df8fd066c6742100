import type { ConformanceRule } from "../case.ts";
import { ensure, ensureEqual, show } from "../reply.ts";
import { answer, ask, askAny, askForm, ensureGoesOn, requestsIn, resolutionOf, statusOf } from "../steps.ts";

/** Rules for the format of a request (contract, sections 1 and 3). */
export const requestCases: readonly ConformanceRule[] = [
  {
    id: "requests/url",
    rule: "A request for an account on the stream is well-formed, has mode url, and is in a chunk with its id.",
    async run(context) {
      const connect = context.need("connect");
      const [person] = context.people();
      const { request } = await ask(person, connect);
      ensureEqual(request.mode, "url", "mode");
      ensure(request.resolution === undefined, `a request that was just asked has ended: ${show(request)}`);
    },
  },
  {
    id: "requests/form",
    rule: "A request for information on the stream is well-formed, has mode form, and is in a chunk with its id.",
    async run(context) {
      const { message } = context.need("form");
      const [person] = context.people();
      const { request } = await ask(person, message);
      ensureEqual(request.mode, "form", "mode");
      ensure(request.resolution === undefined, `a request that was just asked has ended: ${show(request)}`);
    },
  },
  {
    id: "requests/single-use",
    rule: "Each request has an id of its own that cannot be guessed: it has 22 characters or more, and is no running number.",
    async run(context) {
      const ids = [];
      for (let time = 0; time < 3; time += 1) {
        const asked = await askAny(context);
        ids.push(asked.request.elicitationId);
        await answer(asked, "cancel");
        await asked.turn.stream.ended();
      }
      ensureEqual(new Set(ids).size, 3, `different ids among ${show(ids)}`);
      const short = ids.find((id) => id.length < 22);
      ensure(short === undefined, `this id is too short to hold 128 bits: ${String(short)}`);
      // Two random ids of 22 characters have one or two characters in common. Ids from a counter or a clock share nearly
      // all.
      const [first = "", second = ""] = ids;
      const alike = first.split("").filter((char, index) => char === second[index]).length;
      ensure(alike <= first.length / 2, `the ids follow each other: ${show(ids)}`);
    },
  },
  {
    id: "requests/expires",
    rule: "Each request has an expiry, in the future by the server's clock, and its status has the same.",
    async run(context) {
      const { person, request } = await askAny(context);
      const { expiresAt } = request;
      ensure(expiresAt !== undefined, `the request has no expiresAt: ${show(request)}`);
      const report = await statusOf(person, request.elicitationId);
      ensure(Date.parse(expiresAt) > Date.parse(report.now), `expired at birth: ${expiresAt}, ${report.now}`);
      ensureEqual(Date.parse(report.expiresAt), Date.parse(expiresAt), "expiresAt of the status, in ms");
    },
  },
  {
    id: "requests/no-bare-events",
    rule: "The stream has no elicitation-request event outside of a data part, which would break every AI SDK client.",
    async run(context) {
      const { message } = context.question("url");
      const [person] = context.people();
      const turn = await person.sendMessage(message);
      const chunk = await turn.stream.until("a request", ({ type }) => isAsking(type));
      ensureEqual(chunk["type"], "data-elicitation-request", "type of the chunk");
    },
  },
  {
    id: "requests/asked-once",
    rule: "A question that is asked once is one request, with the same id until its end.",
    async run(context) {
      const asked = await askAny(context);
      await answer(asked, "decline");
      const ids = requestsIn(await ensureGoesOn(asked.turn)).map(({ elicitationId }) => elicitationId);
      ensureEqual([...new Set(ids)], [asked.request.elicitationId], "ids on the stream");
    },
  },
  {
    id: "requests/resolution-without-content",
    rule: "The end of a form on the stream has the outcome, but never the answer.",
    async run(context) {
      const { form, ...asked } = await askForm(context);
      await answer(asked, "accept", form.fits);
      const resolution = await resolutionOf(asked);
      const ended = requestsIn(asked.turn.stream.chunks).at(-1);
      const carrier = [ended, resolution].find((object) => object !== undefined && "content" in object);
      ensure(carrier === undefined, `the end of the request carries content: ${show(carrier)}`);
      const leaked = longTextsOf(form.fits).find((text) => JSON.stringify(resolution).includes(text));
      ensure(leaked === undefined, `the resolution repeats an answer: ${show(resolution)}`);
    },
  },
];

function isAsking(type: unknown): boolean {
  return typeof type === "string" && type.includes("elicitation-request");
}

/** The texts of an answer that are so long that they cannot be in a report by chance. */
export function longTextsOf(content: Readonly<Record<string, unknown>>): string[] {
  return Object.values(content)
    .flat()
    .filter((value) => typeof value === "string" && value.length > 3)
    .map(String);
}
