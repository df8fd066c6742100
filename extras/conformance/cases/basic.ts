import type { ElicitationAction, ElicitationContent } from "../../../src/contract/contract.ts";
import { isObject } from "../../../src/contract/json.ts";
import type { ConformanceRule } from "../case.ts";
import { type Reply, ensure, show } from "../reply.ts";
import type { Chunk } from "../chunk-stream.ts";
import { SETTLE_MS, UNKNOWN_ID, describeReply } from "../steps.ts";
import { type Person, type TestContext, type Turn, newConversation } from "../test-context.ts";

/** A request of the basic level: any id, a relative URL, and `mode` only if it cannot be inferred. */
interface BasicRequest {
  readonly elicitationId: string;
  readonly message: string;
  readonly url?: unknown;
  readonly requestedSchema?: unknown;
}

interface BasicAsked {
  readonly person: Person;
  readonly turn: Turn;
  readonly request: BasicRequest;
}

/**
 * Rules of the basic level. A server needs the stream, the header and the answer route for them. Bodies of replies, the
 * status and the outcome of a request on the stream belong to the full level.
 */
export const basicCases: readonly ConformanceRule[] = [
  {
    id: "basic/url",
    rule: "A tool that needs an account writes a request with an id, a message and a URL to the stream.",
    async run(context) {
      const { request } = await ask(context, context.need("connect"));
      ensure(typeof request.url === "string" && request.url !== "", `there is no url: ${show(request)}`);
    },
  },
  {
    id: "basic/form",
    rule: "A tool that needs information writes a request with an id, a message and a requested schema to the stream.",
    async run(context) {
      const { request } = await ask(context, context.need("form").message);
      ensure(isObject(request.requestedSchema), `there is no requestedSchema: ${show(request)}`);
    },
  },
  {
    id: "basic/own-id",
    rule: "Each request has an id of its own.",
    async run(context) {
      const { message } = context.question("form");
      const first = await ask(context, message);
      const second = await ask(context, message);
      const ids = [first.request.elicitationId, second.request.elicitationId];
      ensure(ids[0] !== ids[1], `two requests have the id ${show(ids[0])}`);
    },
  },
  {
    id: "basic/header",
    rule: "Without the header x-supports-elicitation: true, nothing is asked, and the turn ends at once.",
    async run(context) {
      const [person] = context.people();
      for (const { message } of context.questions()) {
        for (const supports of [null, "false"]) {
          const turn = await person.sendMessage(message, { supports });
          const asked = (await turn.stream.ended()).find(isAsking);
          ensure(asked === undefined, `the client cannot show this: ${show(asked)}`);
        }
      }
    },
  },
  {
    id: "basic/waits",
    rule: "While a request is open, the turn waits: the stream stays open, and the agent writes no text.",
    async run(context) {
      const { turn } = await ask(context, context.question("form").message);
      await turn.stream.staysOpen(SETTLE_MS, ({ type }) => type !== "text-delta");
    },
  },
  {
    id: "basic/accept",
    rule: "An accepted form gets a 2xx, and the same stream continues to its end.",
    async run(context) {
      const { message, fits } = context.need("form");
      const asked = await ask(context, message);
      ensureTaken(await answer(asked, "accept", fits));
      await ensureContinues(asked);
    },
  },
  {
    id: "basic/decline",
    rule: "A decline gets a 2xx, and the same stream continues to its end without an error.",
    async run(context) {
      for (const { message } of context.questions()) {
        const asked = await ask(context, message);
        ensureTaken(await answer(asked, "decline"));
        await ensureContinues(asked);
      }
    },
  },
  {
    id: "basic/cancel",
    rule: "A cancel gets a 2xx, and the same stream continues to its end without an error.",
    async run(context) {
      for (const { message } of context.questions()) {
        const asked = await ask(context, message);
        ensureTaken(await answer(asked, "cancel"));
        await ensureContinues(asked);
      }
    },
  },
  {
    id: "basic/outcomes-apart",
    rule: "The agent gets different results for a decline, for a cancel, and for a client that cannot show requests.",
    async run(context) {
      const { message } = context.question("form");
      const said: string[] = [];
      for (const action of ["decline", "cancel"] as const) {
        const asked = await ask(context, message);
        ensureTaken(await answer(asked, action));
        said.push(textsAfter(await ensureContinues(asked), asked.request.elicitationId));
      }
      const [person] = context.people();
      const turn = await person.sendMessage(message, { supports: null });
      said.push(textsAfter(await turn.stream.ended(), ""));
      ensure(new Set(said).size === said.length, `the agent cannot tell them apart: ${show(said)}`);
    },
  },
  {
    id: "basic/unknown",
    rule: "An answer to an unknown id is refused with 404.",
    async run(context) {
      const [person] = context.people();
      const body = { conversationId: newConversation(), elicitationId: UNKNOWN_ID, action: "decline" };
      const reply = await person.post("/elicitation-responses", body);
      ensure(reply.status === 404, `${reply.to}: expected 404, got ${describeReply(reply)}`);
    },
  },
  {
    id: "basic/ownership",
    rule: "Another user cannot answer, nor can a client without an identity, and the request stays open for its user.",
    async run(context) {
      const asked = await ask(context, context.question("form").message);
      const [, other] = context.people();
      for (const person of [other, context.person()]) {
        const reply = await answer({ ...asked, person }, "decline");
        ensure(reply.status >= 400, `${reply.to}: expected a refusal, got ${describeReply(reply)}`);
      }
      await asked.turn.stream.staysOpen(SETTLE_MS, ({ type }) => type !== "text-delta");
      ensureTaken(await answer(asked, "decline"));
      await ensureContinues(asked);
    },
  },
];

/** A request is a data part of the stream, or an event of its own. */
function requestOf(chunk: Chunk): unknown {
  if (chunk["type"] === "data-elicitation-request") return chunk["data"];
  return chunk["type"] === "elicitation-request" ? chunk : undefined;
}

function isAsking(chunk: Chunk): boolean {
  return requestOf(chunk) !== undefined;
}

async function ask(context: TestContext, message: string): Promise<BasicAsked> {
  const [person] = context.people();
  const turn = await person.sendMessage(message);
  const request = requestOf(await turn.stream.until("a request", isAsking));
  ensure(isBasicRequest(request), `a request needs elicitationId and message: ${show(request)}`);
  return { person, turn, request };
}

function isBasicRequest(value: unknown): value is BasicRequest {
  if (!isObject(value)) return false;
  return [value["elicitationId"], value["message"]].every((text) => typeof text === "string" && text !== "");
}

function answer(
  { person, turn, request }: BasicAsked,
  action: ElicitationAction,
  content?: ElicitationContent,
): Promise<Reply> {
  const { elicitationId } = request;
  const { conversationId } = turn;
  return person.post("/elicitation-responses", {
    conversationId,
    elicitationId,
    action,
    ...(content !== undefined && { content }),
  });
}

function ensureTaken(reply: Reply): void {
  const isTaken = reply.status >= 200 && reply.status < 300;
  ensure(isTaken, `${reply.to}: expected a 2xx, got ${describeReply(reply)}`);
}

async function ensureContinues({ turn }: BasicAsked): Promise<readonly Chunk[]> {
  const chunks = await turn.stream.ended();
  const broken = chunks.find(({ type }) => type === "error" || type === "abort");
  ensure(broken === undefined, `the turn should have continued, but it broke off: ${show(broken)}`);
  return chunks;
}

/** The texts on the stream after the request: outputs of tools and text of the agent. */
function textsAfter(chunks: readonly Chunk[], elicitationId: string): string {
  const from = chunks.findIndex((chunk) => {
    const request = requestOf(chunk);
    return isObject(request) && request["elicitationId"] === elicitationId;
  });
  const said = chunks.slice(from + 1).map((chunk) => {
    const { type } = chunk;
    if (type === "text-delta") return chunk["delta"];
    if (type === "tool-output-available") return chunk["output"];
    return type === "tool-output-error" ? chunk["errorText"] : undefined;
  });
  return JSON.stringify(said.filter((each) => each !== undefined));
}
