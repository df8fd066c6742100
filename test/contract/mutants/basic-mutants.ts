import { type Body, type Mutant, bodyOf, dataOf, isRequest, isTo, json, onChunk, without } from "./mutant.ts";

const inRequests = (change: (request: Body) => Body) =>
  onChunk((chunk) => (isRequest(chunk) ? { ...chunk, data: change(dataOf(chunk)) } : chunk));

/** Servers that a chat of the basic level cannot use. */
export const basicMutants: readonly Mutant[] = [
  {
    wrong: "omits the URL of the page",
    caughtBy: ["basic/url"],
    break: inRequests((request) => without(request, "url")),
  },
  {
    wrong: "omits the fields of a form",
    caughtBy: ["basic/form"],
    break: inRequests((request) => without(request, "requestedSchema")),
  },
  {
    wrong: "gives every request the same id",
    caughtBy: ["basic/own-id"],
    break: inRequests((request) => ({ ...request, elicitationId: "the-request" })),
  },
  {
    wrong: "accepts answers to unknown requests",
    caughtBy: ["basic/unknown"],
    async break(request, next) {
      const seen = request.clone();
      const response = await next(request);
      if (!isTo(request, "/elicitation-responses") || response.status !== 404) return response;
      const { elicitationId } = await bodyOf(seen);
      return json(200, { success: true, elicitationId, outcome: "declined" });
    },
  },
];
