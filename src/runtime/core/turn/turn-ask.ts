import type { ElicitationResult, Question, SupportedModes } from "../elicitation/question.ts";

/** Asking within one turn. Nothing of it rejects. */
export interface TurnAsk {
  ask(question: Question): Promise<ElicitationResult>;
  askRound(questions: readonly Question[]): Promise<readonly ElicitationResult[]>;
}

/** What a turn has asked when it ran before, in a process that has died. */
export interface PastAsks {
  /** Calls that have asked: when they are made again, they get their own results. */
  readonly calls: ReadonlySet<string>;
  /** What the person has refused, by {@link refusalKey}. */
  readonly refused: ReadonlyMap<string, ElicitationResult>;
}

/**
 * Decides which questions get a card. What a tool was refused it is not asked for again, whatever the model does, and a
 * connection or page that two calls need at once is asked for once.
 */
export function createTurnAsk(options: {
  supports: SupportedModes;
  ask: (question: Question) => Promise<ElicitationResult>;
  /** Asks as one round: a promise for each question. @default each by itself */
  askRound?: ((questions: readonly Question[]) => readonly Promise<ElicitationResult>[]) | undefined;
  /** A connection is missing and nobody can be asked for it. Once per connection and turn. */
  notify: (notice: { type: "data-tool-auth-required"; data: unknown }) => void;
  /** Of a turn that runs again. */
  past?: PastAsks | undefined;
  onError: (error: unknown) => void;
}): TurnAsk {
  const { askRound = (questions) => questions.map(options.ask) } = options;
  /** Cards of pages that are open, by tool and page. */
  const cards = new Map<string, Promise<ElicitationResult>>();
  const refused = new Map<string, { result: ElicitationResult; toolCallId: string | undefined }>();
  const noticed = new Set<string>();

  function tellOf({ mode, tool, toolCallId, context, message }: Question): void {
    if (mode !== "url" || tool === undefined || toolCallId === undefined) return;
    if (context?.trigger !== "credential_required" || noticed.has(tool.id)) return;
    noticed.add(tool.id);
    const type = "data-tool-auth-required";
    options.notify({ type, data: { type, toolCallId, toolName: tool.name, toolId: tool.id, message } });
  }

  /** How it ends without a card. */
  function resultWithoutCard(question: Question): ElicitationResult | undefined {
    if (!options.supports[question.mode]) {
      tellOf(question);
      const fallback = question.mode === "form" ? question.fallback : undefined;
      return fallback === undefined ? { outcome: "unsupported" } : { outcome: "accepted", content: fallback };
    }
    const { toolCallId } = question;
    const key = refusalKey(question);
    if (key === undefined) return undefined;
    const before = refused.get(key);
    if (before === undefined) {
      const isNewCall = toolCallId !== undefined && options.past?.calls.has(toolCallId) === false;
      return isNewCall ? options.past?.refused.get(key) : undefined;
    }
    // One call may ask for several things and be refused only one of them.
    return toolCallId === undefined || before.toolCallId !== toolCallId ? before.result : undefined;
  }

  async function orFailed(asked: Promise<ElicitationResult>): Promise<ElicitationResult> {
    try {
      return await asked;
    } catch (error) {
      options.onError(error);
      return { outcome: "failed", reason: "the request could not be made" };
    }
  }

  /** For the question that made the card. */
  async function own(question: Question, asked: Promise<ElicitationResult>): Promise<ElicitationResult> {
    const card = orFailed(asked);
    const page = pageKey(question);
    if (page !== undefined) cards.set(page, card);
    const result = await card;
    if (page !== undefined && cards.get(page) === card) cards.delete(page);
    const key = refusalKey(question);
    if (key !== undefined && isRefusal(result)) {
      refused.set(key, { result, toolCallId: question.toolCallId });
    }
    return result;
  }

  async function share(question: Question, card: Promise<ElicitationResult>): Promise<ElicitationResult> {
    const result = await card;
    // Who asked first needs it no more, as an agent that was ended; this call may still.
    return result.outcome === "withdrawn" ? ask(question) : result;
  }

  async function ask(question: Question): Promise<ElicitationResult> {
    const known = resultWithoutCard(question);
    if (known !== undefined) return known;
    const page = pageKey(question);
    const card = page === undefined ? undefined : cards.get(page);
    return card === undefined ? own(question, options.ask(question)) : share(question, card);
  }

  return {
    ask,
    async askRound(questions) {
      const pages = new Set(cards.keys());
      const asked = questions.filter((question) => {
        if (resultWithoutCard(question) !== undefined) return false;
        const page = pageKey(question);
        const isNew = page === undefined || !pages.has(page);
        if (page !== undefined) pages.add(page);
        return isNew;
      });
      const results = asked.length === 0 ? [] : askRound(asked);
      const byQuestion = new Map(asked.map((question, index) => [question, results[index]]));
      return Promise.all(
        questions.map((question) => {
          const result = byQuestion.get(question);
          return result === undefined ? ask(question) : own(question, result);
        }),
      );
    },
  };
}

/** A no is one to the tool, whichever of its pages it was asked for. */
export function refusalKey({ mode, tool }: Pick<Question, "mode" | "tool">): string | undefined {
  return tool === undefined ? undefined : JSON.stringify([mode, tool.id]);
}

/** Pages that are made for a request are one: a connection of the tool. Others are what their URL says. */
function pageKey(question: Question): string | undefined {
  if (question.mode !== "url" || question.tool === undefined) return undefined;
  return JSON.stringify([question.tool.id, typeof question.url === "string" ? question.url : null]);
}

function isRefusal(result: ElicitationResult): boolean {
  return result.outcome === "declined" || result.outcome === "cancelled" || result.outcome === "expired";
}
