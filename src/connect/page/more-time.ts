import { html } from "hono/html";
import type { Clock } from "../../base/clock.ts";
import { inMinutes } from "../../words/language.ts";
import { type ElicitationRecord, extendedEnd } from "../../runtime/internal.ts";
import type { Html } from "./layout/html.ts";
import type { PageView } from "./layout/layout.ts";

/** How long a request stays open, and whether its user can get more time. */
export interface TimeLeft {
  /** In milliseconds. */
  endsInMs: number;
  getsMoreTime: boolean;
}

export function timeLeftOf(record: ElicitationRecord, { clock }: { clock: Clock }): TimeLeft {
  return {
    endsInMs: Math.max(0, record.expiresAt - clock.now()),
    getsMoreTime: extendedEnd(record) > record.expiresAt,
  };
}

/** The path for a form of its own. A form with answers has the value `extend` for its `action`. */
export const EXTEND_PATH = "/auth/extend";

/**
 * When the request ends, and the button "More time" of the form around it. The script of the page presses it without a
 * new page, and announces the last two minutes.
 */
export function timeLeftLine({ words, catalogue }: PageView, { endsInMs, getsMoreTime }: TimeLeft): Html {
  const soon = getsMoreTime ? html` data-soon="${catalogue.underTwoMinutes}"` : "";
  return html`<span id="ends" role="status" ${soon}>${inMinutes(endsInMs, words.locale)}</span> ${
      getsMoreTime
        ? html`<button class="text" id="more-time" type="submit" name="action" value="extend" formnovalidate>
            ${catalogue.moreTime}
          </button>`
        : ""
    }`;
}
