import { purposeOf } from "../../contract/contract.ts";
import type { BoundElicitation } from "../bound-elicitation.ts";
import { receiptView } from "../prompt/parts.tsx";
import { drawView, type PartRender } from "../view.ts";
import type { ConnectShared } from "./context.ts";

/**
 * The receipt of a connected account. It opens to the time, and to the page where the user sees what the account allows
 * and removes it. `undefined` if the operator has no such page, or if the card is in another product's chat.
 */
export function consentView(shared: ConnectShared): PartRender | undefined {
  const { elicitation, catalogue } = shared;
  const page = accountsPageOf(elicitation);
  const receipt = receiptView(shared);
  if (page === undefined || receipt === undefined) return undefined;
  const { connectedOn, manage } = catalogue.consent;
  const time = new Date(elicitation.request.resolution?.at ?? "");
  const format = new Intl.DateTimeFormat(catalogue.locale, { dateStyle: "medium", timeStyle: "short" });
  const children = (
    <>
      {drawView({ ...receipt, tag: "summary" }, "elicit-receipt")}
      <div>
        {!Number.isNaN(time.getTime()) && (
          <dl>
            <div>
              <dt>{connectedOn}</dt>
              <dd>{format.format(time)}</dd>
            </div>
          </dl>
        )}
        <a className="elicit-link-button" href={page} target="_blank" rel="noopener">
          {manage}
        </a>
      </div>
    </>
  );
  return { tag: "details", state: {}, props: { children } };
}

/** Only the operator's own page has an `opener`, and it knows the user without the chat's window only if it works by link. */
function accountsPageOf({ request, status, opener }: BoundElicitation): string | undefined {
  if (request.mode !== "url" || status !== "accepted" || opener === undefined) return undefined;
  if (purposeOf(request) !== "connect" || request.context?.["worksByLink"] !== true) return undefined;
  const { origin, pathname } = new URL(request.url);
  return pathname === "/auth/connect" ? `${origin}/auth/accounts` : undefined;
}
