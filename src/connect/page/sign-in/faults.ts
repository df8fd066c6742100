import type { ElicitationRecord } from "../../../runtime/internal.ts";
import type { PageWords } from "../../../words/page/en.ts";
import { type AccountFault, codeOf } from "../../ports/connector.ts";
import { ON_PAGE, type PageContext } from "../context.ts";

/** Why an attempt to connect failed, as the record keeps it. */
type Fault = Pick<AccountFault, "reason" | "code">;

const REASONS: readonly AccountFault["reason"][] = [
  "not-connected",
  "denied",
  "not-set-up",
  "not-approved",
  "unavailable",
];

/** Writes the failure of an attempt to connect `service` to the record. */
export async function recordFault(
  { elicitations }: Pick<PageContext, "elicitations">,
  elicitationId: string,
  { fault: { reason, code }, service, words }: { fault: Fault; service: string; words: PageWords },
): Promise<void> {
  const cause: Fault = { reason, code: codeOf(code) };
  await elicitations.fail(elicitationId, inWords(cause, service, words), { ...ON_PAGE, cause });
}

/** The failure of the last attempt. `isCancelled`: by the user themself, at the service. */
export function lastFailure(
  { lastError, lastErrorCause }: Pick<ElicitationRecord, "lastError" | "lastErrorCause">,
  service: string,
  words: PageWords,
): { readonly text: string; readonly isCancelled: boolean } | undefined {
  if (lastError === undefined) return undefined;
  const reason = REASONS.find((one) => one === lastErrorCause?.reason);
  return reason === undefined
    ? { text: lastError, isCancelled: false }
    : {
        text: inWords({ reason, code: lastErrorCause?.code }, service, words),
        isCancelled: reason === "denied",
      };
}

function inWords({ reason, code }: Fault, service: string, { failures }: PageWords): string {
  if (reason === "not-set-up") return failures.notSetUp(service);
  if (reason === "not-approved") return failures.notApproved(service);
  if (reason === "denied") return failures.denied(service);
  if (reason === "not-connected") {
    return code === undefined ? failures.notConnected(service) : failures.notConnectedCode(service, code);
  }
  return code === undefined ? failures.unreachable(service) : failures.code(service, code);
}
