import { isElicitationContent } from "../../protocol/elicit-result.ts";
import { MAX_REFUSALS, UNREADABLE_NOTE } from "../../protocol/invalid-answer.ts";
import type { Runtime, SurfaceAnswer, SurfaceTurn } from "../../runtime/core/index.ts";
import { attemptsAt } from "../../runtime/core/internal.ts";
import { type AgUiAnswer, readResumeEntry } from "../translate.ts";

/** Takes the answers of a run with `resume`. */
export interface Answers {
  /**
   * Takes each answer once. Entries for questions of other turns, or of none, are ignored. What is wrong with an answer is
   * kept with its request, for every process. Returns the position in the log that the client has read.
   */
  take(turn: SurfaceTurn, resume: readonly unknown[]): Promise<number | undefined>;
}

export function createAnswers({ get, fail }: Pick<Runtime["elicitations"], "get" | "fail">): Answers {
  async function takeOne(turn: SurfaceTurn, { elicitationId, action, content }: AgUiAnswer): Promise<void> {
    const open = await turn.open();
    const request = open.find((other) => other.elicitationId === elicitationId);
    if (request === undefined) return;
    const answer: SurfaceAnswer = { elicitationId, action };
    let problem: string | undefined;
    if (action === "accept" && request.mode === "form") {
      if (isElicitationContent(content)) answer.content = content;
      else problem = UNREADABLE_NOTE;
    }
    if (problem === undefined) {
      const [result] = await turn.answer([answer]);
      if (result?.kind !== "invalid") return;
      problem = result.errors.map(({ field, message }) => `${field}: ${message}`).join("\n");
    }
    const record = await get(elicitationId);
    const isLast = record !== undefined && attemptsAt(record) + 1 >= MAX_REFUSALS;
    if (isLast) await turn.answer([{ elicitationId, action: "cancel" }]);
    else await fail(elicitationId, problem);
  }

  return {
    async take(turn, resume) {
      const read = resume.flatMap((entry) => readResumeEntry(entry) ?? []);
      const first = new Map<string, AgUiAnswer>();
      for (const answer of read)
        if (!first.has(answer.elicitationId)) first.set(answer.elicitationId, answer);
      for (const answer of first.values()) await takeOne(turn, answer);
      const positions = read.flatMap(({ after }) => after ?? []);
      return positions.length === 0 ? undefined : Math.max(...positions);
    },
  };
}
