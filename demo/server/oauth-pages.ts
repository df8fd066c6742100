import { html } from "hono/html";
import { type Html, sitePage } from "./site-page.ts";

/** A sign-in or consent in progress. */
export interface Step {
  /** The URL to which its forms are sent, without a slash at the end. */
  action: string;
  /** Name of the application that asks, as registered. */
  client: string;
  /** The service to which the user signs in. */
  site: string;
}

/** Describes what a scope allows an application to do. */
const SCOPES: ReadonlyMap<string, string> = new Map([
  ["issues:write", "Read your issues and create new ones"],
  ["mail:send", "Send mail from your address"],
  ["wiki:read", "Read your pages"],
  ["wiki:write", "Write and publish pages as you"],
]);

/** @param wrong the message after a failed attempt, and the account that the user had selected */
export function loginPage({ action, client, site }: Step, accounts: readonly string[], wrong?: Wrong): Html {
  return sitePage({
    title: "Sign in",
    site,
    body: html`<div>
        <h1>Sign in to the ${site.toLowerCase()}</h1>
        <p class="lead"><b>${client}</b> asks for access to your account.</p>
      </div>
      ${wrong === undefined ? "" : html`<p role="alert" id="wrong">${wrong.message}</p>`}
      <form method="post" action="${action}/login" id="login">
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
        <p id="hint" class="hint">This is a demo: any password will do.</p>
      </form>`,
    bar: html`<div><button type="submit" form="login">Sign in</button></div>
      <form method="post" action="${action}/deny"><button type="submit" class="plain">Cancel</button></form>`,
  });
}

export interface Wrong {
  message: string;
  account: string | undefined;
}

export interface Consent extends Step {
  account: string;
  scopes: readonly string[];
  /** The origin that the user returns to. */
  returnsTo: string;
}

export function consentPage({ action, client, site, account, scopes, returnsTo }: Consent): Html {
  return sitePage({
    title: "Allow access",
    site,
    body: html`<div>
        <h1>Allow ${client} to use your ${site.toLowerCase()}?</h1>
        <p class="lead">You are signed in as <b>${account}</b>. It will be able to:</p>
      </div>
      <ul>
        ${scopes.map((scope) => html`<li>${SCOPES.get(scope) ?? scope}</li>`)}
      </ul>
      <p>You will go back to <b>${returnsTo}</b>.</p>`,
    bar: html`<form method="post" action="${action}/allow"><button type="submit">Allow</button></form>
      <form method="post" action="${action}/deny"><button type="submit" class="plain">Deny</button></form>`,
  });
}

export function errorPage(message: string): Html {
  return sitePage({
    title: "Something went wrong",
    site: "Demo account",
    body: html`<h1>Something went wrong</h1>
      <p role="alert">${message}</p>
      <p>Close this window and start again from the chat.</p>`,
  });
}
