import { html } from "hono/html";

export type Html = ReturnType<typeof html>;

export interface SitePage {
  title: string;
  /** The name of the company's site. */
  site: string;
  /** The company's sign. @default the first letter of the site's name */
  sign?: Html | undefined;
  /** The address of the page, shown beside the name. */
  host?: string | undefined;
  /** @default English */
  language?: { readonly locale: string; readonly dir: "ltr" | "rtl" } | undefined;
  body: Html;
  /** The buttons, which stay in sight. */
  bar?: Html | undefined;
}

/** A page of another company's site, small enough for a popup beside the chat. It links to `/style.css`. */
export function sitePage({ title, site, sign, host, language, body, bar }: SitePage): Html {
  const { locale, dir } = language ?? { locale: "en", dir: "ltr" };
  return html`<!doctype html>
    <html lang="${locale}" dir="${dir}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · ${site}</title>
        <link rel="stylesheet" href="/style.css" />
      </head>
      <body>
        <header>
          <span class="logo" aria-hidden="true">${sign ?? site.slice(0, 1)}</span><b>${site}</b>
          ${host === undefined ? "" : html`<bdi>${host}</bdi>`}
        </header>
        <main>${body}${bar === undefined ? "" : html`<div class="bar">${bar}</div>`}</main>
      </body>
    </html>`;
}

/** @param returnsTo an origin to which the form may redirect; browsers apply the policy to redirects too */
export function pageHeaders(returnsTo = ""): [string, string][] {
  return [
    [
      "content-security-policy",
      `default-src 'none'; style-src 'self'; form-action 'self' ${returnsTo}; frame-ancestors 'none'; base-uri 'none'`,
    ],
    ["x-frame-options", "DENY"],
    ["x-content-type-options", "nosniff"],
    // Not `no-referrer`, which would change the Origin header of the forms to `null`.
    ["referrer-policy", "same-origin"],
    ["cache-control", "no-store"],
  ];
}
