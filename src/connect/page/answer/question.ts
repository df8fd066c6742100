import { html } from "hono/html";
import type { CardKind } from "../../../words/cards/card-kind.ts";
import type { FormHeading } from "../../../words/cards/form-heading.ts";
import type { Html } from "../layout/html.ts";
import { type PageView, boldName } from "../layout/layout.ts";
import type { RequestOfPage } from "../layout/page-parts.ts";
import { type RoundProgress, roundHint } from "./round.ts";

/** What both pages say of a request: of one for facts, and of one for a page of somebody else. */
export interface Question extends RequestOfPage {
  /** What is asked, as the agent or the tool has put it. */
  message: string;
  requester: { name: string; claimedName?: string | undefined } | undefined;
  /** The user decides in place of this one, whose agent asks. */
  from: { name: string } | undefined;
  /** What the user recognises their chat account by. */
  account: string;
  chatHost: string | undefined;
  kind: CardKind;
  /** What a form is called. */
  heading: FormHeading | undefined;
  round: Pick<RoundProgress, "answered" | "size"> | undefined;
}

/** Who asks, and what. */
export function question(
  { words, catalogue }: PageView,
  title: string,
  { message, requester, from, round, heading }: Question,
): Html {
  const [before, after] = words.asksYou;
  const claimed = requester?.claimedName;
  return html`<div>
      <h1 dir="auto">${title}</h1>
      <p class="lead">${before}${boldName(requester?.name ?? words.assistant)}${after}</p>
      ${from === undefined ? "" : html`<p class="hint">${catalogue.others.from(from.name)}</p>`}
      ${claimed === undefined ? "" : html`<p class="hint">${catalogue.claimedName(claimed)}</p>`}
      ${roundHint(words, round)}
    </div>
    ${heading?.from === "message" ? "" : html`<p class="said" dir="auto">${message}</p>`}`;
}
