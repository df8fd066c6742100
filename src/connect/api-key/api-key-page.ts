import { html } from "hono/html";
import type { Html } from "../page/layout/html.ts";
import { icon } from "../page/layout/icons.ts";
import { type PageView, boldName, layout } from "../page/layout/layout.ts";
import { type ApiKeyProvider, MAX_KEY_LENGTH } from "./api-key.ts";
import { type RequestOfPage, alertOf, hiddenFields } from "../page/layout/page-parts.ts";
import { type Consent, accountRow, consentDetails, consentTiles } from "../page/connect-page.ts";

/** The page that asks for an API key. It works without script, and never shows a key again. */
export function keyPage(view: PageView, consent: Consent, provider: ApiKeyProvider): Html {
  const { words } = view;
  const { elicitationId, chatOrigin, service, lastError: fault, connected } = consent;
  const title = words.connect(service);
  const [before, after] = words.apiKey.asksForKey(service);
  return layout(
    view,
    fault === undefined ? title : `${fault} ${title}`,
    {
      page: "consent",
      elicitationId,
      chatOrigin,
      cutOpener: false,
      notify: fault === undefined ? undefined : "elicitation-failed",
    },
    html`<div>
        ${consentTiles(consent)}
        <h1>${title}</h1>
        <p class="lead">${before}${boldName(consent.requester ?? words.assistant)}${after}</p>
      </div>
      ${keyForm(view, { ...consent, fault, isReplacing: connected !== undefined }, provider)}
      ${accountRow(view, consent)} ${consentDetails(view, consent)}
      <div class="foot bar">
        <form method="post" action="/auth/connect/decline">
          ${hiddenFields(consent)}<button type="submit">${words.decline}</button>
        </form>
        <p class="note">${icon("lock")}<span>${words.apiKey.staysHere} ${words.didNotAsk}</span></p>
      </div>`,
  );
}

/** After a request has ended by a key: the way to put another in its place. */
export function replaceKey(
  view: PageView,
  request: RequestOfPage & { fault: string | undefined },
  provider: ApiKeyProvider,
): Html {
  return html`<details ${request.fault === undefined ? "" : html`open`}>
    <summary>${view.words.apiKey.replace}</summary>
    ${keyForm(view, { ...request, isReplacing: true }, provider)}
  </details>`;
}

/** The field for a key, with its button. */
function keyForm(
  { words }: PageView,
  form: RequestOfPage & { fault: string | undefined; isReplacing: boolean },
  { service, apiKey: { keyUrl } }: ApiKeyProvider,
): Html {
  const { isReplacing, fault } = form;
  const described = fault === undefined ? "" : html` aria-describedby="key-fault" aria-invalid="true"`;
  return html`${fault === undefined ? "" : alertOf(html`<span id="key-fault">${fault}</span>`)}
    <form class="questions" method="post" action="/auth/connect/key">
      ${hiddenFields(form)}
      <div class="field">
        <label for="key">${isReplacing ? words.apiKey.newKey(service) : words.apiKey.label(service)}</label>
        <input
          type="password"
          id="key"
          name="key"
          required
          maxlength="${MAX_KEY_LENGTH}"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          dir="ltr"
          ${described}
        />
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
      <button class="primary" type="submit">${words.apiKey.save}</button>
    </form>`;
}
