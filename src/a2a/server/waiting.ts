import { parseRequestedSchema } from "../../form/index.ts";
import { asksForNamedSecret } from "../../form/secrets.ts";
import type { ElicitationRequest } from "../../protocol/contract.ts";
import type { Runtime, SupportedModes, SurfaceTurn } from "../../runtime/core/index.ts";
import { attemptsAt } from "../../runtime/core/internal.ts";
import { type A2aExtended, type A2aQuestion, writeQuestions } from "../translate.ts";
import { formInWords } from "./words.ts";
import { KitError } from "../../protocol/kit-error.ts";

/** How often a form is asked when its answers are invalid. */
export const MAX_ATTEMPTS = 3;

/** Requests in one status. */
const MAX_BATCH = 10;
/** The contract's limit for a message, in code points. */
const MAX_MESSAGE_LENGTH = 8192;

/** An open request, as the client of a task is asked it. */
export interface Asked {
  readonly request: ElicitationRequest;
  /** Its id is that of the request, with a number after the first attempt at a form. */
  readonly question: A2aQuestion;
  /** Attempts at a form so far, all of them invalid. */
  readonly attempts: number;
  readonly link: string | undefined;
}

export interface AskedOptions {
  readonly turn: Pick<SurfaceTurn, "open">;
  readonly elicitations: Pick<Runtime["elicitations"], "get" | "linkFor">;
  /** How the person of this task can be asked. */
  readonly modes: SupportedModes;
}

/** What a turn waits for now. */
export interface OpenQuestions {
  /**
   * What its task asks for: the oldest open requests, as far as they have the mode of the first one. So nothing that was
   * asked disappears from a status before it has ended, although a task has one state.
   */
  readonly asked: readonly Asked[];
  /** Requests that a client of this kind must not be asked. */
  readonly refused: readonly ElicitationRequest[];
}

export async function questionsOf({ turn, elicitations, modes }: AskedOptions): Promise<OpenQuestions> {
  const asked: Asked[] = [];
  const refused: ElicitationRequest[] = [];
  for (const request of await turn.open()) {
    const { elicitationId } = request;
    const link = elicitations.linkFor(elicitationId);
    const record = request.mode === "form" ? await elicitations.get(elicitationId) : undefined;
    const attempts = record === undefined ? 0 : attemptsAt(record);
    const question = questionFor(request, { modes, link, attempts });
    if (question === undefined) refused.push(request);
    else asked.push({ request, question, attempts, link });
  }
  const other = asked.findIndex(({ question }) => question.mode !== asked[0]?.question.mode);
  return { asked: asked.slice(0, other === -1 ? MAX_BATCH : Math.min(other, MAX_BATCH)), refused };
}

/** The status message of a task that waits. Without the extension, it has only words. */
export function messageOf(
  asked: readonly Asked[],
  options: { readonly isExtended: boolean; readonly withdrawn: readonly string[] },
): A2aExtended {
  if (options.isExtended) {
    const written = writeQuestions(
      asked.map(({ question }) => question),
      options.withdrawn,
    );
    if (!written.ok)
      throw new KitError(`elicit-kit: a question cannot be asked over A2A: ${written.reason}.`);
    return written.value;
  }
  const text = asked
    .map(({ question, link }) =>
      question.mode === "url"
        ? `${question.message}\n${question.url}`
        : formInWords(question.message, question.requestedSchema, link),
    )
    .join("\n\n");
  return { text, extensions: [], metadata: {} };
}

function questionFor(
  request: ElicitationRequest,
  how: { modes: SupportedModes; link: string | undefined; attempts: number },
): A2aQuestion | undefined {
  const { elicitationId } = request;
  const { modes, link, attempts } = how;
  if (request.mode === "url") {
    if (!modes.url) return undefined;
    return { elicitationId, mode: "url", message: request.message, url: request.url };
  }
  const message = messageWithProblem(request);
  if (modes.form && isShowable(request)) {
    const id = attempts === 0 ? elicitationId : `${elicitationId}.${attempts + 1}`;
    return { elicitationId: id, mode: "form", message, requestedSchema: request.requestedSchema };
  }
  if (!modes.url || link === undefined) return undefined;
  return { elicitationId, mode: "url", message, url: link };
}

function messageWithProblem({ message, progress }: ElicitationRequest): string {
  const problem = progress?.status === "pending" ? progress.lastError : undefined;
  const said = problem === undefined ? message : `${message}\n\n${problem}`;
  return [...said].slice(0, MAX_MESSAGE_LENGTH).join("");
}

/** Whether a form can be shown elsewhere, and asks for no secret: those are typed on a page only. */
function isShowable(request: Extract<ElicitationRequest, { mode: "form" }>): boolean {
  const form = parseRequestedSchema(request.requestedSchema);
  return form.ok && !asksForNamedSecret(form.fields);
}
