import { html } from "hono/html";
import type { Decision } from "../audit/decision.ts";
import type { Html } from "../../src/connect/page/layout/html.ts";
import { fact } from "../../src/connect/page/layout/page-parts.ts";
import { type ElicitationRecord, outcomeOf } from "../../src/runtime/internal.ts";
import { decisionColumns, shortDigest, spanOf, timeOf, recordState } from "./format.ts";
import { type Shell, documentOf, tableOf } from "./document.ts";
import { type Names, kindOf, surfaceOf, toolOf } from "./naming.ts";

/** The data for the page of a request. */
export interface RequestView {
  readonly now: number;
  readonly record: ElicitationRecord;
  /** `undefined`: there is no decision log. */
  readonly log: { readonly rows: readonly Decision[]; readonly isComplete: boolean } | undefined;
  /** `undefined`: this operator may not withdraw. */
  readonly csrfToken: string | undefined;
  readonly names: Names;
}

export function requestPage(shell: Shell, view: RequestView): Html {
  const { record, now, log, names } = view;
  const outcome = outcomeOf(record);
  const { createdAt, endedAt = createdAt, expiresAt, changedBy } = record;
  const asked = log?.rows.find(({ event }) => event === "asked");
  return documentOf(
    shell,
    toolOf(record),
    html`<div class="one">
      <p><a href="${shell.home}">All requests</a></p>
      <h1><bdi>${toolOf(record)}</bdi></h1>
      <dl class="facts">
        ${fact("State", recordState(record, now))}
        ${shell.showContent ? fact("Question", html`<bdi>${record.request.message}</bdi>`) : ""}
        ${fact("Kind", html`${kindOf(record)}`)} ${fact("For", html`<bdi>${names.decider(record)}</bdi>`)}
        ${record.assigned === undefined ? "" : fact("From", html`<bdi>${names.user(record.user.id)}</bdi>`)}
        ${fact("Shown in", html`${surfaceOf(record.surface)}`)}
        ${fact("Asked", html`${timeOf(createdAt, now)} UTC`)}
        ${
          outcome === undefined
            ? html`${fact("Open for", html`${spanOf(now - createdAt)}`)}
              ${fact("Expires", html`${timeOf(expiresAt, now)} UTC`)}`
            : html`${fact("Ended", html`${timeOf(endedAt, now)} UTC, after ${spanOf(endedAt - createdAt)}`)}
              ${fact("Through", html`${changedBy === undefined ? "nobody" : surfaceOf(changedBy.through)}`)}`
        }
        ${asked?.schemaDigest === undefined ? "" : fact("Schema", html`<code>sha256 ${shortDigest(asked.schemaDigest)}</code>`)}
        ${asked === undefined ? "" : fact("Content", html`${asked.contentDigest === undefined ? "Not recorded" : "Recorded, sealed"}`)}
        ${fact("Request", html`<code>${record.request.elicitationId}</code>`)}
        ${fact("Turn", html`<code>${record.turnId}</code>`)}
      </dl>
      ${withdrawForm(shell, view)}
      ${
        log === undefined
          ? ""
          : html`<h2>Decision log</h2>
              ${tableOf("Decision log", decisionColumns(view), log.rows, "No row has its place in the log yet.")}
              ${log.isComplete ? "" : html`<p class="none">The user has many rows. There may be more of this request.</p>`}`
      }
    </div>`,
  );
}

function withdrawForm({ home }: Shell, { record, now, csrfToken }: RequestView): Html | "" {
  const isOpen = outcomeOf(record) === undefined && now < record.expiresAt;
  if (csrfToken === undefined || !isOpen) return "";
  const { elicitationId } = record.request;
  return html`<form method="post" action="${home}/requests/${elicitationId}/withdraw">
    <input type="hidden" name="csrf" value="${csrfToken}" />
    <button type="submit" aria-describedby="what">Withdraw</button>
    <p id="what" class="none">
      The user can no longer answer. The turn continues, and the tool learns that nobody did. The decision log
      says that it was you.
    </p>
  </form>`;
}
