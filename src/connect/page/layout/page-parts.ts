import { html, raw } from "hono/html";
import type { ElicitationOutcome } from "../../../contract/contract.ts";
import type { Html } from "./html.ts";
import type { PageView } from "./layout.ts";

/** The fields that every form of the page sends. */
export interface RequestOfPage {
  elicitationId: string;
  csrfToken: string;
}

export function hiddenFields({ elicitationId, csrfToken }: RequestOfPage): Html {
  return html`<input type="hidden" name="elicitationId" value="${elicitationId}" /><input
      type="hidden"
      name="csrf"
      value="${csrfToken}"
    />`;
}

/** A row of a list of facts. */
export function fact(label: string, value: Html): Html {
  return html`<div>
    <dt>${label}</dt>
    <dd>${value}</dd>
  </div>`;
}

/** An error message. `isCalm`: the user caused it themselves, so it does not look like an error. */
export function alertOf(content: string | Html, isCalm = false): Html {
  return html`<div class="${isCalm ? "alert calm" : "alert"}" role="alert">
    ${icon(isCalm ? "minus" : "alert")}
    <div>${content}</div>
  </div>`;
}

export function warningOf(title: string, text: string): Html {
  return html`<div class="caution">
    ${icon("warning")}
    <div><b>${title}</b> ${text}</div>
  </div>`;
}

/**
 * What happens after a yes. A chat continues by itself beside the window that it has opened, and the script then says so.
 * In the chat's own tab the chat is gone, and without a script that is not known.
 */
export function afterYes({ words }: Pick<PageView, "words">, isChat: boolean): Html {
  const goesOn = isChat ? html`<span id="goes-on" hidden>${words.chatGoesOn}</span>` : "";
  return html`<span id="go-back">${words.goBackThere}</span>${goesOn}`;
}

/** The icon for each outcome of a request. */
export const OUTCOME_ICONS: Readonly<Record<ElicitationOutcome, IconName>> = {
  accepted: "check",
  declined: "minus",
  cancelled: "minus",
  expired: "clock",
  withdrawn: "minus",
  failed: "alert",
};

const SHAPES = {
  agent: '<path d="M5.5 4.5v7"/><path d="M8.75 4.75L12.5 8l-3.75 3.25z"/>',
  alert:
    '<path d="M5.6 2.25h4.8l3.35 3.35v4.8l-3.35 3.35H5.6L2.25 10.4V5.6z"/><path d="M8 5.25v3.25M8 10.7v.05"/>',
  check: '<path d="M3.5 8.5l3 3 6-7"/>',
  clock: '<circle cx="8" cy="8" r="5.75"/><path d="M8 5v3.2l2 1.3"/>',
  close: '<path d="M4.5 4.5l7 7M11.5 4.5l-7 7"/>',
  eye: '<path d="M1.75 8S4 3.9 8 3.9 14.25 8 14.25 8 12 12.1 8 12.1 1.75 8 1.75 8z"/><circle cx="8" cy="8" r="1.9"/>',
  forward: '<path d="M6.25 4l4 4-4 4"/>',
  link: '<path d="M6.75 9.25l2.5-2.5M7.5 4.75l1-1a2.65 2.65 0 0 1 3.75 3.75l-1 1M8.5 11.25l-1 1A2.65 2.65 0 0 1 3.75 8.5l1-1"/>',
  lock: '<rect x="3.25" y="7.25" width="9.5" height="6.5" rx="1.75"/><path d="M5.25 7.25V5a2.75 2.75 0 0 1 5.5 0v2.25"/>',
  minus: '<path d="M4 8h8"/>',
  pause: '<path d="M5.75 3.75v8.5M10.25 3.75v8.5"/>',
  person: '<circle cx="8" cy="5.4" r="2.65"/><path d="M3 13.5c.6-2.5 2.6-3.75 5-3.75s4.4 1.25 5 3.75"/>',
  question:
    '<circle cx="8" cy="8" r="5.75"/><path d="M6.4 6.3a1.65 1.65 0 1 1 2.35 1.5c-.5.25-.75.6-.75 1.2M8 11.15v.05"/>',
  star: '<path d="M8 1.9l1.85 3.9 4.3.55-3.15 2.95.8 4.25L8 11.5l-3.8 2.05.8-4.25-3.15-2.95 4.3-.55z" fill="currentColor"/>',
  warning: '<path d="M8 2.5l6 10.75H2z"/><path d="M8 6.5v3.25M8 11.4v.05"/>',
} as const;

export type IconName = keyof typeof SHAPES;

/**
 * An inline image, because the policy of the page allows no external images. It always stands beside a text, so it has no
 * name.
 */
export function icon(name: IconName): Html {
  const flip = name === "forward" ? html` data-flip` : "";
  return html`<svg class="icon" data-icon="${name}" viewBox="0 0 16 16" aria-hidden="true" ${flip}>
    ${raw(SHAPES[name])}
  </svg>`;
}
