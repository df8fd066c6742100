import type { SurfaceAnswerResult, SurfaceTurn } from "../../runtime/core/index.ts";
import { readElicitResult } from "../translate.ts";

/** The result of an answer. */
export type Taken =
  /** The answer was recorded, or arrived too late. */
  | { readonly kind: "done" }
  /** The person has agreed to open the page that stands for the request. */
  | { readonly kind: "opened" }
  /** Ask again. `note` is for the person. `refused`: the answer was invalid. */
  | { readonly kind: "again"; readonly note: string; readonly refused: boolean };

/** How many invalid answers cancel the request. */
export const MAX_REFUSALS = 3;

/** Passes the answer of a client on to the runtime. `result` is untrusted. */
export async function takeAnswer(
  turn: Pick<SurfaceTurn, "answer">,
  elicitationId: string,
  as: "form" | "url" | "page",
  result: unknown,
): Promise<Taken> {
  const read = readElicitResult(result);
  if (!read.ok) return { kind: "again", note: "The last answer could not be read.", refused: true };
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
    const reasons = taken.errors
      .slice(0, 10)
      .map(({ field, message }) => `${field || "The answer"} ${message}`);
    return { kind: "again", note: `Please check: ${reasons.join("; ")}.`, refused: true };
  }
  if (taken?.kind === "limited") {
    const note = `Too many answers at once. Please answer again in ${taken.retryAfter} seconds.`;
    return { kind: "again", note, refused: false };
  }
  return { kind: "done" };
}
