import { html } from "hono/html";
import type { Html } from "../../src/connect/page/layout/html.ts";
import type { ElicitationRecord } from "../../src/runtime/internal.ts";
import { decisionColumns, countOf, shortDigest, spanOf, timeOf, chainState, recordState } from "./format.ts";
import { type Column, type Shell, documentOf, stateOf, tableOf } from "./document.ts";
import { COUNT_MOST, type Sight, figuresOf, isTriedAgain } from "./figures.ts";
import type { LimitUse } from "./limits.ts";
import type { LogTail } from "./log-tail.ts";
import { type Names, kindOf, surfaceOf, toolOf } from "./naming.ts";

/** The data of the first page. */
export interface Overview extends Sight {
  readonly now: number;
  readonly openRows: readonly ElicitationRecord[];
  readonly endedRows: readonly ElicitationRecord[];
  /** Paths of the next pages, if there are more rows. */
  readonly moreOpen: string | undefined;
  readonly moreEnded: string | undefined;
  readonly limits: readonly LimitUse[];
  readonly tail: LogTail | undefined;
  readonly names: Names;
}

export function overviewPage(shell: Shell, overview: Overview): Html {
  const { now } = overview;
  return documentOf(
    shell,
    "Operator",
    html`<h1 class="unseen">Requests of the agent to its users</h1>
      <dl class="figures">
        ${figuresOf(overview).map(
          ({ name, value, of }) =>
            html`<div>
              <dt>${name}</dt>
              <dd>${value} <small>${of}</small></dd>
            </div>`,
        )}
      </dl>
      <div class="columns">
        <div>
          <section>
            <h2>Open</h2>
            ${tableOf("Open", openColumns(shell, overview), overview.openRows, "Nothing waits for a user.")}
            ${more(overview.moreOpen, "Later ones")}
          </section>
          <section>
            <h2>Ended</h2>
            ${tableOf(
              "Ended",
              endedColumns(shell, overview),
              overview.endedRows,
              "Nothing has ended in the last 24 hours.",
            )}
            ${more(overview.moreEnded, "Earlier ones")}
          </section>
          ${logOf(shell, overview)}
        </div>
        <div>${processesOf(overview)} ${limitsOf(overview.limits)} ${noticesOf(overview)}</div>
      </div>
      <p class="asof">
        As of <time datetime="${new Date(now).toISOString()}">${timeOf(now, now)}</time> UTC.
        <a href="${shell.home}">Load again</a>
      </p>`,
  );
}

function linkedTool({ home, showContent }: Shell): (record: ElicitationRecord) => Html {
  return (record) =>
    html`<a href="${home}/requests/${record.request.elicitationId}"><bdi>${toolOf(record)}</bdi></a
      >${showContent ? html` <small><bdi>${record.request.message}</bdi></small>` : ""}`;
}

function openColumns(shell: Shell, { now, names }: Overview): readonly Column<ElicitationRecord>[] {
  return [
    { name: "Tool", cell: linkedTool(shell) },
    { name: "Kind", cell: kindOf },
    { name: "For", cell: (record) => whomOf(record, names) },
    { name: "Shown in", cell: ({ surface }) => surfaceOf(surface) },
    { name: "State", cell: (record) => recordState(record, now) },
    { name: "Open for", cell: ({ createdAt }) => spanOf(now - createdAt) },
  ];
}

function endedColumns(shell: Shell, { now, names }: Overview): readonly Column<ElicitationRecord>[] {
  return [
    { name: "Tool", cell: linkedTool(shell) },
    { name: "Kind", cell: kindOf },
    { name: "For", cell: (record) => whomOf(record, names) },
    {
      name: "Through",
      cell: ({ changedBy }) => (changedBy === undefined ? "nobody" : surfaceOf(changedBy.through)),
    },
    { name: "Outcome", cell: (record) => recordState(record, now) },
    { name: "Took", cell: ({ createdAt, endedAt = createdAt }) => spanOf(endedAt - createdAt) },
  ];
}

/** Names the user who can answer, and the user whose agent asks if they differ. */
function whomOf(record: ElicitationRecord, names: Names): Html {
  const { assigned, user } = record;
  const from = assigned && html` <small>from <bdi>${names.user(user.id)}</bdi></small>`;
  return html`<bdi>${names.decider(record)}</bdi>${from ?? ""}`;
}

function more(path: string | undefined, words: string): Html | "" {
  return path === undefined ? "" : html`<p class="more"><a href="${path}">${words}</a></p>`;
}

function logOf(shell: Shell, overview: Overview): Html {
  const { tail } = overview;
  if (tail === undefined) return html``;
  const [last] = tail.rows;
  const columns = decisionColumns(overview, {
    name: "Tool",
    cell: (row) => html`<a href="${shell.home}/requests/${row.elicitationId}"><bdi>${toolOf(row)}</bdi></a>`,
  });
  const waiting = tail.verification.ok ? tail.verification.waiting : 0;
  return html`<section>
    <h2>Decision log${last === undefined ? "" : `, row ${countOf(last.seq)}`}</h2>
    <dl class="facts">
      <div>
        <dt>Chain</dt>
        <dd>${chainState(tail.verification)}</dd>
      </div>
      ${
        last === undefined
          ? ""
          : html`<div>
              <dt>Row before</dt>
              <dd><code>sha256 ${shortDigest(last.previous)}</code></dd>
            </div>`
      }
      ${
        waiting === 0
          ? ""
          : html`<div>
              <dt>Not chained yet</dt>
              <dd>${countOf(waiting)} rows</dd>
            </div>`
      }
    </dl>
    ${tableOf("Decision log", columns, tail.rows, "No rows yet.")}
  </section>`;
}

function processesOf({ turns }: Overview): Html {
  if (turns === undefined) return html``;
  const { processes, parked } = turns;
  return html`<section>
    <h2>Processes</h2>
    ${tableOf(
      "Processes",
      [
        { name: "Process", cell: ({ id, isHere }) => (isHere ? "this one" : id) },
        {
          name: "State",
          cell: ({ isAlive }) =>
            isAlive ? stateOf("check", "alive", "good") : stateOf("alert", "gone", "bad"),
        },
        {
          name: "Turns",
          cell: ({ turns: count }) => `${countOf(count, COUNT_MOST)} ${count === 1 ? "turn" : "turns"}`,
        },
      ],
      processes,
      "",
    )}
    <p class="none">${countOf(parked, COUNT_MOST)} parked turns wait in no process.</p>
  </section>`;
}

function limitsOf(limits: readonly LimitUse[]): Html {
  return html`<section>
    <h2>Limits</h2>
    <dl class="limits">
      ${limits.map(
        ({ name, most, used }) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${used === undefined ? countOf(most) : `${countOf(used)} of ${countOf(most)}`}</dd>
            ${used === undefined ? "" : html`<dd class="meter"><meter aria-label="${name}" min="0" max="${most}" value="${used}"></meter></dd>`}
          </div>`,
      )}
    </dl>
  </section>`;
}

function noticesOf({ notices, now, names }: Overview): Html {
  if (notices === undefined) return html``;
  return html`<section>
    <h2>Notices</h2>
    ${
      notices.length === 0
        ? html`<p class="none">None is to come.</p>`
        : html`<ul class="notices">
            ${notices.slice(0, 5).map((notice) => {
              const { record, noticeAt, tries } = notice;
              const who = names.decider(record);
              if (isTriedAgain(notice))
                return html`<li>${stateOf("alert", `${who}, try ${tries}`, "bad")}</li>`;
              const when = noticeAt <= now ? "due" : `at ${timeOf(noticeAt, now)}`;
              return html`<li>${who}, ${notice.noticeId === undefined ? when : "on its way"}</li>`;
            })}
          </ul>`
    }
  </section>`;
}
