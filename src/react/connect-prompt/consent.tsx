import { type SyntheticEvent, useRef, useState } from "react";
import type { AccountReport } from "../../client/elicitation.ts";
import { purposeOf } from "../../contract/contract.ts";
import type { BoundElicitation } from "../bound-elicitation.ts";
import { isolate } from "../isolate.ts";
import { withIcon } from "../prompt/icon.tsx";
import { receiptView } from "../prompt/parts.tsx";
import { useLoaded } from "../use-loaded.ts";
import { drawView, type PartRender } from "../view.ts";
import type { ConnectShared } from "./context.ts";

const fetchAccount = () => import("./account.tsx");

/**
 * The receipt of a connected account. It opens to the time, and to the rights with a button that removes the account. Where
 * the server does not offer that: to the page where the user sees and removes all accounts. `undefined` if the operator has no
 * such page, or if the card is in another product's chat.
 */
export function useConsentView(shared: ConnectShared): PartRender | undefined {
  const { elicitation, catalogue } = shared;
  const [isOpen, setOpen] = useState(false);
  const [report, setReport] = useState<AccountReport>();
  const isRemoved = report?.connected === false;
  // Without it, the link to the accounts page remains.
  const [loaded, load] = useLoaded(fetchAccount);
  const summary = useRef<HTMLElement>(null);
  const page = accountsPageOf(elicitation);
  const receipt = receiptView(shared);
  if (page === undefined || receipt === undefined) return undefined;
  const { removed, manage } = catalogue.consent;
  const service = isolate(serviceOf(elicitation.request) ?? page.host);
  const heading = isRemoved
    ? { state: {}, props: { children: withIcon("no", <strong>{removed(service)}</strong>) } }
    : receipt;
  const children = (
    <>
      {drawView({ ...heading, tag: "summary", ref: summary }, "elicit-receipt")}
      <div>
        {isOpen && typeof loaded === "object" && (
          <loaded.Account shared={shared} service={service} report={report} onReport={onReport} />
        )}
        {report?.connected !== true && (
          <a className="elicit-link-button" href={page.href} target="_blank" rel="noopener">
            {manage}
          </a>
        )}
      </div>
    </>
  );
  function onReport(next: AccountReport): void {
    setReport(next);
    if (next.connected) return;
    // The button with the focus goes. Without this, keyboard users would start again at the top of the page.
    const own = summary.current;
    if (own?.parentElement?.contains(own.ownerDocument.activeElement) === true) own.focus();
  }
  function onToggle({ currentTarget }: SyntheticEvent<HTMLDetailsElement>): void {
    setOpen(currentTarget.open);
    if (currentTarget.open) load();
  }
  return { tag: "details", state: {}, props: { onToggle, children } };
}

/** Only the operator's own page has an `opener`, and it knows the user without the chat's window only if it works by link. */
function accountsPageOf({ request, status, opener }: BoundElicitation): URL | undefined {
  if (request.mode !== "url" || status !== "accepted" || opener === undefined) return undefined;
  if (purposeOf(request) !== "connect" || request.context?.["worksByLink"] !== true) return undefined;
  const { origin, pathname } = new URL(request.url);
  return pathname === "/auth/connect" ? new URL("/auth/accounts", origin) : undefined;
}

const serviceOf = (request: BoundElicitation["request"]): string | undefined =>
  request.mode === "url" ? request.service?.name : undefined;
