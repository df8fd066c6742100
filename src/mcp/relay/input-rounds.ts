import type { SupportedModes } from "../../runtime/internal.ts";
import type { Clock } from "../../base/clock.ts";
import { sleep } from "../../base/deadlines.ts";
import type { Card, Cards } from "./call-questions.ts";
import { inspectElicitation } from "../wire/inspect-elicitation.ts";
import { MAX_QUESTIONS, answerOf } from "./legacy-requests.ts";
import {
  type McpElicitResult,
  type McpElicitation,
  type McpRound,
  readElicitation,
} from "../wire/translate.ts";

/** The call cannot continue because of a question of the server. The message is for the model. */
export class McpRelayError extends Error {
  override readonly name = "McpRelayError";
}

const MAX_ROUNDS = 10;
/** A round with a state but no questions asks the client to repeat the call later. */
const STATE_ONLY_PAUSE_MS = 250;
export interface InputRoundsOptions {
  cards: Cards;
  supports: SupportedModes;
  showUnanswerable: boolean;
  clock: Clock;
  service: string;
}

/** The answers that the repeated call carries. */
export interface InputResponses {
  readonly inputResponses?: Readonly<Record<string, McpElicitResult>>;
  readonly requestState?: string;
}

/** The rounds of one call. */
export interface InputRounds {
  /** `isWhole`: the round contains everything that the server still needs, so a page that is not in it is complete. */
  answer(round: McpRound, isWhole: boolean): Promise<InputResponses>;
}

/**
 * Answers the rounds of one call (MCP 2026-07-28): all requests of a round together. Rejects with {@link McpRelayError}
 * for a question that the server must not ask, because this revision has no error reply for clients.
 */
export function createInputRounds({
  cards,
  supports,
  showUnanswerable,
  clock,
  service,
}: InputRoundsOptions): InputRounds {
  let rounds = 0;
  let questions = 0;

  function refuse(reason: string): never {
    throw new McpRelayError(`${service} asked for something that this client cannot give: ${reason}`);
  }

  /** Returns the question for one request, or its answer if the user need not be asked. */
  function inspect({ method, params }: McpRound["requests"][number]): Asked | McpElicitResult {
    if (method !== "elicitation/create") refuse("this client has declared elicitation only.");
    const read = readElicitation(params);
    if (!read.ok) refuse(read.reason);
    const inspection = inspectElicitation(read.value, { supports, showUnanswerable });
    if (inspection.verdict === "ask") {
      const { isBlocked } = inspection;
      return { elicitation: read.value, isBlocked, page: cards.pageOf(read.value) };
    }
    return inspection.why === "secret" ? { action: "decline" } : refuse(inspection.reason);
  }

  return {
    async answer({ requests, requestState }, isWhole) {
      rounds += 1;
      if (rounds > MAX_ROUNDS) refuse(`it has asked in ${MAX_ROUNDS} rounds already.`);
      const state = requestState === undefined ? {} : { requestState };
      if (requests.length === 0) {
        await sleep(clock, STATE_ONLY_PAUSE_MS);
        return state;
      }
      questions += requests.length;
      if (questions > MAX_QUESTIONS) refuse(`it has asked ${MAX_QUESTIONS} questions already.`);

      const inspected = requests.map((request) => ({ key: request.key, asked: inspect(request) }));
      const fresh = inspected.flatMap(({ asked }) => (isAsked(asked) && !asked.page ? [asked] : []));
      const pages = inspected.flatMap(({ asked }) => (isAsked(asked) && asked.page ? [asked.page] : []));
      if (isWhole) cards.completeAllBut(pages);
      const round = cards.askRound(fresh.map(({ elicitation }) => elicitation));
      const cardOf = new Map(fresh.map((asked, index) => [asked, round[index]]));
      // There are no new questions: the round only waits for pages that the user agreed to open.
      if (fresh.length === 0 && pages.length > 0) await cards.untilNextLook(pages);

      const answers = inspected.map(async ({ key, asked }) => {
        if (!isAsked(asked)) return [key, asked] as const;
        const card = cardOf.get(asked) ?? asked.page;
        return [
          key,
          card === undefined ? { action: "cancel" as const } : await answerOf(card, asked.isBlocked),
        ] as const;
      });
      return { inputResponses: Object.fromEntries(await Promise.all(answers)), ...state };
    },
  };
}

interface Asked {
  readonly elicitation: McpElicitation;
  readonly isBlocked: boolean;
  /** The card of the same page, if an earlier round asked for it. */
  readonly page: Card | undefined;
}

function isAsked(value: Asked | McpElicitResult): value is Asked {
  return "elicitation" in value;
}
