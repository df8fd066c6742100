import { html } from "hono/html";
import type { Html } from "../layout/html.ts";
import type { PageView } from "../layout/layout.ts";
import type { PageWords } from "../../../words/page/en.ts";

/** A row of the page of accounts, with a button that removes its item. */
export function removableRow(
  { words }: PageView,
  row: {
    /** The kind of item. With `index`, part of the ids in the document. */
    kind: "account" | "answer";
    index: number;
    tile?: Html | undefined;
    name: string;
    about: Html;
    /** The action of the button, as the last part of its path. */
    action: "remove" | "forget";
    /** Identifies the item for the route. */
    value: string;
    csrfToken: string;
  },
): Html {
  const { kind, index, action } = row;
  return html`<li>
    ${row.tile ?? ""}
    <div>
      <b id="${kind}-${index}"><bdi>${row.name}</bdi></b>
      <small>${row.about}</small>
    </div>
    <form method="post" action="/auth/accounts/${action}">
      <input type="hidden" name="csrf" value="${row.csrfToken}" /><input
        type="hidden"
        name="${kind}"
        value="${row.value}"
      /><button
        class="text"
        type="submit"
        id="${action}-${index}"
        aria-labelledby="${action}-${index} ${kind}-${index}"
      >
        ${words.remove}
      </button>
    </form>
  </li>`;
}

/** A day as its reader writes it, in UTC: the page does not know where they are. */
export function dateOf({ locale }: Pick<PageWords, "locale">, at: number): string {
  return new Date(at).toLocaleDateString(locale, { dateStyle: "medium", timeZone: "UTC" });
}
