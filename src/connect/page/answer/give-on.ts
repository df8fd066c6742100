import { html } from "hono/html";
import type { AssigneeList } from "../../../contract/contract.ts";
import type { Html } from "../layout/html.ts";
import { type PageView, backToChat, messagePage } from "../layout/layout.ts";
import { type RequestOfPage, alertOf, folded, hiddenFields } from "../layout/page-parts.ts";

/** Takes the forms below, and those of the page of a user who waits. */
export const ASSIGNEE_PATH = "/auth/answer/assignee";

/** To whom the user who decides may give the question. */
export interface GiveOn {
  readonly choices: AssigneeList["assignees"];
  /** The user has chosen somebody, and the question could not be given to them. */
  readonly hasFailed: boolean;
}

/** "Give to someone else": a separate form with a list, so that Enter in the answers never gives the question away. */
export function giveOnOf({ catalogue }: PageView, { choices, hasFailed }: GiveOn): Html | "" {
  if (choices.length === 0) return "";
  const { others } = catalogue;
  return folded(
    others.giveOn,
    html`${hasFailed ? alertOf(catalogue.didNotWork) : ""}
      <div class="field">
        <label for="give-to">${others.giveTo}</label>
        <select id="give-to" name="to" form="give" required>
          <option value="">${catalogue.choose}</option>
          ${choices.map(({ to, name }) => html`<option value="${JSON.stringify(to)}">${name}</option>`)}
        </select>
        <button type="submit" form="give" name="action" value="give">${others.give}</button>
      </div>`,
    hasFailed,
  );
}

/** The form of the list, which stands in another form. */
export function giveForm(request: RequestOfPage & { readonly giveOn: GiveOn }): Html | "" {
  if (request.giveOn.choices.length === 0) return "";
  return html`<form id="give" method="post" action="${ASSIGNEE_PATH}">${hiddenFields(request)}</form>`;
}

/** For a user who has given the question away and waits for nothing. */
export function givenPage(
  view: PageView,
  {
    name,
    from,
    elicitationId,
    returnUrl,
  }: { name: string; from: string | undefined; elicitationId: string; returnUrl: string | undefined },
): Html {
  const { others } = view.catalogue;
  return messagePage(view, {
    title: others.givenTo(name),
    mark: "check",
    isGood: true,
    data: { page: "ended", elicitationId },
    content: from === undefined ? html`` : html`<p>${others.from(from)}</p>`,
    actions: backToChat(view, returnUrl),
  });
}
