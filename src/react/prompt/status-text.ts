import { isOpen } from "../../client/index.ts";
import type { BoundElicitation } from "../bound-elicitation.ts";
import { isolate } from "../isolate.ts";
import type { Catalogue } from "../catalogues/catalogue.ts";

/** Whether nothing can be done any more: the server has said so, or does not know the request. */
export function isOver(elicitation: BoundElicitation): boolean {
  return !isOpen(elicitation);
}

/** Whether it is over though nobody answered. */
export function isMissed({ status }: BoundElicitation): boolean {
  return status === "expired" || status === "withdrawn" || status === "failed" || status === "gone";
}

/** What the ended card says. */
export function receiptText(
  { request, status, notice, reason }: BoundElicitation,
  m: Catalogue,
): string | undefined {
  switch (status) {
    case "failed":
      // The only end that takes explaining; the server's words are in its own language.
      return joined(m.receipt(request.mode, status), reason);
    case "accepted":
    case "declined":
    case "cancelled":
    case "expired":
    case "withdrawn":
    case "gone":
      return joined(
        m.receipt(request.mode, status),
        notice?.code === "answered-elsewhere" ? m.notices["answered-elsewhere"] : undefined,
      );
    default:
      return undefined;
  }
}

/** What went wrong last, or what is kept, on a card that is open. */
export function noticeText({ status, notice }: BoundElicitation, m: Catalogue): string | undefined {
  if (status === "answered") return m.held;
  // The client's own sentence about a failed call is for developers; what people can do stands in the catalogue.
  const detail = notice?.code === "provider-error" || notice?.code === "refused" ? notice.detail : undefined;
  return notice && joined(m.notices[notice.code], detail);
}

/** What the person waits for while a page is open. */
export function waitingText({ window, checking }: BoundElicitation, m: Catalogue): string {
  return checking === true && window === "closed" ? m.checking : m.waiting[window ?? "elsewhere"];
}

/** The one sentence that tells a change of the card to people who do not see it. */
export function statusText(elicitation: BoundElicitation, m: Catalogue): string | undefined {
  if (elicitation.status === "submitting") return m.submitting;
  const told = receiptText(elicitation, m) ?? noticeText(elicitation, m);
  return told ?? (elicitation.status === "opened" ? waitingText(elicitation, m) : undefined);
}

function joined(sentence: string, detail: string | undefined): string {
  return detail === undefined ? sentence : `${sentence} ${isolate(detail)}`;
}
