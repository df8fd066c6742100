import { firstCharacters } from "../../../src/contract/visible-text.ts";
import { MAX_ATTEMPTS } from "../../../src/contract/elicit-result.ts";
import type { ElicitationRequest } from "../../../src/contract/contract.ts";
import type { Runtime } from "../../../src/runtime/index.ts";
import { type SupportedModes, type SurfaceTurn, present } from "../../../src/runtime/internal.ts";
import { type A2aExtended, type A2aQuestion, writeQuestions } from "../../../src/a2a/wire/translate.ts";
import { formInWords } from "./words.ts";
import { KitError } from "../../../src/contract/kit-error.ts";

/** The largest number of requests in one status. */
const MAX_BATCH = 10;
/** The contract's limit for a message, in code points. */
const MAX_MESSAGE_LENGTH = 8192;

/** An open request, in the form that the client of a task gets. */
export interface Asked {
  readonly request: ElicitationRequest;
  /** Its id is the id of the request, with a number after the first attempt at a form. */
  readonly question: A2aQuestion;
  readonly link: string | undefined;
}

export interface AskedOptions {
  readonly turn: Pick<SurfaceTurn, "open">;
  readonly elicitations: Pick<Runtime["elicitations"], "get" | "linkFor">;
  /** How the user of this task can be asked. */
  readonly modes: SupportedModes;
}

/** The open requests of a turn. */
export interface OpenQuestions {
  /**
   * The requests in the status of the task: the oldest open ones that have the mode of the first. A task has only one
   * state, and this way a request stays in its status until it has ended.
   */
  readonly asked: readonly Asked[];
  /** Requests that a client of this kind cannot show. */
  readonly refused: readonly { readonly elicitationId: string; readonly reason: string }[];
}

export async function questionsOf({ turn, elicitations, modes }: AskedOptions): Promise<OpenQuestions> {
  const asked: Asked[] = [];
  const refused: { elicitationId: string; reason: string }[] = [];
  for (const request of await turn.open()) {
    const { elicitationId } = request;
    const link = elicitations.linkFor(elicitationId);
    const how = present(request, { modes, link, showsLinks: false });
    if (how.as === "refused") refused.push({ elicitationId, reason: how.reason });
    else if (how.as === "form" && request.mode === "form") {
      const { attempts = 0 } = (await elicitations.get(elicitationId)) ?? {};
      const id = attempts === 0 ? elicitationId : `${elicitationId}.${attempts + 1}`;
      const { requestedSchema } = request;
      const message = messageOfForm(request, attempts);
      asked.push({ request, link, question: { elicitationId: id, mode: "form", message, requestedSchema } });
    } else if (how.as === "url") {
      const { message } = request;
      asked.push({ request, link, question: { elicitationId, mode: "url", message, url: how.url } });
    }
  }
  const other = asked.findIndex(({ question }) => question.mode !== asked[0]?.question.mode);
  return { asked: asked.slice(0, other === -1 ? MAX_BATCH : Math.min(other, MAX_BATCH)), refused };
}

/** The status message of a waiting task. Without the extension, it only has text. */
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

/** After an invalid answer, the form says why it was invalid, and counts the attempt. */
function messageOfForm({ message, progress }: ElicitationRequest, attempts: number): string {
  const problem = progress?.status === "pending" ? progress.lastError : undefined;
  if (problem === undefined) return message;
  const said = `${message}\n\n${problem} (${attempts + 1} of ${MAX_ATTEMPTS})`;
  return firstCharacters(said, MAX_MESSAGE_LENGTH);
}
