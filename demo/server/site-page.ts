import { html } from "hono/html";

export type Html = ReturnType<typeof html>;

/** A page of another company's site, small enough for a popup beside the chat. It links to `/style.css`. */
export function sitePage(title: string, site: string, body: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · ${site}</title>
        <link rel="stylesheet" href="/style.css" />
      </head>
      <body>
        <main>${body}</main>
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

/** Uses the values of the kit's tokens, but does not import them, because these pages represent another company's. */
export const STYLE = `
:root { color-scheme: light dark; font: 400 0.9375rem/1.5 system-ui, sans-serif;
  --ink: light-dark(#18181b, #f4f4f5); --on-ink: light-dark(#ffffff, #18181b);
  --edge: light-dark(#8b8b95, #777782); --soft: light-dark(#5c5c66, #a8a8b3); }
body { margin: 0; background: light-dark(#ffffff, #1a1a1d); color: var(--ink); }
main { box-sizing: border-box; max-inline-size: 26rem; margin-inline: auto; padding: 1.5rem 1.25rem; }
h1 { margin: 0 0 0.5rem; font-size: 1.25rem; line-height: 1.75rem; letter-spacing: -0.01em; overflow-wrap: anywhere; }
p, ul { margin: 0 0 0.75rem; }
label { display: block; font-size: 0.8125rem; font-weight: 500; }
input, select { box-sizing: border-box; inline-size: 100%; min-block-size: 2.25rem; margin-block-end: 0.75rem;
  padding: 0.25rem 0.625rem; border: 1px solid var(--edge); border-radius: 0.5rem; background: transparent;
  color: inherit; font: inherit; }
option { background: light-dark(#ffffff, #1a1a1d); }
#hint { margin-block-start: -0.5rem; color: var(--soft); font-size: 0.75rem; }
button { inline-size: 100%; min-block-size: 2.25rem; margin-block-end: 0.5rem; padding: 0.25rem 0.875rem;
  border: 1px solid transparent; border-radius: 0.5rem; background: var(--ink); color: var(--on-ink);
  font: inherit; font-weight: 500; cursor: pointer; }
button.plain { border-color: var(--edge); background: transparent; color: inherit; }
[role="alert"] { padding: 0.5rem 0.75rem; border: 1px solid light-dark(#f5c9c4, #66302a); border-radius: 0.5rem;
  background: light-dark(#fef3f2, #2f1a18); }
:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px; }
@media (pointer: coarse) { button, input, select { min-block-size: 2.75rem; font-size: 1rem; } }
`;
