import type { ElicitationContent, ElicitationRequest } from "../../protocol/contract.ts";
import { isObject } from "../../protocol/json.ts";
import type { SurfaceAnswer, SurfaceTurn } from "../../runtime/core/index.ts";
import { type AgUiAnswer, readResumeEntry } from "../translate.ts";

/** How many invalid answers one question may get. */
const MAX_ATTEMPTS = 3;
/** For how many questions invalid answers are counted. */
const MAX_REMEMBERED = 1000;

/** Takes the answers of runs with `resume`. */
export interface Answers {
  /**
   * Takes each answer once. Entries for questions of other turns, or of none, are ignored. Returns the position in the
   * log that the client has read.
   */
  take(turn: SurfaceTurn, resume: readonly unknown[]): Promise<number | undefined>;
  /** The message of a request, with what was wrong with the last answer. */
  messageOf(request: ElicitationRequest): string;
}

export function createAnswers(): Answers {
  const problems = new Map<string, { attempts: number; text: string }>();

  function remember(elicitationId: string, text: string): number {
    const attempts = (problems.get(elicitationId)?.attempts ?? 0) + 1;
    problems.delete(elicitationId);
    problems.set(elicitationId, { attempts, text });
    for (const oldest of problems.keys()) {
      if (problems.size <= MAX_REMEMBERED) break;
      problems.delete(oldest);
    }
    return attempts;
  }

  async function takeOne(turn: SurfaceTurn, { elicitationId, action, content }: AgUiAnswer): Promise<void> {
    const open = await turn.open();
    const request = open.find((other) => other.elicitationId === elicitationId);
    if (request === undefined) return;
    const answer: SurfaceAnswer = { elicitationId, action };
    let problem: string | undefined;
    if (action === "accept" && request.mode === "form") {
      if (isContent(content)) answer.content = content;
      else problem = "The last answer could not be read.";
    }
    if (problem === undefined) {
      const [result] = await turn.answer([answer]);
      if (result?.kind !== "invalid") {
        if (result?.kind !== "limited") problems.delete(elicitationId);
        return;
      }
      problem = result.errors.map(({ field, message }) => `${field}: ${message}`).join("\n");
    }
    if (remember(elicitationId, problem) < MAX_ATTEMPTS) return;
    problems.delete(elicitationId);
    await turn.answer([{ elicitationId, action: "cancel" }]);
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
    messageOf({ elicitationId, message }) {
      const problem = problems.get(elicitationId);
      return problem === undefined ? message : `${message}\n\n${problem.text}`;
    },
  };
}

function isContent(content: unknown): content is ElicitationContent {
  return (
    isObject(content) &&
    Object.values(content).every((value) =>
      Array.isArray(value)
        ? value.every((entry) => typeof entry === "string")
        : ["string", "boolean", "number"].includes(typeof value),
    )
  );
}
