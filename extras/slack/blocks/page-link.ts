import { inspectUrl } from "../../../src/contract/inspect-url.ts";
import { purposeOf, type UrlElicitationRequest } from "../../../src/contract/contract.ts";
import type { Catalogue } from "../../../src/words/cards/catalogue.ts";

/**
 * The page of a URL request, and the facts that a user must know before opening it. `unsafe`: no user may be sent there.
 */
export type PageLink =
  | {
      readonly ok: true;
      readonly href: string;
      readonly label: string;
      readonly notes: readonly string[];
      /** Whether it is the operator's own page. */
      readonly isOwn: boolean;
    }
  | { readonly ok: false; readonly because: "unsafe"; readonly notes: readonly string[] };

/** Slack refuses the whole message for a link of more than 3,000 characters. */
const LONGEST_LINK = 3000;

/** `onPage` is the link to the request on the operator's own page. */
export function readPageLink(
  request: UrlElicitationRequest,
  catalogue: Catalogue,
  onPage?: string,
): PageLink {
  const { url, progress } = request;
  const purpose = purposeOf(request);
  const { verdict, tier, imitates, href, reasons } = inspectUrl(url);
  const why = [
    ...(imitates === undefined ? [] : [catalogue.imitates(imitates)]),
    ...reasons.map((reason) => catalogue.urlReasons[reason]),
  ];
  if (verdict === "block" || href.length > LONGEST_LINK) {
    return { ok: false, because: "unsafe", notes: [sentences([catalogue.blockedUrl, ...why])] };
  }
  const { host, origin } = new URL(href);
  const isOwn = onPage !== undefined && new URL(onPage).origin === origin;
  const hasFailed = progress?.status === "pending";
  const isUnderWay = progress !== undefined && !hasFailed;
  // The operator's own page has its own text: "You cancelled at Tracker."
  const problem = [
    isOwn && progress?.lastError ? "" : catalogue.notices["provider-error"],
    progress?.lastError,
  ];
  const failed = hasFailed ? [problem.filter(Boolean).join(" ")] : [];
  const waiting = isUnderWay ? [catalogue.waitingFor(host, purpose)] : [];
  // For a local address, the message states a fact without a warning.
  const local = `${catalogue.link(host)} · ${catalogue.urlReasons["loopback-http"]}`;
  const first =
    tier === "danger"
      ? catalogue[purpose === "connect" ? "connectAnyway" : "openAnyway"]
      : catalogue[purpose];
  return {
    ok: true,
    href,
    isOwn,
    label: isUnderWay ? catalogue.openAgain : hasFailed ? catalogue.tryAgain : first,
    notes: [...failed, ...waiting, tier === "note" ? local : sentences([catalogue.link(host), ...why])],
  };
}

/** Some texts of the catalogue end with a full stop, and some do not. */
const sentences = (parts: readonly string[]): string =>
  parts.map((part) => (/[.。۔]$/.test(part) ? part : `${part}.`)).join(" ");
