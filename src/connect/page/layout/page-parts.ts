import { html } from "hono/html";
import type { ElicitationOutcome } from "../../../contract/contract.ts";
import type { Html } from "./html.ts";
import type { PageView } from "./layout.ts";
import { type IconName, icon } from "./images.ts";

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

/** A part that few users need, folded. */
export function folded(summary: string, content: Html, isOpen = false): Html {
  return html`<details class="more" ${isOpen ? html`open` : ""}>
    <summary>${icon("forward")}${summary}</summary>
    ${content}
  </details>`;
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
