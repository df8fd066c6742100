import { newId } from "../../base/ids.ts";
import type { Question, Turn } from "../../runtime/index.ts";
import type { ElicitationResult } from "../../runtime/internal.ts";

/** What a call of a tool needs of its turn to ask. */
export type AskingTurn = Pick<Turn, "supports" | "ask" | "askRound" | "runner">;

/**
 * A turn whose answers to forms reach a server once. When the turn runs again because its process has died, its open call
 * is made again, and the server asks again. If it had got the answer before, it may have acted on it: then it does not get
 * it again, and `onRepeated` is called. `callId`: the id of the call, the same when the turn runs again.
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
    // The server must not act on an answer that is not written down.
    onResult: (result) => void handOver(question, result).catch(onRepeated),
  });

  return {
    supports: turn.supports,
    runner: turn.runner,
    ask: (question) => turn.ask(once(question)),
    askRound: (questions) => turn.askRound(questions.map(once)),
  };
}
