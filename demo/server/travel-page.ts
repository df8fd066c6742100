import { html, raw } from "hono/html";
import { type Html, sitePage } from "./site-page.ts";
import type { TravelWords } from "./travel-words.ts";

/** What the page shows for the state of a request. */
export type TravelPage =
  | { state: "asking"; account: string; declineAction: string }
  | { state: "connected"; account: string }
  | { state: "declined" }
  | { state: "gone" };

const SITE = "Contoso Travel";
const shape = (d: string): Html =>
  html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${raw(d)}" /></svg>`;
const PLANE = shape("M3 9.5l10.5-5-4.5 9-1.75-3z");
const CHECK = shape("M3.5 8.5l3 3 6-7");
const CROSS = shape("M4.5 4.5l7 7M11.5 4.5l-7 7");
const MINUS = shape("M4 8h8");
const LOCK = shape("M3.75 7.5h8.5v6h-8.5zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5");
const STAR = shape("M8 1.9l1.85 3.9 4.3.55-3.15 2.95.8 4.25L8 11.5l-3.8 2.05.8-4.25-3.15-2.95 4.3-.55z");
const AGENT = shape("M5.5 4.5v7M8.75 4.75L12.5 8l-3.75 3.25z");

/** The page on which a user lets the travel agent use their points. */
export function travelPage(page: TravelPage, words: TravelWords, host: string): Html {
  const { body, bar } =
    page.state === "asking" ? asking(page, words, host) : { ...ended(page, words), bar: undefined };
  return sitePage({ title: words.points, site: SITE, sign: PLANE, host, language: words, body, bar });
}

function asking(
  { account, declineAction }: Extract<TravelPage, { state: "asking" }>,
  words: TravelWords,
  host: string,
): { body: Html; bar: Html } {
  const [before, between, after] = words.asksFor;
  return {
    body: html`<div class="three" aria-hidden="true">
        <span><em>${account.slice(0, 1).toUpperCase()}</em>${bdi(account)}</span><i></i>
        <span><em>${AGENT}</em>Demo agent</span><i></i>
        <span><em>${STAR}</em>${words.points}</span>
      </div>
      <div>
        <h1>${words.title}</h1>
        <p class="lead">
          ${before}<b>${bdi("Demo travel agent")}</b>${between}<b>${bdi("Demo agent")}</b>${after}
        </p>
      </div>
      <dl class="rights">
        <dt>${words.can}</dt>
        <dd><span class="yes">${CHECK}</span>${words.seePoints}</dd>
        <dt>${words.cannot}</dt>
        <dd><span class="no">${CROSS}</span>${words.seePassword}</dd>
        <dd><span class="no">${CROSS}</span>${words.bookAlone}</dd>
      </dl>
      <p class="where">
        ${LOCK}<span>${around(words.youAreAt, host)}<small>${words.noPassword}</small></span>
      </p>
      <p class="me">${words.signedInAs} <b>${bdi(account)}</b></p>`,
    bar: html`<form method="post"><button>${words.allow}</button></form>
      <form method="post" action="${declineAction}"><button class="plain">${words.decline}</button></form>
      <p class="hint">${words.didNotAsk}</p>`,
  };
}

function ended(page: Exclude<TravelPage, { state: "asking" }>, words: TravelWords): { body: Html } {
  const [mark, title, text] =
    page.state === "connected"
      ? [html`<em class="yes">${CHECK}</em>`, words.connected, around(words.seesPointsOf, page.account)]
      : page.state === "declined"
        ? [html`<em class="no">${MINUS}</em>`, words.declined, words.youDeclined]
        : [html`<em class="no">${MINUS}</em>`, words.gone, words.askAgain];
  return {
    body: html`<div class="message">
      ${mark}
      <h1>${title}</h1>
      <p class="lead" role="status">${text} ${words.close}</p>
    </div>`,
  };
}

/** A name of unknown reading direction. */
const bdi = (name: string): Html => html`<bdi>${name}</bdi>`;

const around = ([before, after]: readonly [string, string], name: string): Html =>
  html`${before}<b>${bdi(name)}</b>${after}`;
