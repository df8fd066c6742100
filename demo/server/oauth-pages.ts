import { html } from "hono/html";

type Html = ReturnType<typeof html>;

/** One sign-in or consent that is under way. */
export interface Step {
  /** Where its forms are sent, without a slash at the end. */
  action: string;
  /** Name of the application that asks, as registered. */
  client: string;
}

/** What a scope lets an application do, in words. */
const SCOPES: ReadonlyMap<string, string> = new Map([
  ["issues:write", "Read your issues and create new ones"],
]);

/** @param wrong what to say after a failed attempt, and the account that was chosen in it */
export function loginPage({ action, client }: Step, accounts: readonly string[], wrong?: Wrong): Html {
  return page(
    "Sign in",
    html`<h1>Sign in to the demo tracker</h1>
      <p><strong>${client}</strong> asks for access to your account.</p>
      ${wrong === undefined ? "" : html`<p role="alert" id="wrong">${wrong.message}</p>`}
      <form method="post" action="${action}/login">
        <label for="account">Account</label>
        <select id="account" name="account">
          ${accounts.map((name) => html`<option ${name === wrong?.account ? "selected" : ""}>${name}</option>`)}
        </select>
        <label for="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          required
          autocomplete="off"
          aria-describedby="hint ${wrong === undefined ? "" : "wrong"}"
          aria-invalid="${wrong === undefined ? "false" : "true"}"
        />
        <p id="hint">This is a demo: any password will do.</p>
        <button type="submit">Sign in</button>
      </form>
      <form method="post" action="${action}/deny"><button type="submit" class="plain">Cancel</button></form>`,
  );
}

export interface Wrong {
  message: string;
  account: string | undefined;
}

export interface Consent extends Step {
  account: string;
  scopes: readonly string[];
  /** Origin that the person goes back to. */
  returnsTo: string;
}

export function consentPage({ action, client, account, scopes, returnsTo }: Consent): Html {
  return page(
    "Allow access",
    html`<h1>Allow ${client} to use your tracker?</h1>
      <p>You are signed in as <strong>${account}</strong>. It will be able to:</p>
      <ul>
        ${scopes.map((scope) => html`<li>${SCOPES.get(scope) ?? scope}</li>`)}
      </ul>
      <p>You will go back to <strong>${returnsTo}</strong>.</p>
      <form method="post" action="${action}/allow"><button type="submit">Allow</button></form>
      <form method="post" action="${action}/deny"><button type="submit" class="plain">Deny</button></form>`,
  );
}

export function errorPage(message: string): Html {
  return page(
    "Something went wrong",
    html`<h1>Something went wrong</h1>
      <p role="alert">${message}</p>
      <p>Close this window and start again from the chat.</p>`,
  );
}

function page(title: string, body: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Demo tracker</title>
        <link rel="stylesheet" href="/style.css" />
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html>`;
}

/** @param returnsTo a form's answer may redirect there; browsers hold redirects to the same policy */
export function pageHeaders(returnsTo = ""): [string, string][] {
  return [
    [
      "content-security-policy",
      `default-src 'none'; style-src 'self'; form-action 'self' ${returnsTo}; frame-ancestors 'none'; base-uri 'none'`,
    ],
    ["x-frame-options", "DENY"],
    ["x-content-type-options", "nosniff"],
    // Not `no-referrer`, which turns the Origin of the forms into `null`.
    ["referrer-policy", "same-origin"],
    ["cache-control", "no-store"],
  ];
}

export const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; background: Canvas; color: CanvasText; }
main { box-sizing: border-box; max-inline-size: 26rem; margin-inline: auto; padding: 2rem 1rem; }
h1 { font-size: 1.25rem; overflow-wrap: anywhere; }
label { display: block; font-weight: 600; }
input, select { box-sizing: border-box; inline-size: 100%; margin-block-end: 1rem; padding: 0.5rem; font: inherit;
  border: 1px solid light-dark(#6b7280, #9ca3af); border-radius: 0.375rem; background: Field; color: FieldText; }
button { inline-size: 100%; margin-block-end: 0.5rem; padding: 0.625rem; font: inherit; font-weight: 600;
  border: 1px solid transparent; border-radius: 0.375rem; background: light-dark(#1d4ed8, #93b4ff);
  color: light-dark(#ffffff, #0b1020); cursor: pointer; }
button.plain { background: transparent; color: inherit; border-color: light-dark(#6b7280, #9ca3af); }
[role="alert"] { padding: 0.5rem 0.75rem; border-inline-start: 4px solid light-dark(#b91c1c, #fca5a5); }
:focus-visible { outline: 3px solid light-dark(#1d4ed8, #93b4ff); outline-offset: 2px; }
`;
