import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import { readBytes } from "../../base/read-body.ts";
import { isObject } from "../../contract/json.ts";
import { parseJson } from "../../contract/parse-json.ts";
import { type ElicitationRecord, outcomeOf } from "../../runtime/internal.ts";
import { byAccount } from "../ports/credentials.ts";
import { ON_PAGE, type PageApp, type PageContext, type PageEnv } from "../page/context.ts";
import { proveForEnd, unavailable } from "../page/identity/identity-gate.ts";
import { createNangoAccounts } from "./nango-accounts.ts";
import type { NangoClient, NangoProvider } from "./nango.ts";
import { storing } from "../page/store-account.ts";
import { NANGO_SCRIPT } from "./nango-script.ts";
import { createNangoSessions } from "./nango-sessions.ts";
import { type Submission, submissionOf } from "../page/csrf-forms.ts";
import { recordFault } from "../page/sign-in/faults.ts";
import { html } from "hono/html";
import type { Html } from "../page/layout/html.ts";
import type { PageView } from "../page/layout/layout.ts";
import { alertOf } from "../page/layout/page-parts.ts";
import { type Consent, consentPage } from "../page/connect-page.ts";

const MAX_WEBHOOK_BYTES = 64 * 1024;
const JAVASCRIPT = { "content-type": "text/javascript; charset=utf-8" };

export interface NangoIntegration {
  readonly provider: NangoProvider;
  readonly client: NangoClient;
}

/**
 * Adds the routes for connections that Nango makes in its own window. The page's script reports the connection, and the
 * server verifies it with Nango. If the page was closed before that, Nango's webhook reports it.
 */
export function addNangoRoutes(
  app: PageApp,
  context: PageContext,
  {
    integrations,
    frontend,
  }: {
    /** By tool id. */
    integrations: ReadonlyMap<string, NangoIntegration>;
    /** Modules of `@nangohq/frontend` by file name. */
    frontend: Readonly<Record<string, string>>;
  },
): void {
  const { elicitations, onError } = context;
  const sessions = createNangoSessions(elicitations, onError);

  app.get("/auth/connect-nango.js", (c) => c.body(NANGO_SCRIPT, 200, JAVASCRIPT));
  app.get("/auth/nango/:file", async (c) => {
    const file = c.req.param("file");
    const module = Object.hasOwn(frontend, file) ? frontend[file] : undefined;
    return module === undefined ? unavailable(c, context, { status: 404 }) : c.body(module, 200, JAVASCRIPT);
  });

  app.post("/auth/connect/nango/session", async (c) => {
    const submitted = await submittedBy(c);
    if (submitted instanceof Response) return submitted;
    const { record, integration, outcome } = submitted;
    const { client, provider } = integration;
    if (outcome !== undefined) return c.json({ ended: true }, 409);
    const { elicitationId } = record.request;
    await elicitations.retry(elicitationId, ON_PAGE);
    try {
      const token = await sessions.start(client, record);
      const now = await elicitations.get(elicitationId);
      if (now === undefined || outcomeOf(now) !== undefined) {
        // The request ended during the call to Nango, before `sessions` listened for its end.
        await sessions.end(elicitationId);
        return c.json({ ended: true }, 409);
      }
      return c.json({ token, integration: provider.integration, host: client.host });
    } catch (error) {
      onError(error);
      const { words } = c.get("view");
      const fault = { reason: "unavailable" } as const;
      await recordFault(context, elicitationId, { fault, service: provider.service, words });
      return c.json({}, 502);
    }
  });

  app.post("/auth/connect/nango/failed", async (c) => {
    const submitted = await submittedBy(c, { isReturning: true });
    if (submitted instanceof Response) return submitted;
    const { connector, elicitationId, field } = submitted;
    const isDenied = field("isDenied") === "true";
    const fault = { reason: isDenied ? "denied" : "not-connected", code: field("code") } as const;
    await recordFault(context, elicitationId, {
      fault,
      service: connector.service,
      words: c.get("view").words,
    });
    return c.json({});
  });

  app.post("/auth/connect/nango/complete", async (c) => {
    const submitted = await submittedBy(c, { isReturning: true });
    if (submitted instanceof Response) return submitted;
    const { record, toolId, integration, field } = submitted;
    const connectionId = field("connectionId") ?? "";
    const isTheirs = await settle(record, { toolId, integration, connectionId, reported: ON_PAGE });
    if (!isTheirs) return unavailable(c, context, { status: 403 });
    await proveForEnd(c, context, submitted.elicitationId);
    return c.json({});
  });

  app.post("/auth/connect/nango/webhook", async (c) => {
    const bytes = await readBytes(c.req.raw, { maxBytes: MAX_WEBHOOK_BYTES });
    if (!(bytes instanceof Uint8Array)) throw new HTTPException(bytes.status);
    const body = new TextDecoder().decode(bytes);
    const headers = c.req.header();
    const signers = [...integrations.values()].filter(({ provider }) =>
      provider.nango.verifyIncomingWebhookRequest(body, headers),
    );
    if (signers.length === 0) return c.json({ error: "The signature is missing or wrong." }, 401);
    await receive(body, signers);
    // Without a 2xx status, Nango would send the webhook again.
    return c.json({ received: true });
  });

  async function receive(body: string, signers: readonly NangoIntegration[]): Promise<void> {
    const event = parseEvent(body);
    const signer = signers.find(({ provider }) => provider.integration === event?.integration);
    if (event === undefined || signer === undefined) return;
    const record = await elicitations.get(event.elicitationId);
    const toolId = record?.tool?.id ?? "";
    const integration = byAccount(integrations, toolId);
    if (record === undefined || integration?.provider.nango !== signer.provider.nango) {
      await removeUnwanted(signer, event.elicitationId, "unknown");
      return;
    }
    const { connectionId } = event;
    await settle(record, { toolId, integration, connectionId, reported: {} });
  }

  /**
   * `false`: the connection was not made for this request by this user. `reported`: the source of the report, the user's
   * page or Nango.
   */
  async function settle(
    record: ElicitationRecord,
    {
      toolId,
      integration,
      connectionId,
      reported,
    }: {
      toolId: string;
      integration: NangoIntegration;
      connectionId: string;
      reported: { through?: string };
    },
  ): Promise<boolean> {
    const { client } = integration;
    const { request, user } = record;
    const { elicitationId } = request;
    const found = connectionId === "" ? undefined : await client.find(connectionId);
    if (found === undefined || found.elicitationId !== elicitationId || found.userId !== user.id)
      return false;
    const connector = createNangoAccounts(client);
    const store = storing(context, { record, toolId, connector }, () => client.confirm(found, toolId));
    const completion = elicitations.complete(elicitationId, store, reported);
    const [completed] = await Promise.allSettled([completion]);
    const now = await elicitations.get(elicitationId);
    if (completed.status === "rejected") {
      // The request is still open. After an error, Nango sends its webhook again.
      if (now !== undefined && outcomeOf(now) === undefined) throw completed.reason;
      onError(completed.reason);
    }
    await sessions.end(elicitationId);
    await removeUnwanted(integration, elicitationId, now === undefined ? "unknown" : outcomeOf(now));
    return true;
  }

  async function submittedBy(
    c: Context<PageEnv>,
    options?: { isReturning: boolean },
  ): Promise<(Submission & { integration: NangoIntegration }) | Response> {
    const submitted = await submissionOf(c, context, options);
    if (submitted instanceof Response) return submitted;
    const integration = byAccount(integrations, submitted.toolId);
    return integration === undefined
      ? unavailable(c, context, { status: 404 })
      : { ...submitted, integration };
  }
}

/**
 * Removes connections that will not be used: an accepted request keeps the confirmed one, any other request keeps none.
 * While an accepted request has no confirmed connection yet, all stay, since any of them may be the one.
 */
async function removeUnwanted(
  { client }: NangoIntegration,
  elicitationId: string,
  outcome: ReturnType<typeof outcomeOf> | "unknown",
): Promise<void> {
  const made = await client.listByElicitation(elicitationId);
  const unconfirmed = made.filter(({ confirmedFor }) => confirmedFor === undefined);
  if (outcome === undefined || (outcome === "accepted" && unconfirmed.length === made.length)) return;
  for (const { id } of unconfirmed) await client.remove(id);
}

interface NangoEvent {
  integration: string;
  connectionId: string;
  elicitationId: string;
}

/** Parses the webhook of a new connection. Webhooks of failures have no tags, so they cannot be assigned to a request. */
function parseEvent(body: string): NangoEvent | undefined {
  const event = parseJson(body);
  if (!isObject(event) || event["type"] !== "auth" || event["success"] !== true) return undefined;
  const { providerConfigKey: integration, connectionId, tags } = event;
  const elicitationId = isObject(tags) ? tags["elicitation_id"] : undefined;
  return typeof integration === "string" &&
    typeof connectionId === "string" &&
    typeof elicitationId === "string"
    ? { integration, connectionId, elicitationId }
    : undefined;
}

/** The page that connects through Nango, with a script and in a separate window. */
export function nangoPage(view: PageView, consent: Consent): Html {
  const cutOpener = consent.cutOpener ? html` data-cut-opener="true"` : "";
  return consentPage(view, consent, {
    module: "/auth/connect-nango.js",
    attributes: html`action="/auth/connect/nango/session" hidden data-nango="true"${cutOpener}`,
    states: nangoStates(view),
  });
}

function nangoStates({ words }: PageView): Html {
  const { starting, waiting, blocked, offline, needsScript } = words.nango;
  return html`<div role="status">
      <p id="nango-starting" data-nango-state hidden>${starting}</p>
      <p id="nango-waiting" data-nango-state hidden>${waiting}</p>
      <p id="nango-blocked" data-nango-state hidden>${blocked}</p>
      <p id="nango-offline" data-nango-state hidden>${offline}</p>
    </div>
    <noscript>${alertOf(needsScript)}</noscript>`;
}
