import type { Asking, TurnScope } from "../elicitation/asking.ts";
import type { ElicitationResult, Question } from "../elicitation/question.ts";
import type { TurnRunner } from "../ports.ts";
import { newId } from "../shared/ids.ts";
import { isLetGo, never } from "../shared/let-go.ts";
import type { TurnInput } from "./turn-input.ts";

/** Asks the person of a turn, with ids that are the same when the turn runs again. */
export interface TurnAsking {
  ask(question: Question): Promise<ElicitationResult>;
  askRound(questions: readonly Question[]): readonly Promise<ElicitationResult>[];
  /** Resolves when nothing that was asked until now is waited for any more. */
  settled(): Promise<void>;
}

export function createTurnAsking(options: {
  id: string;
  input: TurnInput;
  signal: AbortSignal;
  runner: Pick<TurnRunner, "step">;
  asking: Asking;
}): TurnAsking {
  const { id, input, signal, runner, asking } = options;
  const open = new Set<Promise<unknown>>();

  /** `undefined`: nobody is to be asked any more. */
  function scope(): TurnScope | undefined {
    const { surface, conversationId, user, chatOrigin, returnUrl } = input;
    if (user === undefined || signal.aborted) return undefined;
    return { turnId: id, surface, conversationId, user, chatOrigin, returnUrl, signal };
  }

  const unasked = (): Promise<ElicitationResult> =>
    isLetGo(signal) ? never() : Promise.resolve({ outcome: "withdrawn" });

  const newStepId = (what: string) => runner.step(what, async () => newId());

  async function withId(question: Question): Promise<Question> {
    const elicitationId = question.elicitationId ?? (await newStepId("elicitation id"));
    return { ...question, elicitationId, expiresInMs: question.expiresInMs ?? input.expiresInMs };
  }

  function track(asked: Promise<ElicitationResult>): Promise<ElicitationResult> {
    open.add(asked);
    return asked.finally(() => open.delete(asked));
  }

  async function askOne(question: Question): Promise<ElicitationResult> {
    const whole = await withId(question);
    const owner = scope();
    return owner === undefined ? unasked() : asking.ask(owner, whole);
  }

  async function beginRound(questions: readonly Question[]) {
    const whole: Question[] = [];
    // One after another: steps are numbered in their order.
    for (const question of questions) whole.push(await withId(question));
    const roundId = await newStepId("round id");
    const owner = scope();
    return owner === undefined ? [] : asking.askRound(owner, whole, roundId);
  }

  return {
    ask: (question) => (scope() === undefined ? unasked() : track(askOne(question))),
    askRound(questions) {
      if (scope() === undefined) return questions.map(unasked);
      const begun = beginRound(questions);
      return questions.map((_, index) => track(begun.then((round) => round[index] ?? unasked())));
    },
    settled: async () => void (await Promise.allSettled(open)),
  };
}
