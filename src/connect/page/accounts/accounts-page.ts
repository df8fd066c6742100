import { html } from "hono/html";
import type { Html } from "../layout/html.ts";
import { type NextSteps, stepsOf } from "../identity/identity-pages.ts";
import { alertOf, warningOf } from "../layout/page-parts.ts";
import { icon } from "../layout/images.ts";
import { type PageView, backToChat, boldName, layout, messagePage, monogram } from "../layout/layout.ts";
import type { RememberedAnswer } from "../../../runtime/internal.ts";
import { dateOf, removableRow } from "./removable-row.ts";
import { rememberedList } from "./remembered-list.ts";

/** An account in the list. */
export interface AccountRow {
  readonly toolId: string;
  readonly service: string;
  /** Path of the service's icon on this page. */
  readonly serviceIcon: string | undefined;
  /** Only the user has named the server; the operator has not configured it. */
  readonly isUnknown: boolean;
  /** The provider's name of the account. */
  readonly name: string | undefined;
  /** When it was connected, in milliseconds since the epoch, if that is known. */
  readonly connectedAt: number | undefined;
  /** Whether the kit could read the state of the connection. */
  readonly isChecked: boolean;
}

/** The result of a click on Remove. `not-revoked`: removed here, but its provider could not be reached. */
export interface Removal {
  readonly service: string;
  readonly result: "removed" | "not-revoked" | "not-removed";
}

/** The accounts that a user has connected, each with a button to remove it. */
export function accountsPage(
  view: PageView,
  {
    account,
    rows,
    remembered,
    csrfToken,
    removal,
  }: {
    /** The name by which the user recognises their chat account. */
    account: string;
    rows: readonly AccountRow[];
    remembered: readonly RememberedAnswer[];
    csrfToken: string;
    removal: Removal | undefined;
  },
): Html {
  const { words } = view;
  const { title, text, none } = words.accounts;
  return layout(
    view,
    title,
    { page: "accounts" },
    html`${removal === undefined ? "" : removalNote(view, removal)}
      <div>
        <h1>${title}</h1>
        <p class="lead">${rows.length === 0 ? none : text}</p>
      </div>
      ${
        rows.length === 0
          ? ""
          : html`<ul class="accounts">
              ${rows.map((row, index) => accountRow(view, row, { csrfToken, index }))}
            </ul>`
      }
      ${rememberedList(view, remembered, { csrfToken })}
      <div class="me">
        <span>${words.signedInAs} ${boldName(account)}</span>
        <form method="post" action="/auth/accounts/not-you">
          <input type="hidden" name="csrf" value="${csrfToken}" /><button class="text" type="submit">
            ${words.notYou}
          </button>
        </form>
      </div>
      <div class="foot">
        <div class="actions">${backToChat(view, view.chatHome, { isPrimary: false })}</div>
      </div>`,
  );
}

function accountRow(
  view: PageView,
  { toolId, service, serviceIcon, isUnknown, name, connectedAt, isChecked }: AccountRow,
  { csrfToken, index }: { csrfToken: string; index: number },
): Html {
  const tile =
    serviceIcon === undefined
      ? monogram("tile", service)
      : html`<span class="tile"><img alt="" src="${serviceIcon}" /></span>`;
  const { words } = view;
  return removableRow(view, {
    kind: "account",
    index,
    tile: html`<span aria-hidden="true" ${isUnknown ? html` data-unknown` : ""}>${tile}</span>`,
    name: service,
    about: isChecked ? whose(view, { name, connectedAt }) : html`${words.accounts.notChecked}`,
    action: "remove",
    value: toolId,
    csrfToken,
  });
}

/** The account's name and the date when it was connected, if they are known. */
function whose({ words }: PageView, { name, connectedAt }: Pick<AccountRow, "name" | "connectedAt">): Html {
  const as = name === undefined ? undefined : html`<bdi>${name}</bdi>`;
  if (connectedAt === undefined) return as ?? html`${words.connected}`;
  const since = words.accounts.since(dateOf(words, connectedAt));
  return as === undefined ? html`${since}` : html`${as}<br />${since}`;
}

function removalNote({ words }: PageView, { service, result }: Removal): Html {
  const { notRemoved, notRevoked } = words.accounts;
  if (result === "not-removed") return alertOf(notRemoved(service));
  const { title, text } = words.removed(service);
  if (result === "not-revoked") {
    return html`<div role="status">${warningOf(title, notRevoked(service))}</div>`;
  }
  return html`<div class="good" role="status">
    ${icon("check")}
    <div><b>${title}</b> ${text}</div>
  </div>`;
}

/** The page for a visitor whose user is not known. */
export function unknownOwnerPage(view: PageView, reason: string, steps: NextSteps): Html {
  return messagePage(view, {
    title: view.words.unknownPerson.title,
    mark: "question",
    data: { page: "refused" },
    content: html`<p role="alert">${reason}</p>`,
    actions: stepsOf(view, steps),
  });
}
