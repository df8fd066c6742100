import { html, raw } from "hono/html";
import type { PageBrand } from "../../src/connect/page/layout/brand.ts";
import type { Html } from "../../src/connect/page/layout/html.ts";
import { type IconName, icon } from "../../src/connect/page/layout/images.ts";
import { monogram } from "../../src/connect/page/layout/layout.ts";

/** The parts that every operator page has. */
export interface Shell {
  readonly brand: PageBrand | undefined;
  readonly style: string;
  readonly host: string;
  /** Path of the first page. */
  readonly home: string;
  readonly allowWithdraw: boolean;
  readonly showContent: boolean;
}

/** A whole page without scripts. `style` is its only inline text. The content security policy allows it by its digest. */
export function documentOf(shell: Shell, title: string, content: Html): Html {
  const { brand, host } = shell;
  const name = brand?.name ?? host;
  return bareDocument(
    shell,
    title,
    html`<header class="brand">
        ${
          brand?.logo === undefined
            ? monogram("logo", name)
            : html`<img class="logo" alt="" src="${brand.logo}" />`
        }
        <span class="name">${name}</span><a class="where" href="${shell.home}">Operator</a>
        <span class="mode">${icon("eye")}${modeOf(shell)}</span>
      </header>
      <main>${content}</main>`,
  );
}

function modeOf({ allowWithdraw, showContent }: Shell): string {
  const may = allowWithdraw ? "May withdraw" : "Read only";
  return `${may} · ${showContent ? "questions and names shown" : "content hidden"}`;
}

/** A page that shows one message. */
export function messageDocument(
  shell: Pick<Shell, "style" | "host" | "brand">,
  { title, text, mark }: { title: string; text: string; mark: IconName },
): Html {
  return bareDocument(
    shell,
    title,
    html`<main>
      <div class="message">
        <span class="mark">${icon(mark)}</span>
        <h1>${title}</h1>
        <p>${text}</p>
      </div>
    </main>`,
  );
}

function bareDocument(
  { style, brand, host }: Pick<Shell, "style" | "host" | "brand">,
  title: string,
  body: Html,
): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} · ${brand?.name ?? host}</title>
        ${raw(`<style>${style}</style>`)}
      </head>
      <body>
        ${body}
      </body>
    </html>`;
}

/** Returns the cell of a row. */
export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => Html | string;
}

/**
 * A table that becomes a list of cards on a narrow screen. The roles are explicit, because a table loses them when CSS
 * changes its display.
 */
export function tableOf<Row>(
  name: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  none: string,
): Html {
  if (rows.length === 0) return html`<p class="none">${none}</p>`;
  return html`<table role="table" aria-label="${name}">
    <thead role="rowgroup">
      <tr role="row">
        ${columns.map((column) => html`<th role="columnheader" scope="col">${column.name}</th>`)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map(
        (row) =>
          html`<tr role="row">
            ${columns.map(
              (column) =>
                html`<td role="cell" data-label="${column.name}"><span>${column.cell(row)}</span></td>`,
            )}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** A state, shown with an icon and not by colour alone. */
export function stateOf(mark: IconName, words: string, kind?: "good" | "bad"): Html {
  return html`<span class="state" data-kind="${kind ?? "plain"}">${icon(mark)}${words}</span>`;
}
