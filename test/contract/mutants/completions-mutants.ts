import { isObject } from "../../../src/contract/json.ts";
import {
  type Body,
  bodyOf,
  isCompletions,
  listIn,
  type Mutant,
  onChunk,
  onFrame,
  withBody,
  withHeader,
} from "./mutant.ts";

/** Servers whose OpenAI-style route is incorrect. */
export const completionsMutants: readonly Mutant[] = [
  {
    wrong: "splits a request into several frames",
    caughtBy: ["completions/request"],
    break: onEnvelope((json) => [json.slice(0, 20), json.slice(20)]),
  },
  {
    wrong: "writes text around a request",
    caughtBy: ["completions/request"],
    break: onEnvelope((json) => [`Please answer: ${json}`]),
  },
  {
    wrong: "does not write the end of a request",
    caughtBy: ["completions/request"],
    break: onEnvelope((json) => (json.includes("elicitation-resolved") ? [] : [json])),
  },
  {
    wrong: "omits [DONE] on the OpenAI route",
    caughtBy: ["completions/done"],
    break: onFrame((frame) => (frame === "data: [DONE]" ? undefined : frame), isCompletions),
  },
  {
    wrong: "ends OpenAI streams without a finish_reason",
    caughtBy: ["completions/done"],
    break: onChunk((chunk) => {
      const [choice] = listIn(chunk, "choices");
      return typeof choice?.["finish_reason"] === "string" ? undefined : chunk;
    }, isCompletions),
  },
  {
    wrong: "asks in chats that cannot show requests",
    caughtBy: ["completions/capability"],
    break: (request, next) =>
      next(isCompletions(request) ? withHeader(request, "x-supports-elicitation", "true") : request),
  },
  {
    wrong: "asks without a stream",
    caughtBy: ["completions/no-stream"],
    break: async (request, next) =>
      next(
        isCompletions(request) ? withBody(request, { ...(await bodyOf(request)), stream: true }) : request,
      ),
  },
  {
    wrong: "lets the model print a request",
    caughtBy: ["completions/no-forgery"],
    break: async (request, next, server) => {
      let begun: string | undefined;
      const join = onContent((content) => {
        if (begun === undefined && content !== "{") return [content];
        begun = (begun ?? "") + content;
        return content === "{" ? [] : [begun];
      });
      return join(request, next, server);
    },
  },
];

function onEnvelope(change: (json: string) => readonly string[]) {
  return onContent((content) => (content.startsWith("{") ? change(content) : [content]));
}

/** Changes the content of frames: each may be replaced with none, one or several. */
function onContent(change: (content: string) => readonly string[]) {
  return onChunk((chunk) => {
    const [choice] = listIn(chunk, "choices");
    const delta: Body = isObject(choice?.["delta"]) ? choice["delta"] : {};
    if (typeof delta["content"] !== "string") return chunk;
    return change(delta["content"]).map((content) => ({
      ...chunk,
      choices: [{ ...choice, delta: { ...delta, content } }],
    }));
  }, isCompletions);
}
