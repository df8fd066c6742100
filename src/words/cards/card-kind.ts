import { type ElicitationRequest, type PagePurpose, purposeOf } from "../../contract/contract.ts";

/** The kind of a card, which decides its texts: a form, or the purpose of its page. */
export type CardKind = "form" | PagePurpose;

export function cardKindOf(request: ElicitationRequest): CardKind {
  return request.mode === "form" ? "form" : purposeOf(request);
}
