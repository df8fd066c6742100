import { type ElicitationRequest, type PagePurpose, purposeOf } from "../../contract/contract.ts";

/** What the words of a card are about: a form, or what its page is for. */
export type CardKind = "form" | PagePurpose;

export function cardKindOf(request: ElicitationRequest): CardKind {
  return request.mode === "form" ? "form" : purposeOf(request);
}
