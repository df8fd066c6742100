import type { OpenQuestion } from "../../src/client/open-questions.ts";
import { claimedNameOf } from "../../src/contract/claimed-name.ts";
import type { ElicitationRequest } from "../../src/contract/contract.ts";
import { isObject } from "../../src/contract/json.ts";
import { readElicitation } from "../../src/mcp/wire/translate.ts";
import type { CardRound } from "../../src/mcp/wire/app.ts";

/** A question of a round, in the form that the view shows. */
export interface AppQuestion extends OpenQuestion {
  readonly key: string;
  /** Whether the user has agreed to open its page and is there. */
  isConsented: boolean;
}

/** Reads the questions of a round. If a page that the user has opened is asked for again, it stays the same question. */
export function questionsOf(
  round: CardRound,
  about: { serverName: string; conversationId: string; before: readonly AppQuestion[] },
): AppQuestion[] {
  const { serverName, conversationId, before } = about;
  const asked = Object.entries(round.inputRequests).flatMap(([key, asks]): AppQuestion[] => {
    const read = readElicitation(isObject(asks) ? asks["params"] : undefined);
    if (!read.ok) return [];
    const elicitation = read.value;
    const opened = before.find(
      ({ request, isConsented, ...question }) =>
        question.key === key &&
        isConsented &&
        elicitation.mode === "url" &&
        request.mode === "url" &&
        request.url === elicitation.url,
    );
    if (opened !== undefined) return [opened];
    const base = {
      type: "elicitation-request",
      elicitationId: `${round.call}.${round.version}.${key}`.slice(0, 256),
      message: elicitation.message,
      context: { trigger: "mcp_elicitation" },
      // The server that provides the view also provides this name.
      requester: { name: claimedNameOf(serverName) ?? serverName },
      ...(round.expiresAt !== undefined && { expiresAt: round.expiresAt }),
    } as const;
    const request: ElicitationRequest =
      elicitation.mode === "form"
        ? { ...base, mode: "form", requestedSchema: elicitation.requestedSchema }
        : { ...base, mode: "url", url: elicitation.url, acceptMeans: "consent" };
    return [{ key, conversationId, request, isConsented: false }];
  });
  // A page that keeps its card keeps its earlier round, too.
  const size = asked.filter(({ isConsented }) => !isConsented).length;
  if (size < 2) return asked;
  const together = { id: `${round.call}.${round.version}`, size };
  return asked.map((question) =>
    question.isConsented ? question : { ...question, request: { ...question.request, round: together } },
  );
}
