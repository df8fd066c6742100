import { html, raw } from "hono/html";
import { sha256 } from "../../../base/ids.ts";
import type { Catalogue } from "../../../words/cards/catalogue.ts";
import type { PageBrand } from "./brand.ts";
import type { Html } from "./html.ts";
import { type IconName, icon } from "./images.ts";
import type { PageWords } from "../../../words/page/en.ts";
import { SCRIPT } from "../script.ts";
import { TOKENS_CSS } from "../../../look/tokens.ts";
import { ACCOUNTS } from "./style/accounts.ts";
import { ACTIONS } from "./style/actions.ts";
import { CONDITIONS, MESSAGE } from "./style/conditions.ts";
import { FORM } from "./style/form.ts";
import { REQUEST } from "./style/request.ts";
import { SHEET } from "./style/sheet.ts";
import { WARNINGS } from "./style/warnings.ts";

/** The look of a page for one browser. */
export interface PageView {
  readonly words: PageWords;
  /** The texts of the cards, for forms. */
  readonly catalogue: Catalogue;
  readonly brand: PageBrand | undefined;
  /** The page's style sheet. */
  readonly style: string;
  /** `light` or `dark`, if the chat uses one of them regardless of the system. */
  readonly theme?: string | undefined;
  /** The host of the page, shown beside the brand. */
  readonly host: string;
  /** The URL of the chat, if the operator has set it. */
  readonly chatHome: string | undefined;
}

/** The data for the page's script. Everyone who sees the page can read it. */
export interface PageData {
  page: "checking" | "asking" | "consent" | "ended" | "accounts" | "refused";
  elicitationId?: string | undefined;
  chatOrigin?: string | undefined;
  chatOrigins?: string | undefined;
  challenge?: string | undefined;
  /** The URL of the next page when the chat has vouched. */
  next?: string | undefined;
  /** The message that makes the chat read the status. */
  notify?: "elicitation-complete" | "elicitation-failed" | undefined;
  cutOpener?: boolean | undefined;
  /** How long the request stays open, in milliseconds. Afterwards the page shows that it has ended. */
  endsInMs?: number | undefined;
  /** The path of an additional script. */
  module?: string | undefined;
}

/**
 * Every value is escaped by `html`. Style and script are the same texts in every page, and the policy allows only these
 * two, by their digests. So a page loads with one HTTP request, and the pages of a sign-in wait for no files.
 */
export function layout(view: PageView, title: string, data: PageData, content: Html): Html {
  const { words, brand, host } = view;
  const attributes = Object.entries({
    "data-page": data.page,
    "data-elicitation-id": data.elicitationId,
    "data-chat-origin": data.chatOrigin,
    "data-chat-origins": data.chatOrigins,
    "data-challenge": data.challenge,
    "data-next": data.next,
    "data-ends-in-ms": data.endsInMs === undefined ? undefined : String(data.endsInMs),
    "data-notify": data.notify,
    "data-cut-opener": data.cutOpener === true ? "true" : undefined,
  }).map(([name, value]) => (value === undefined ? "" : html` ${name}="${value}"`));
  return html`<!doctype html>
    <html lang="${words.locale}" dir="${words.dir}"${view.theme === undefined ? "" : html` data-theme="${view.theme}"`}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${brand === undefined ? title : `${title} · ${brand.name}`}</title>
        ${inline("style", view.style)}
        ${data.module === undefined ? "" : html`<script type="module" src="${data.module}"></script>`}
      </head>
      <body${attributes}>
        <div class="sheet">
          <header class="brand">
            ${brand === undefined ? "" : html`${logoOf(brand)}<span class="name">${brand.name}</span>`}
            <bdi class="host">${host}</bdi>
          </header>
          <main>${content}</main>
        </div>
        ${data.page === "checking" ? "" : inline("script", SCRIPT)}
      </body>
    </html>`;
}

/** Exactly this text, because the policy of the page contains its digest. */
function inline(tag: "style" | "script", text: string): Html {
  return html`${raw(`<${tag}>${text}</${tag}>`)}`;
}

function logoOf({ name, logo }: PageBrand): Html {
  return logo === undefined ? monogram("logo", name) : html`<img class="logo" alt="" src="${logo}" />`;
}

/** A name in a text of the page. The name may have another reading direction. */
export function boldName(name: string): Html {
  return html`<b><bdi>${name}</bdi></b>`;
}

/** The first letter of a name, instead of an image. */
export function monogram(className: string, name: string): Html {
  const [first = ""] = name.trim();
  return html`<span class="${className}" data-letter aria-hidden="true">${first.toUpperCase()}</span>`;
}

interface NamedTile {
  tile: Html;
  name: Html;
}

/** The user, the agent that asks, and the service. The text of the page contains their names, too. */
export function tilesOf(...tiles: readonly NamedTile[]): Html {
  return html`<div class="three" aria-hidden="true">
    ${tiles.map(({ tile, name }, index) => html`${index === 0 ? "" : html`<i></i>`}<span>${tile}${name}</span>`)}
  </div>`;
}

const bone = (kind: string): Html => html`<span class="bone" data-bone="${kind}"></span>`;

/**
 * The page of a request before the server has identified the user: its layout without data of the request. `status` says
 * what is happening. Placeholders replace the buttons, above `other` ways to continue.
 */
export function skeleton(status: string, other: Html | ""): Html {
  const signs = (["person", "agent", "link"] as const).map((name) => ({
    tile: html`<span class="tile">${icon(name)}</span>`,
    name: bone("name"),
  }));
  return html`<div class="skeleton" aria-hidden="true">
      ${tilesOf(...signs)} ${["title", "lead", "right", "right", "right", "where"].map(bone)}
    </div>
    <p class="hint" role="status">${status}</p>
    <div class="foot bar">
      <div class="actions" aria-hidden="true">${bone("button")} ${bone("button")}</div>
      ${other}
    </div>`;
}

/** A page that shows one message and links to the next step. */
export function messagePage(
  view: PageView,
  message: {
    title: string;
    mark: IconName;
    isGood?: boolean | undefined;
    data: PageData;
    /** The content below the title. */
    content: Html;
    /** Links and forms to the next step, the main one first. */
    actions?: Html | "" | undefined;
  },
): Html {
  const { title, data } = message;
  return layout(view, title, data, messageContent(message));
}

/** The content of a {@link messagePage}. */
export function messageContent({
  title,
  mark,
  isGood = false,
  content,
  actions = "",
}: Pick<Parameters<typeof messagePage>[1], "title" | "mark" | "isGood" | "content" | "actions">): Html {
  return html`<div class="message">
      <span class="mark" ${isGood ? html` data-good` : ""}>${icon(mark)}</span>
      <h1>${title}</h1>
      ${content}
    </div>
    <div class="foot">${actions}</div>`;
}

/** A link that looks like a button, or nothing without a target. */
export function linkTo(
  href: string | undefined,
  text: string,
  { isPrimary = false }: { isPrimary?: boolean | undefined } = {},
): Html | "" {
  if (href === undefined) return "";
  return html`<a class="${isPrimary ? "button primary" : "button"}" href="${href}">${text}</a>`;
}

/** The link back to the chat. In a window that the chat has opened, the script closes the window instead. */
export function backToChat(
  { words }: PageView,
  href: string | undefined,
  { isPrimary = true }: { isPrimary?: boolean | undefined } = {},
): Html {
  if (href === undefined) return html`<p class="hint">${words.closeWindow}</p>`;
  const kind = isPrimary ? "button primary" : "button";
  return html`<a class="${kind}" data-back href="${href}">${words.backToChat}</a>`;
}

/** The inline style of every page. The style of the brand's colour follows the tokens and comes before the rules. */
export function styleOf(accentCss: string): string {
  return `${TOKENS_CSS}
:root {
  --page-primary-edge: var(--elicit-accent);
}
${accentCss}${SHEET}${REQUEST}${WARNINGS}${ACCOUNTS}${ACTIONS}${FORM}${MESSAGE}${CONDITIONS}`;
}

/** The headers of every page: `policy` says what it may load. Frames, caches and the referrer are disabled. */
export function securityHeaders(policy: string): Readonly<Record<string, string>> {
  return {
    "content-security-policy": policy,
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  };
}

/** The source expression of a policy for an allowed inline text (CSP level 3, 2.3.1). */
export async function digestSource(text: string): Promise<string> {
  return `'sha256-${btoa(String.fromCharCode(...(await sha256(text))))}'`;
}
