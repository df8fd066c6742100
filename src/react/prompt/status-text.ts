import { isOpen } from "../../client/index.ts";
import type { BoundElicitation } from "../bound-elicitation.ts";
import { isolate } from "../isolate.ts";
import type { Catalogue } from "../catalogues/catalogue.ts";

/** Whether it has ended, or the server does not know it. */
export function isOver(elicitation: BoundElicitation): boolean {
  return !isOpen(elicitation);
}

/** Whether it ended unanswered. */
export function isMissed({ status }: BoundElicitation): boolean {
  return status === "expired" || status === "withdrawn" || status === "failed" || status === "gone";
}

/** The receipt of an ended request. */
export function receiptText(
  { request, status, notice, reason }: BoundElicitation,
  m: Catalogue,
): string | undefined {
  switch (status) {
    case "failed":
      // Only a failure needs the server's reason, which may be in another language.
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

/** The notice of an open request: what went wrong last, or that the answer is kept. */
export function noticeText({ status, notice }: BoundElicitation, m: Catalogue): string | undefined {
  if (status === "answered") return m.held;
  // The client's own message about a failed call is for developers.
  const detail = notice?.code === "provider-error" || notice?.code === "refused" ? notice.detail : undefined;
  return notice && joined(m.notices[notice.code], detail);
}

/** What the card waits for while a page is open. */
export function waitingText({ window, checking }: BoundElicitation, m: Catalogue): string {
  return checking === true && window === "closed" ? m.checking : m.waiting[window ?? "elsewhere"];
}

/** The sentence that is announced when the card changes. */
export function statusText(elicitation: BoundElicitation, m: Catalogue): string | undefined {
  if (elicitation.status === "submitting") return m.submitting;
  const told = receiptText(elicitation, m) ?? noticeText(elicitation, m);
  return told ?? (elicitation.status === "opened" ? waitingText(elicitation, m) : undefined);
}

function joined(sentence: string, detail: string | undefined): string {
  return detail === undefined ? sentence : `${sentence} ${isolate(detail)}`;
}
