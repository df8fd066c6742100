import { newId } from "../../base/ids.ts";
import type { Question, Turn } from "../../runtime/index.ts";
import type { ElicitationResult } from "../../runtime/internal.ts";

/** The parts of a turn that a tool call needs to ask. */
export type AskingTurn = Pick<Turn, "supports" | "ask" | "askRound" | "runner">;

/**
 * Wraps a turn so that a server gets each answer to a form once. When the turn runs again after a crash, its open call is
 * repeated, and the server asks again. If the server had already got the answer, it may have acted on it. It does not get
 * the answer again, and `onRepeated` is called. `callId`: the id of the call, which stays the same when the turn runs
 * again.
 */
export function withAnswersOnce(turn: Turn, callId: string, onRepeated: () => void): AskingTurn {
  async function isFirst({ elicitationId = "" }: Question): Promise<boolean> {
    const mark = newId();
    const first = await turn.runner.tool(
      { id: `${callId}/answer/${elicitationId}`, name: "answer" },
      async () => mark,
    );
    return first === mark;
  }

  async function handOver(question: Question, result: ElicitationResult): Promise<void> {
    const isToAct = question.mode === "form" && result.outcome === "accepted";
    if (isToAct && !(await isFirst(question))) onRepeated();
    else question.onResult?.(result);
  }

  const once = (question: Question): Question => ({
    ...question,
    // The server must not act on an answer before it is recorded.
    onResult: (result) => void handOver(question, result).catch(onRepeated),
  });

  return {
    supports: turn.supports,
    runner: turn.runner,
    ask: (question) => turn.ask(once(question)),
    askRound: (questions) => turn.askRound(questions.map(once)),
  };
}
