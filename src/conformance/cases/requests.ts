import type { ConformanceCase } from "../case.ts";
import { answer, ask, ensureGoesOn, requestsIn, resolutionOf } from "../steps.ts";
import { ensure, ensureEqual, show } from "../verdict.ts";

/** What a request looks like (contract, sections 1 and 3). */
export const requestCases: readonly ConformanceCase[] = [
  {
    id: "requests/url",
    rule: "Asking for an account writes a well-formed request of mode url, under its own id.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      const { request } = await ask(person, connect);
      ensureEqual(request.mode, "url", "mode");
      ensure(request.resolution === undefined, `a request that was just asked has ended: ${show(request)}`);
    },
  },
  {
    id: "requests/form",
    rule: "Asking for facts writes a well-formed request of mode form, under its own id.",
    async run(visit) {
      const { say } = visit.need("form");
      const [person] = visit.people();
      const { request } = await ask(person, say);
      ensureEqual(request.mode, "form", "mode");
    },
  },
  {
    id: "requests/single-use",
    rule: "Every request has an id of its own that cannot be guessed: 22 characters or more, never the next number.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      const ids = [];
      for (let time = 0; time < 3; time += 1) {
        const asked = await ask(person, connect);
        ids.push(asked.request.elicitationId);
        await answer(asked, "cancel");
        await asked.run.stream.ended();
      }
      ensureEqual(new Set(ids).size, 3, `different ids among ${show(ids)}`);
      const short = ids.find((id) => id.length < 22);
      ensure(short === undefined, `this id is too short to hold 128 bits: ${String(short)}`);
      // Of 22 random characters two neighbours agree in one or two; a counter or a clock agrees in nearly all.
      const [first = "", second = ""] = ids;
      const alike = first.split("").filter((char, index) => char === second[index]).length;
      ensure(alike <= first.length / 2, `ids follow each other: ${show(ids)}`);
    },
  },
  {
    id: "requests/no-bare-events",
    rule: "The stream holds no bare elicitation-request event: it would break every AI SDK client.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      const run = await person.say(connect);
      const chunk = await run.stream.until("a request", ({ type }) => isAsking(type));
      ensureEqual(chunk["type"], "data-elicitation-request", "type of the chunk");
    },
  },
  {
    id: "requests/asked-once",
    rule: "What is asked once is one request: the same id stands for it to its end.",
    async run(visit) {
      const connect = visit.need("connect");
      const [person] = visit.people();
      const asked = await ask(person, connect);
      await answer(asked, "decline");
      const ids = requestsIn(await ensureGoesOn(asked.run)).map(({ elicitationId }) => elicitationId);
      ensureEqual([...new Set(ids)], [asked.request.elicitationId], "ids on the stream");
    },
  },
  {
    id: "requests/resolution-without-content",
    rule: "The end of a form tells its outcome, never what was answered.",
    async run(visit) {
      const form = visit.need("form");
      const [person] = visit.people();
      const asked = await ask(person, form.say);
      await answer(asked, "accept", form.fits);
      const resolution = await resolutionOf(asked);
      const ended = requestsIn(asked.run.stream.chunks).at(-1);
      const carrier = [ended, resolution].find((object) => object !== undefined && "content" in object);
      ensure(carrier === undefined, `the end of the request carries content: ${show(carrier)}`);
      const leaked = tellingTexts(form.fits).find((text) => JSON.stringify(resolution).includes(text));
      ensure(leaked === undefined, `the resolution repeats an answer: ${show(resolution)}`);
    },
  },
];

function isAsking(type: unknown): boolean {
  return typeof type === "string" && type.includes("elicitation-request");
}

/** Texts of an answer that are long enough not to stand in a report by chance. */
export function tellingTexts(content: Readonly<Record<string, unknown>>): string[] {
  return Object.values(content)
    .flat()
    .filter((value) => typeof value === "string" && value.length > 3)
    .map(String);
}
