import {
  bodyOf,
  dataOf,
  isChat,
  isRequest,
  isTo,
  type Mutant,
  onAnswer,
  onChunk,
  withBody,
  without,
} from "./mutant.ts";

/** Servers that break a rule for reviews, or for tools that are allowed in a conversation. */
export const reviewMutants: readonly Mutant[] = [
  {
    wrong: "says less in the message of a review than on its card",
    caughtBy: ["review/shown"],
    break: onChunk((chunk) =>
      isRequest(chunk) ? { ...chunk, data: { ...dataOf(chunk), message: "Approve?" } } : chunk,
    ),
  },
  {
    wrong: "runs a reviewed tool with the values of before",
    caughtBy: ["review/edited"],
    break: onAnswer((body) => ({ ...body, ...("content" in body && { content: { text: "Lunch?" } }) })),
  },
  {
    wrong: "runs a tool that the user has not approved",
    caughtBy: ["review/not-approved"],
    break: onChunk((chunk) =>
      chunk["type"] === "tool-output-available" ? { ...chunk, output: { text: "Lunch?" } } : chunk,
    ),
  },
  {
    wrong: "runs an allowed tool with the values of an earlier call",
    caughtBy: ["review/allowed"],
    break: onChunk((chunk) =>
      chunk["type"] === "tool-output-available" ? { ...chunk, output: { text: "Lunch at one?" } } : chunk,
    ),
  },
  {
    wrong: "asks again for a tool that the user has allowed",
    caughtBy: ["review/allowed"],
    break: onAnswer((body) => without(body, "remember")),
  },
  {
    wrong: "allows a tool in all conversations",
    caughtBy: ["review/allowed-here"],
    break: async (request, next) => {
      if (!isChat(request) && !isTo(request, "/elicitation-responses")) return next(request);
      return next(withBody(request, { ...(await bodyOf(request)), conversationId: "everywhere" }));
    },
  },
];
