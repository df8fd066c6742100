import { html } from "hono/html";
import type { Html } from "../page/layout/html.ts";
import { type PageView, boldName, layout } from "../page/layout/layout.ts";
import { type ApiKeyProvider, MAX_KEY_LENGTH, patternOf } from "./api-key.ts";
import { type RequestOfPage, alertOf, folded, hiddenFields } from "../page/layout/page-parts.ts";
import {
  type Consent,
  accountRow,
  consentDetails,
  consentTiles,
  reasonOf,
  rightsRow,
} from "../page/connect-page.ts";

/** The page that asks for an API key. It works without scripts, and never shows a stored key. */
export function keyPage(view: PageView, consent: Consent, provider: ApiKeyProvider): Html {
  const { words } = view;
  const { elicitationId, chatOrigin, service, lastError: fault, connected } = consent;
  const title = words.apiKey.add(service);
  const [before, after] = words.apiKey.asksForKey(service);
  return layout(
    view,
    fault === undefined ? title : `${fault} ${title}`,
    {
      page: "consent",
      elicitationId,
      chatOrigin,
      cutOpener: false,
      endsInMs: consent.endsInMs,
      notify: fault === undefined ? undefined : "elicitation-failed",
    },
    html`<div>
        ${consentTiles(consent)}
        <h1>${title}</h1>
        <p class="lead">${before}${boldName(consent.requester ?? words.assistant)}${after}</p>
        ${reasonOf(consent)}
      </div>
      ${keyForm(view, { ...consent, fault, isReplacing: connected !== undefined }, provider)}
      <dl class="rights">
        ${rightsRow(words.can, "check", [html`${words.apiKey.canUse(service)}`])}
        ${rightsRow(words.cannot, "close", [html`${words.apiKey.seeKey}`])}
      </dl>
      ${accountRow(view, consent)} ${consentDetails(view, consent)}
      <div class="foot bar">
        <div class="actions">
          <button class="primary" type="submit" form="key-form">${words.apiKey.save}</button>
          <form method="post" action="/auth/connect/decline">
            ${hiddenFields(consent)}<button type="submit">${words.decline}</button>
          </form>
        </div>
        <p class="hint">${words.didNotAsk}</p>
      </div>`,
  );
}

/** The form that replaces the key of a request which has already ended with one. */
export function replaceKey(
  view: PageView,
  request: RequestOfPage & { fault: string | undefined },
  provider: ApiKeyProvider,
): Html {
  return folded(
    view.words.apiKey.replace,
    html`${keyForm(view, { ...request, isReplacing: true }, provider)}
      <button class="primary" type="submit" form="key-form">${view.words.apiKey.save}</button>`,
    request.fault !== undefined,
  );
}

/** The field for a key. Its button is in another part of the page. */
function keyForm(
  { words }: PageView,
  form: RequestOfPage & { fault: string | undefined; isReplacing: boolean },
  { service, apiKey: { keyUrl, format } }: ApiKeyProvider,
): Html {
  const { isReplacing, fault } = form;
  const pattern = patternOf(format);
  const look = format && words.apiKey.format(format.prefix, format.length);
  const describedBy = [fault && "key-fault", look && "key-format"].filter(Boolean).join(" ");
  return html`${fault === undefined ? "" : alertOf(html`<span id="key-fault">${fault}</span>`)}
    <form id="key-form" method="post" action="/auth/connect/key">
      ${hiddenFields(form)}
      <div class="field">
        <label for="key">${isReplacing ? words.apiKey.newKey(service) : words.apiKey.label(service)}</label>
        <div class="key">
          <input
            type="password"
            id="key"
            name="key"
            required
            maxlength="${MAX_KEY_LENGTH}"
            autocomplete="new-password"
            autocapitalize="off"
            spellcheck="false"
            dir="ltr"
            ${pattern === undefined ? "" : html`pattern="${pattern}" title="${look}"`}
            ${describedBy === "" ? "" : html`aria-describedby="${describedBy}"`}
            ${fault === undefined ? "" : html`aria-invalid="true" autofocus`}
          />
          <button class="text" type="button" hidden data-show="key" data-hide="${words.apiKey.hide}">
            ${words.apiKey.show}
          </button>
        </div>
        ${look === undefined ? "" : html`<p class="hint" id="key-format">${look}</p>`}
        ${
          keyUrl === undefined
            ? ""
            : html`<p class="hint">
                <a href="${keyUrl}" target="_blank" rel="noopener noreferrer"
                  >${words.apiKey.whereToFind(service)}</a
                >
              </p>`
        }
      </div>
    </form>`;
}
