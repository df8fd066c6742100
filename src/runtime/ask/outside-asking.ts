import { newId } from "../../base/ids.ts";
import type { ElicitationResult, Question, TurnScope } from "./question.ts";
import type { QuestionChanged } from "./new-request.ts";
import { type AskingOptions, type AskingTurn, TurnQuestions } from "./turn-questions.ts";

/** Asks in routes that run their own agent. */
export interface OutsideAsking {
  ask(scope: TurnScope, question: Question): Promise<ElicitationResult>;
  /** Withdraws all open requests. */
  end(reason: string): Promise<void>;
}

const runOnce: AskingTurn["recorder"] = {
  ask: ({ elicitationId = newId() }, ask) => ask({ elicitationId, isNew: true, isOpen() {} }),
  hold: (run) => run(),
};

const rethrow = (error: QuestionChanged): never => {
  throw error;
};

const withdrawn = async (): Promise<ElicitationResult> => ({ outcome: "withdrawn" });

export function createOutsideAsking(options: AskingOptions): OutsideAsking {
  const open = new Map<AbortController, Promise<unknown>>();
  /** The open turns, each with the number of its open questions. */
  const turns = new Map<string, { readonly questions: TurnQuestions; open: number }>();
  let hasEnded = false;
  return {
    async ask(scope, question) {
      if (hasEnded) return withdrawn();
      // One controller per question, because a shared, long-lived signal would keep a reference to every question.
      const end = new AbortController();
      const turn = turns.get(scope.turnId) ?? {
        questions: new TurnQuestions({ scope: undefined, recorder: runOnce, onChanged: rethrow }, options),
        open: 0,
      };
      turn.open += 1;
      turns.set(scope.turnId, turn);
      const signal = AbortSignal.any([scope.signal, end.signal]);
      const [asked = withdrawn()] = turn.questions.open([question], { ...scope, signal }).values();
      open.set(end, asked);
      try {
        return await asked;
      } finally {
        open.delete(end);
        turn.open -= 1;
        if (turn.open === 0) turns.delete(scope.turnId);
      }
    },
    async end(reason) {
      hasEnded = true;
      const asked = [...open.values()];
      for (const end of open.keys()) end.abort(new DOMException(reason, "AbortError"));
      await Promise.allSettled(asked);
    },
  };
}
