import { isElicitationContent } from "../../protocol/elicit-result.ts";
import { isObject } from "../../protocol/json.ts";
import { MAX_REFUSALS, UNREADABLE_NOTE } from "../../protocol/invalid-answer.ts";
import type { Runtime, SupportedModes, SurfaceAnswer, SurfaceTurn } from "../../runtime/core/index.ts";
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

export interface AnswersOptions extends Pick<Runtime["elicitations"], "get" | "fail"> {
  /** The modes that the clients can show. Of another request they only know whether the person has finished. */
  readonly shows: SupportedModes;
}

export function createAnswers({ get, fail, shows }: AnswersOptions): Answers {
  async function takeOne(turn: SurfaceTurn, given: AgUiAnswer): Promise<void> {
    const { elicitationId, content } = given;
    const open = await turn.open();
    const request = open.find((other) => other.elicitationId === elicitationId);
    if (request === undefined) return;
    const isShown = shows[request.mode];
    const action = !isShown && isDenial(given) ? "decline" : given.action;
    // The answer page has the answer, once there is one.
    if (!isShown && request.mode === "form" && action === "accept") return;
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

/** How clients deny a confirmation. */
function isDenial({ content }: AgUiAnswer): boolean {
  return isObject(content) && content["approved"] === false;
}
