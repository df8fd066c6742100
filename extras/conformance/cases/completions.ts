import { SUPPORTS_ELICITATION_HEADER } from "../../../src/contract/contract.ts";
import { parseElicitationRequest, parseResolution } from "../../../src/contract/guard.ts";
import { isObject } from "../../../src/contract/json.ts";
import { parseJson } from "../../../src/contract/parse-json.ts";
import type { ConformanceRule } from "../case.ts";
import { NotChecked, ensure, ensureEqual, show } from "../reply.ts";
import type { Chunk, ChunkStream } from "../chunk-stream.ts";
import { openRequests } from "../steps.ts";
import { type Person, newConversation } from "../test-context.ts";

/** Rules for the OpenAI-style route: a request is the whole content of one frame (contract, section 3). */
export const completionsCases: readonly ConformanceRule[] = [
  {
    id: "completions/request",
    rule: "On the OpenAI route, a request is the whole content of one frame, and so is its outcome.",
    async run(context) {
      const { url } = context.need("completions");
      const { message } = context.question("url");
      const [person] = context.people();
      const { conversationId, stream } = await complete(person, url, message, "true");
      const frame = await stream.until("a frame whose content is a request", (chunk) => isAsking(chunk));
      const request = parseElicitationRequest(contentOf(frame));
      ensure(request.ok, `the request is malformed: ${request.ok ? "" : request.reason}`);
      const { elicitationId } = request.value;
      await person.post("/elicitation-responses", { conversationId, elicitationId, action: "decline" });
      const end = await stream.until("a frame whose content is its end", (chunk) => {
        const content = contentOf(chunk);
        return content?.["type"] === "elicitation-resolved" && content["elicitationId"] === elicitationId;
      });
      const resolution = parseResolution(contentOf(end)?.["resolution"]);
      ensure(resolution.ok, `the resolution is malformed: ${resolution.ok ? "" : resolution.reason}`);
      ensureEqual(resolution.value.outcome, "declined", "outcome");
      await stream.ended();
    },
  },
  {
    id: "completions/done",
    rule: "On the OpenAI route, the last frame has a finish_reason, and [DONE] follows it.",
    async run(context) {
      const { url } = context.need("completions");
      const { message } = context.question("url");
      const [person] = context.people();
      const { stream } = await complete(person, url, message, null);
      const last = choiceOf((await stream.endedByDone()).at(-1) ?? {});
      const reason = last?.["finish_reason"];
      ensure(typeof reason === "string", `the last frame has no finish_reason: ${show(last)}`);
    },
  },
  {
    id: "completions/capability",
    rule: "On the OpenAI route, too, nothing is asked without the capability header.",
    async run(context) {
      const { url } = context.need("completions");
      const { message } = context.question("url");
      const [person] = context.people();
      const { stream } = await complete(person, url, message, null);
      const asked = (await stream.ended()).find(isAsking);
      ensure(asked === undefined, `nobody can answer this: ${show(asked)}`);
    },
  },
  {
    id: "completions/no-stream",
    rule: "On the OpenAI route, too, nothing is asked without stream: true, and the reply is one JSON completion.",
    async run(context) {
      const { url } = context.need("completions");
      const { message } = context.question("url");
      const [person] = context.people();
      const { conversationId, response } = await post(person, url, message, { stream: false });
      const type = response.headers.get("content-type") ?? "nothing";
      ensure(type.startsWith("application/json"), `expected application/json, got ${type}`);
      const body: unknown = await response.json();
      ensure(isObject(body) && Array.isArray(body["choices"]), `this is no completion: ${show(body)}`);
      ensure(!JSON.stringify(body).includes("elicitation-request"), `the reply asks: ${show(body)}`);
      ensureEqual(await openRequests(person, conversationId), [], "open requests");
    },
  },
  {
    id: "completions/no-forgery",
    rule: "A model cannot forge a request: no frame of its own text is a JSON object.",
    async run(context) {
      const { url, jsonMessage } = context.need("completions");
      if (jsonMessage === undefined) throw new NotChecked('needs "jsonMessage" of the hook "completions"');
      const [person] = context.people();
      const { stream } = await complete(person, url, jsonMessage, "true");
      const chunks = await stream.ended();
      const forged = chunks.find((chunk) => contentOf(chunk) !== undefined);
      ensure(forged === undefined, `this frame of the model's text is a JSON object: ${show(forged)}`);
      const text = chunks.map((chunk) => deltaOf(chunk) ?? "").join("");
      ensure(text.includes("{"), `the agent said no JSON object: ${show(text)}`);
    },
  },
];

async function complete(
  person: Person,
  url: string,
  text: string,
  supports: "true" | null,
): Promise<{ conversationId: string; stream: ChunkStream }> {
  const { conversationId, response } = await post(person, url, text, { stream: true, supports });
  return { conversationId, stream: person.read(response) };
}

async function post(
  person: Person,
  url: string,
  text: string,
  { stream, supports = "true" }: { stream: boolean; supports?: "true" | null },
): Promise<{ conversationId: string; response: Response }> {
  const conversationId = newConversation();
  const headers = new Headers({ "content-type": "application/json" });
  if (supports !== null) headers.set(SUPPORTS_ELICITATION_HEADER, supports);
  const messages = [{ role: "user", content: text }];
  const body = JSON.stringify({ model: "conformance", conversationId, stream, messages });
  const response = await person.request(url, { method: "POST", headers, body });
  ensureEqual(response.status, 200, "status of the OpenAI route");
  return { conversationId, response };
}

function isAsking(chunk: Chunk): boolean {
  return contentOf(chunk)?.["type"] === "elicitation-request";
}

/** The content of a frame, if it is one JSON object. */
function contentOf(chunk: Chunk): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(deltaOf(chunk) ?? "");
  return isObject(value) ? value : undefined;
}

function deltaOf(chunk: Chunk): string | undefined {
  const delta = choiceOf(chunk)?.["delta"];
  const content = isObject(delta) ? delta["content"] : undefined;
  return typeof content === "string" ? content : undefined;
}

function choiceOf(chunk: Chunk): Readonly<Record<string, unknown>> | undefined {
  const choices: readonly unknown[] = Array.isArray(chunk["choices"]) ? chunk["choices"] : [];
  return isObject(choices[0]) ? choices[0] : undefined;
}
