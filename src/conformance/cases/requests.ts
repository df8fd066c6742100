import { ensure, ensureEqual, show } from "../assertions.ts";
import type { ConformanceRule } from "../case.ts";
import { answer, ask, askAny, ensureGoesOn, requestsIn, resolutionOf, statusOf } from "../steps.ts";

/** Rules for the format of a request (contract, sections 1 and 3). */
export const requestCases: readonly ConformanceRule[] = [
  {
    id: "requests/url",
    rule: "Asking for an account writes a well-formed request of mode url, under its own id.",
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
    rule: "Asking for facts writes a well-formed request of mode form, under its own id.",
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
    rule: "Each request has an id of its own that cannot be guessed: 22 characters or more, never the next number.",
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
    rule: "Each request says when it expires, in the future of the server's clock, and its status says the same.",
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
    rule: "The stream holds no bare elicitation-request event: it would break every AI SDK client.",
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
    rule: "A question that is asked once is one request: it has the same id until its end.",
    async run(context) {
      const asked = await askAny(context);
      await answer(asked, "decline");
      const ids = requestsIn(await ensureGoesOn(asked.turn)).map(({ elicitationId }) => elicitationId);
      ensureEqual([...new Set(ids)], [asked.request.elicitationId], "ids on the stream");
    },
  },
  {
    id: "requests/resolution-without-content",
    rule: "The end of a form tells its outcome, never the answer.",
    async run(context) {
      const form = context.need("form");
      const [person] = context.people();
      const asked = await ask(person, form.message);
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
