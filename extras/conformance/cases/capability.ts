import type { ConformanceRule } from "../case.ts";
import { ensure, ensureEqual, show } from "../reply.ts";
import type { Chunk } from "../chunk-stream.ts";
import {
  answer,
  ask,
  ensureGoesOn,
  ensureReplied,
  hasToolFailed,
  isRequestChunk,
  openRequests,
  requestsIn,
  toolTexts,
  untilStatus,
} from "../steps.ts";
import { type MessageOptions, type Person, newConversation } from "../test-context.ts";

const capabilities = (elicitation: unknown) => ({ capabilities: { elicitation } });

/** The texts that the model gets from a tool that could not ask, or was refused (contract, sections 2 and 5). */
const TEXTS = {
  url: {
    unsupported:
      /^Authentication required but not provided\. Tool ".+" requires user authentication: the user needs to connect their .+ account before this tool can be used\. Do not retry this tool\.$/,
    declined:
      /^Authentication required but not provided: the user declined to connect .+\. Do not ask again in this turn; say what is missing and how to connect it\.$/,
    cancelled:
      /^Authentication required but not provided: the user dismissed the request without deciding\. Do not ask again in this turn; you may offer it later\.$/,
    expired: /^Authentication required but not provided: nobody answered within \d+ (?:minute|second)s?\.$/,
  },
  form: {
    unsupported:
      /^Tool ".+" needs information only the user has: .+\. Ask for it in your answer, or go on with defaults where they exist\. Do not guess\.$/,
    declined:
      /^The information was not provided: the user declined to give it\. Do not ask again in this turn; say what is missing\.$/,
    cancelled:
      /^The information was not provided: the user dismissed the request without deciding\. Do not ask again in this turn; you may offer it later\.$/,
    expired: /^The information was not provided: nobody answered within \d+ (?:minute|second)s?\.$/,
  },
} as const;

/** Rules for clients that cannot show a request: they are never asked and never wait (contract, section 2). */
export const capabilityCases: readonly ConformanceRule[] = [
  {
    id: "capability/absent",
    rule: "Without the capability header, nothing is asked, and the turn ends at once.",
    async run(context) {
      const [person] = context.people();
      for (const { message } of context.questions()) {
        await ensureNotAsked(person, message, { supports: null });
      }
    },
  },
  {
    id: "capability/exact",
    rule: 'Only the exact value "true" of the capability header counts.',
    async run(context) {
      const { message } = context.question("url");
      const [person] = context.people();
      await ensureNotAsked(person, message, { supports: "TRUE" });
      await ensureNotAsked(person, message, { supports: "1" });
      await ensureNotAsked(person, message, { supports: "false" });
    },
  },
  {
    id: "capability/body-url",
    rule: "With capabilities.elicitation.url in the body, a tool can ask for an account.",
    async run(context) {
      const connect = context.need("connect");
      const [person] = context.people();
      await ask(person, connect, { supports: null, body: capabilities({ url: {} }) });
    },
  },
  {
    id: "capability/body-form",
    rule: "With capabilities.elicitation.form in the body, or with {}, a tool can ask with a form.",
    async run(context) {
      const { message } = context.need("form");
      const [person] = context.people();
      await ask(person, message, { supports: null, body: capabilities({ form: {} }) });
      await ask(person, message, { supports: null, body: capabilities({}) });
    },
  },
  {
    id: "capability/body-not-url",
    rule: "If capabilities.elicitation names only form, or nothing, a tool cannot ask for an account.",
    async run(context) {
      const connect = context.need("connect");
      const [person] = context.people();
      await ensureNotAsked(person, connect, { supports: null, body: capabilities({ form: {} }) });
      await ensureNotAsked(person, connect, { supports: null, body: capabilities({}) });
      await ensureNotAsked(person, connect, { supports: "true", body: capabilities({ form: {} }) });
    },
  },
  {
    id: "capability/body-not-form",
    rule: "If capabilities.elicitation names only url, a tool cannot ask with a form, whatever the header says.",
    async run(context) {
      const { message } = context.need("form");
      const [person] = context.people();
      await ensureNotAsked(person, message, { supports: null, body: capabilities({ url: {} }) });
      await ensureNotAsked(person, message, { supports: "true", body: capabilities({ url: {} }) });
    },
  },
  {
    id: "capability/anonymous",
    rule: "A user who is not signed in is not asked: the turn ends at once, or the message gets 401.",
    async run(context) {
      const { message } = context.question("url");
      const nobody = context.person();
      const response = await nobody.trySendMessage(message);
      if (response.status === 401) return response.body?.cancel();
      ensureEqual(response.status, 200, "status of POST /chat without identity");
      ensureNoRequests(await nobody.read(response).ended());
    },
  },
  {
    id: "capability/no-stream",
    rule: "With stream: false, nothing is asked, and the reply is one assistant message as JSON.",
    async run(context) {
      const { message } = context.question("url");
      const [person] = context.people();
      const conversationId = newConversation();
      const messages = [{ id: "m1", role: "user", parts: [{ type: "text", text: message }] }];
      const body = { id: conversationId, conversationId, stream: false, messages };
      const headers = { "content-type": "application/json", "x-supports-elicitation": "true" };
      const reply = await person.post("/chat", body, headers);
      ensureReplied(reply, 200);
      const type = reply.headers.get("content-type") ?? "nothing";
      ensure(type.startsWith("application/json"), `expected application/json, got ${type}`);
      ensure(!reply.text.includes("elicitation-request"), `the reply asks: ${reply.text.slice(0, 300)}`);
      const { id, role, parts } = Object(reply.body);
      const isMessage = typeof id === "string" && role === "assistant" && Array.isArray(parts);
      ensure(isMessage, `expected {id, role: "assistant", parts}, got ${show(reply.body)}`);
      ensureEqual(await openRequests(person, conversationId), [], "open requests");
    },
  },
  {
    id: "capability/tool-result",
    rule: "A tool that could not ask gets the text of section 2 of the contract, word for word, and as an error if an account is missing.",
    async run(context) {
      const [person] = context.people();
      for (const { mode, message } of context.questions()) {
        const turn = await person.sendMessage(message, { supports: null });
        const chunks = await turn.stream.ended();
        ensureText(chunks, TEXTS[mode].unsupported);
        if (mode === "url")
          ensure(hasToolFailed(chunks), "the text is an output, expected tool-output-error");
      }
    },
  },
  {
    id: "capability/refusals-differ",
    rule: "For a decline and a cancel, the tool gets the two texts of section 5 of the contract, and no error.",
    async run(context) {
      const [person] = context.people();
      for (const { message } of context.questions()) {
        const declined = await ask(person, message);
        await answer(declined, "decline");
        ensureText(await ensureGoesOn(declined.turn), TEXTS[declined.request.mode].declined);
        const cancelled = await ask(person, message);
        await answer(cancelled, "cancel");
        ensureText(await ensureGoesOn(cancelled.turn), TEXTS[cancelled.request.mode].cancelled);
      }
    },
  },
  {
    id: "capability/expiry-differs",
    rule: "For an expired request, the tool gets the text of section 5 of the contract.",
    async run(context) {
      const { message, afterMs } = context.need("expiring");
      const [person] = context.people();
      const asked = await ask(person, message);
      await untilStatus(context, asked, "expired", afterMs + context.patienceMs);
      ensureText(await ensureGoesOn(asked.turn), TEXTS[asked.request.mode].expired);
    },
  },
  {
    id: "capability/not-asked-again",
    rule: "A tool that is called again in the same turn after a refusal gets the same result without asking.",
    async run(context) {
      const again = context.need("again");
      const [person] = context.people();
      const asked = await ask(person, again);
      await answer(asked, "decline");
      const ids = requestsIn(await ensureGoesOn(asked.turn)).map(({ elicitationId }) => elicitationId);
      ensureEqual(new Set(ids).size, 1, "number of requests in the turn");
    },
  },
];

async function ensureNotAsked(person: Person, message: string, options: MessageOptions): Promise<void> {
  const turn = await person.sendMessage(message, options);
  ensureNoRequests(await turn.stream.ended());
}

function ensureNoRequests(chunks: readonly Chunk[]): void {
  const asked = chunks.find(isRequestChunk);
  ensure(asked === undefined, `nobody can answer this: ${show(asked)}`);
}

function ensureText(chunks: readonly Chunk[], expected: RegExp): void {
  const texts = toolTexts(chunks);
  const isThere = texts.some((text) => expected.test(text));
  ensure(isThere, `the tool got ${show(texts)}, expected a text like ${expected.source}`);
}
