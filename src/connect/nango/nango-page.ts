import { html } from "hono/html";
import type { Html } from "../page/layout/html.ts";
import type { PageView } from "../page/layout/layout.ts";
import { alertOf } from "../page/layout/page-parts.ts";
import { type Consent, consentPage } from "../page/connect-page.ts";

/** The page that connects through Nango, with a script and in a separate window. */
export function nangoPage(view: PageView, consent: Consent): Html {
  const cutOpener = consent.cutOpener ? html` data-cut-opener="true"` : "";
  return consentPage(view, consent, {
    module: "/auth/connect-nango.js",
    attributes: html`action="/auth/connect/nango/session" hidden data-nango="true"${cutOpener}`,
    states: nangoStates(view),
  });
}

function nangoStates({ words }: PageView): Html {
  const { starting, waiting, blocked, offline, needsScript } = words.nango;
  return html`<div role="status">
      <p id="nango-starting" data-nango-state hidden>${starting}</p>
      <p id="nango-waiting" data-nango-state hidden>${waiting}</p>
      <p id="nango-blocked" data-nango-state hidden>${blocked}</p>
      <p id="nango-offline" data-nango-state hidden>${offline}</p>
    </div>
    <noscript>${alertOf(needsScript)}</noscript>`;
}
