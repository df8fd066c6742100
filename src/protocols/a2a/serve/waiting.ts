import { firstCharacters } from "../../../contract/first-characters.ts";
import { MAX_ATTEMPTS } from "../../../contract/invalid-answer.ts";
import type { ElicitationRequest } from "../../../contract/contract.ts";
import type { Runtime } from "../../../runtime/index.ts";
import { type SupportedModes, type SurfaceTurn, present } from "../../../runtime/internal.ts";
import { type A2aExtended, type A2aQuestion, writeQuestions } from "../wire/translate.ts";
import { formInWords } from "./words.ts";
import { KitError } from "../../../contract/kit-error.ts";

/** Requests in one status. */
const MAX_BATCH = 10;
/** The contract's limit for a message, in code points. */
const MAX_MESSAGE_LENGTH = 8192;

/** An open request, as the client of a task is asked it. */
export interface Asked {
  readonly request: ElicitationRequest;
  /** Its id is that of the request, with a number after the first attempt at a form. */
  readonly question: A2aQuestion;
  readonly link: string | undefined;
}

export interface AskedOptions {
  readonly turn: Pick<SurfaceTurn, "open">;
  readonly elicitations: Pick<Runtime["elicitations"], "get" | "linkFor">;
  /** How the user of this task can be asked. */
  readonly modes: SupportedModes;
}

/** What a turn waits for now. */
export interface OpenQuestions {
  /**
   * What its task asks for: the oldest open requests, as far as they have the mode of the first one. So nothing that was
   * asked disappears from a status before it has ended, although a task has one state.
   */
  readonly asked: readonly Asked[];
  /** Requests that a client of this kind cannot be asked. */
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

/** A form whose last answer was not valid says why, and which attempt this is. */
function messageOfForm({ message, progress }: ElicitationRequest, attempts: number): string {
  const problem = progress?.status === "pending" ? progress.lastError : undefined;
  if (problem === undefined) return message;
  const said = `${message}\n\n${problem} (${attempts + 1} of ${MAX_ATTEMPTS})`;
  return firstCharacters(said, MAX_MESSAGE_LENGTH);
}
