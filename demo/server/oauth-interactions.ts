import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { csrf } from "hono/csrf";
import { HTTPException } from "hono/http-exception";
import { errors, type Provider } from "oidc-provider";
import { USERS } from "./accounts.ts";
import { consentPage, errorPage, loginPage, type Step } from "./oauth-pages.ts";
import { pageHeaders } from "./site-page.ts";
import { STYLE } from "./site-style.ts";

type Env = { Bindings: HttpBindings };

/**
 * The two pages for a user, sign-in and consent, in front of the provider's own endpoints.
 *
 * @param titleOf the display name of a resource
 */
export function createInteractions(
  provider: Provider,
  titleOf: (resource: string | undefined) => string,
): Hono<Env> {
  const protocol = provider.callback();

  /** Returns the current step of this browser. Refuses any other step, and the steps of other browsers. */
  async function stepOf(c: Context<Env>, name?: "login" | "consent") {
    const interaction = await provider.interactionDetails(c.env.incoming, c.env.outgoing);
    const { uid, prompt, params } = interaction;
    const client = await provider.Client.find(String(params["client_id"]));
    if (client === undefined || (name !== undefined && prompt.name !== name)) {
      throw new errors.SessionNotFound("this step is over");
    }
    const [resource] = [params["resource"]].flat();
    const step: Step = {
      action: `/interaction/${uid}`,
      client: client.clientName ?? client.clientId,
      site: titleOf(typeof resource === "string" ? resource : undefined),
    };
    const returnsTo = new URL(String(params["redirect_uri"])).origin;
    for (const [header, value] of pageHeaders(returnsTo)) c.header(header, value);
    return { interaction, step, returnsTo };
  }

  async function finish(
    c: Context<Env>,
    result: Parameters<Provider["interactionResult"]>[2],
  ): Promise<Response> {
    return c.redirect(await provider.interactionResult(c.env.incoming, c.env.outgoing, result), 303);
  }

  return new Hono<Env>()
    .use("/interaction/*", csrf(), bodyLimit({ maxSize: 4096 }))
    .get("/interaction/:uid", async (c) => {
      const { interaction, step, returnsTo } = await stepOf(c);
      if (interaction.prompt.name === "login") return c.html(loginPage(step, USERS));
      const account = interaction.session?.accountId ?? "";
      const scopes = [...missingScopes(interaction.prompt.details).values()].flat();
      return c.html(consentPage({ ...step, account, scopes, returnsTo }));
    })
    .post("/interaction/:uid/login", async (c) => {
      const { step } = await stepOf(c, "login");
      const { account, password } = await c.req.parseBody();
      const accountId = USERS.find((user) => user === account);
      if (accountId !== undefined && password !== undefined && password !== "") {
        return finish(c, { login: { accountId, remember: false } });
      }
      const message = accountId === undefined ? "There is no such account." : "Type any password.";
      return c.html(loginPage(step, USERS, { message, account: accountId }), 422);
    })
    .post("/interaction/:uid/allow", async (c) => {
      const { interaction } = await stepOf(c, "consent");
      const grant = new provider.Grant({
        accountId: interaction.session?.accountId ?? "",
        clientId: String(interaction.params["client_id"]),
      });
      for (const [resource, scopes] of missingScopes(interaction.prompt.details)) {
        if (resource === undefined) grant.addOIDCScope(scopes.join(" "));
        else grant.addResourceScope(resource, scopes.join(" "));
      }
      return finish(c, { ...interaction.lastSubmission, consent: { grantId: await grant.save() } });
    })
    .post("/interaction/:uid/deny", async (c) => {
      await stepOf(c);
      return finish(c, { error: "access_denied", error_description: "the person did not allow access" });
    })
    .get("/style.css", (c) => c.body(STYLE, 200, { "content-type": "text/css; charset=utf-8" }))
    .all("*", async (c) => {
      await protocol(c.env.incoming, c.env.outgoing);
      return RESPONSE_ALREADY_SENT;
    })
    .onError((error, c) => {
      if (error instanceof HTTPException) return error.getResponse();
      for (const [name, value] of pageHeaders()) c.header(name, value);
      if (error instanceof errors.SessionNotFound) {
        return c.html(errorPage("This step is over, or it was started in another browser."), 400);
      }
      // Logs only the message, because the request may contain a password, and removes control characters.
      console.error(`elicit-kit: the OAuth server failed: ${error.message.replaceAll(/\p{C}/gu, "?")}`);
      return c.html(errorPage("The OAuth server made a mistake."), 500);
    });
}

/**
 * The scopes that are not granted yet, by resource; `undefined` stands for the OAuth server itself (such as `openid`).
 */
function missingScopes(details: Readonly<Record<string, unknown>>): Map<string | undefined, string[]> {
  const { missingOIDCScope, missingResourceScopes } = details;
  const found = new Map<string | undefined, string[]>();
  if (Array.isArray(missingOIDCScope)) found.set(undefined, missingOIDCScope.map(String));
  if (typeof missingResourceScopes === "object" && missingResourceScopes !== null) {
    for (const [resource, scopes] of Object.entries(missingResourceScopes)) {
      if (Array.isArray(scopes)) found.set(resource, scopes.map(String));
    }
  }
  return found;
}
