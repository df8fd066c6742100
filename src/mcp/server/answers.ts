import type { SurfaceAnswerResult, SurfaceTurn } from "../../runtime/core/index.ts";
import { readElicitResult } from "../../protocol/elicit-result.ts";
import { UNREADABLE_NOTE, invalidNote } from "../../protocol/invalid-answer.ts";

/** The result of an answer. */
export type Taken =
  /** The answer was recorded, or arrived too late. */
  | { readonly kind: "done" }
  /** The person has agreed to open the page that stands for the request. */
  | { readonly kind: "opened" }
  /** Ask again. `note` is for the person. `refused`: the answer was invalid. */
  | { readonly kind: "again"; readonly note: string; readonly refused: boolean };

/** Passes the answer of a client on to the runtime. `result` is untrusted. */
export async function takeAnswer(
  turn: Pick<SurfaceTurn, "answer">,
  elicitationId: string,
  as: "form" | "url" | "page",
  result: unknown,
): Promise<Taken> {
  const read = readElicitResult(result);
  if (!read.ok) return { kind: "again", note: UNREADABLE_NOTE, refused: true };
  const { action, content } = read.value;
  if (as === "page" && action === "accept") return { kind: "opened" };
  const [taken] = await turn.answer([
    as === "form" && content !== undefined
      ? { elicitationId, action, content }
      : { elicitationId, action, ...(as === "url" && { acceptMeans: "consent" }) },
  ]);
  return kindOf(taken);
}

function kindOf(taken: SurfaceAnswerResult | undefined): Taken {
  if (taken?.kind === "invalid") {
    return { kind: "again", note: invalidNote(taken.errors), refused: true };
  }
  if (taken?.kind === "limited") {
    const note = `Too many answers at once. Please answer again in ${taken.retryAfter} seconds.`;
    return { kind: "again", note, refused: false };
  }
  return { kind: "done" };
}
