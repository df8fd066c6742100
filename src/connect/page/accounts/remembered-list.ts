import { html } from "hono/html";
import type { RememberedAnswer } from "../../../runtime/internal.ts";
import type { Html } from "../layout/html.ts";
import type { PageView } from "../layout/layout.ts";
import { dateOf, removableRow } from "./removable-row.ts";

/** The answers that the user's tools reuse without asking, each with a button to remove it. Empty if there are none. */
export function rememberedList(
  view: PageView,
  answers: readonly RememberedAnswer[],
  { csrfToken }: { csrfToken: string },
): Html | "" {
  if (answers.length === 0) return "";
  const { title, text } = view.words.remembered;
  return html`<section aria-labelledby="remembered">
    <h2 id="remembered">${title}</h2>
    <p class="lead">${text}</p>
    <ul class="accounts">
      ${answers.map((answer, index) => row(view, answer, { csrfToken, index }))}
    </ul>
  </section>`;
}

function row(
  view: PageView,
  { key, message, kind, said, expiresAt }: RememberedAnswer,
  { csrfToken, index }: { csrfToken: string; index: number },
): Html {
  const { words } = view;
  const answered = said.map(([, text]) => text).join(", ");
  return removableRow(view, {
    kind: "answer",
    index,
    name: kind ?? message,
    about: html`<bdi>${answered}</bdi> · ${words.remembered.until(dateOf(words, expiresAt))}`,
    action: "forget",
    value: key,
    csrfToken,
  });
}
