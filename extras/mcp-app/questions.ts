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
  const keys = Object.keys(round.inputRequests);
  return Object.entries(round.inputRequests).flatMap(([key, asked]): AppQuestion[] => {
    const read = readElicitation(isObject(asked) ? asked["params"] : undefined);
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
      ...(keys.length > 1 && { round: { id: `${round.call}.${round.version}`, size: keys.length } }),
    } as const;
    const request: ElicitationRequest =
      elicitation.mode === "form"
        ? { ...base, mode: "form", requestedSchema: elicitation.requestedSchema }
        : { ...base, mode: "url", url: elicitation.url, acceptMeans: "consent" };
    return [{ key, conversationId, request, isConsented: false }];
  });
}
