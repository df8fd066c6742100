import { html } from "hono/html";
import type { CardKind, FormHeading } from "../../../words/cards/form-heading.ts";
import type { Review, ReviewRow } from "../../../contract/review.ts";
import type { Catalogue } from "../../../words/cards/catalogue.ts";
import type { Html } from "../layout/html.ts";
import { type PageView, boldName } from "../layout/layout.ts";
import { type RequestOfPage, fact } from "../layout/page-parts.ts";
import type { TimeLeft } from "../more-time.ts";
import { type RoundProgress, roundHint } from "./round.ts";

/** The common data of both pages: for a form, and for a third-party page. */
export interface Question extends RequestOfPage, TimeLeft {
  /** The message, as the agent or the tool has written it. */
  message: string;
  requester: { name: string; claimedName?: string | undefined } | undefined;
  /** The user decides for this other user, whose agent asks. */
  from: { name: string } | undefined;
  /** The user waits for this user or group to decide. */
  assignee?: { name: string } | undefined;
  /** The name by which the user recognises their chat account. */
  account: string;
  chatHost: string | undefined;
  kind: CardKind;
  heading: FormHeading | undefined;
  /** The values that the user approves, which are shown instead of the message. */
  review?: Review | undefined;
  round: Pick<RoundProgress, "answered" | "size"> | undefined;
}

/** As whom the user is signed in, and for which chat. "Not you?" sends the form with the id `forget`. */
export function accountFacts({ words }: PageView, { account, chatHost }: Question): Html {
  return html`<dl class="facts">
    ${fact(
      words.signedInAs,
      html`<bdi>${account}</bdi> <button class="text" type="submit" form="forget">${words.notYou}</button>`,
    )}
    ${chatHost === undefined ? "" : fact(words.chat, html`<bdi>${chatHost}</bdi>`)}
  </dl>`;
}

/** The requester and the question. */
export function question(
  { words, catalogue }: PageView,
  title: string,
  { message, requester, from, assignee, round, heading, review }: Question,
): Html {
  const [before, after] = assignee === undefined ? words.asksYou : ["", ""];
  const claimed = requester?.claimedName;
  return html`<div>
      <h1 dir="auto">${title}</h1>
      <p class="lead">${before}${boldName(requester?.name ?? words.assistant)}${after}</p>
      ${from === undefined ? "" : html`<p class="hint">${catalogue.others.from(from.name)}</p>`}
      ${claimed === undefined ? "" : html`<p class="hint">${catalogue.claimedName(claimed)}</p>`}
      ${roundHint(words, round)}
    </div>
    ${review === undefined ? (heading?.from === "message" ? "" : html`<p class="said" dir="auto">${message}</p>`) : reviewRows(review, catalogue)}`;
}

/** A longer value is folded. The limits in UTF-16 units. */
const LONGEST_OPEN = 280;
const LONGEST_PREVIEW = 90;

/** The values that the user approves. Long ones are folded, without a script. */
function reviewRows({ rows }: Review, catalogue: Catalogue): Html | "" {
  if (rows.length === 0) return "";
  return html`<dl class="facts rows">
    ${rows.map(
      (row) =>
        html`<div>
          <dt dir="auto">${row.label}</dt>
          <dd dir="auto">${valueOf(row, catalogue)}</dd>
        </div>`,
    )}
  </dl>`;
}

function valueOf({ value, more }: ReviewRow, { yes, no, approval, locale }: Catalogue): Html | string {
  if (typeof value === "boolean") return value ? yes : no;
  const rest =
    more === undefined
      ? ""
      : html` <span class="hint">${approval.more(new Intl.NumberFormat(locale).format(more))}</span>`;
  if (value.length <= LONGEST_OPEN) return html`${value}${rest}`;
  return html`<details>
    <summary>${value.slice(0, LONGEST_PREVIEW).split("\n")[0]}…</summary>
    ${value}${rest}
  </details>`;
}
