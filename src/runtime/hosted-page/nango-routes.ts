import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { isObject } from "../../protocol/json.ts";
import type { ElicitationRecord } from "../core/index.ts";
import { outcomeOf } from "../core/internal.ts";
import type { PageApp, PageContext, PageEnv } from "./context.ts";
import { keepForEnd } from "./identity-gate.ts";
import { unavailablePage } from "./identity-pages.ts";
import { codeOf } from "./nango.ts";
import { NANGO_SCRIPT } from "./nango-script.ts";
import { createNangoSessions } from "./nango-sessions.ts";
import type { NangoConnector } from "./page-request.ts";
import { MAX_FORM_BYTES, type Submission, submissionOf } from "./submission.ts";

const MAX_WEBHOOK_BYTES = 64 * 1024;
const JAVASCRIPT = { "content-type": "text/javascript; charset=utf-8" };

/**
 * A connection that Nango makes in a window of its own. The page's script says which one; what counts is what Nango
 * says of it. Its webhook says the same when the page did not live to see it.
 */
export function addNangoRoutes(
  app: PageApp,
  context: PageContext & {
    /** Modules of `@nangohq/frontend` by file name. */
    frontend: Readonly<Record<string, string>>;
  },
): void {
  const { elicitations, clock, onError, frontend } = context;
  const sessions = createNangoSessions(elicitations, onError);
  const formLimit = bodyLimit({ maxSize: MAX_FORM_BYTES });

  app.get("/auth/connect-nango.js", (c) => c.body(NANGO_SCRIPT, 200, JAVASCRIPT));
  app.get("/auth/nango/:file", (c) => {
    const file = c.req.param("file");
    const module = Object.hasOwn(frontend, file) ? frontend[file] : undefined;
    return module === undefined ? c.html(unavailablePage(), 404) : c.body(module, 200, JAVASCRIPT);
  });

  app.post("/auth/connect/nango/session", formLimit, async (c) => {
    const submitted = await submittedBy(c);
    if (submitted instanceof Response) return submitted;
    const { record, connection, outcome } = submitted;
    if (outcome !== undefined) return c.json({ ended: true }, 409);
    const { elicitationId } = record.request;
    await elicitations.retry(elicitationId);
    try {
      const token = await sessions.start(connection.client, record);
      const now = await elicitations.get(elicitationId);
      if (now === undefined || outcomeOf(now) !== undefined) {
        // It ended while Nango was asked, before anybody listened for that.
        await sessions.end(elicitationId);
        return c.json({ ended: true }, 409);
      }
      const { integration } = connection.provider;
      const msLeft = record.expiresAt - clock.now();
      return c.json({ token, integration, host: connection.client.host, msLeft });
    } catch (error) {
      onError(error);
      await elicitations.fail(elicitationId, `${connection.provider.service} could not be reached.`);
      return c.json({}, 502);
    }
  });

  app.post("/auth/connect/nango/failed", formLimit, async (c) => {
    const submitted = await submittedBy(c, { isReturning: true });
    if (submitted instanceof Response) return submitted;
    const { elicitationId } = submitted.record.request;
    await elicitations.fail(elicitationId, failureText(submitted));
    return c.json({});
  });

  app.post("/auth/connect/nango/complete", formLimit, async (c) => {
    const submitted = await submittedBy(c, { isReturning: true });
    if (submitted instanceof Response) return submitted;
    const { record, toolId, connection, field } = submitted;
    const isTheirs = await settle(record, toolId, connection, field("connectionId") ?? "");
    if (!isTheirs) return c.html(unavailablePage(), 403);
    await keepForEnd(c, context, submitted.elicitationId);
    return c.json({});
  });

  app.post("/auth/connect/nango/webhook", bodyLimit({ maxSize: MAX_WEBHOOK_BYTES }), async (c) => {
    const body = await c.req.text();
    const headers = c.req.header();
    const signers = [...context.connections.values()].filter(
      (connection): connection is NangoConnector =>
        connection.kind === "nango" && connection.provider.nango.verifyIncomingWebhookRequest(body, headers),
    );
    if (signers.length === 0) return c.json({ error: "The signature is missing or wrong." }, 401);
    await receive(body, signers);
    // Nango would send again what it believes was not received.
    return c.json({ received: true });
  });

  async function receive(body: string, signers: readonly NangoConnector[]): Promise<void> {
    const event = parseEvent(body);
    const signer = signers.find(({ provider }) => provider.integration === event?.integration);
    if (event === undefined || signer === undefined) return;
    const record = await elicitations.get(event.elicitationId);
    const toolId = record?.tool?.id ?? "";
    const connection = context.connections.get(toolId);
    if (
      record === undefined ||
      connection?.kind !== "nango" ||
      connection.provider.nango !== signer.provider.nango
    ) {
      await removeUnwanted(signer, event.elicitationId, "unknown");
      return;
    }
    await settle(record, toolId, connection, event.connectionId);
  }

  /** `false`: not a connection that was made for this request by this person. */
  async function settle(
    { request, user }: ElicitationRecord,
    toolId: string,
    connector: NangoConnector,
    connectionId: string,
  ): Promise<boolean> {
    const { elicitationId } = request;
    const found = connectionId === "" ? undefined : await connector.client.find(connectionId);
    if (found === undefined || found.elicitationId !== elicitationId || found.userId !== user.id)
      return false;
    await elicitations.complete(elicitationId, () => connector.client.confirm(found, toolId));
    await sessions.end(elicitationId);
    const now = await elicitations.get(elicitationId);
    await removeUnwanted(connector, elicitationId, now === undefined ? "unknown" : outcomeOf(now));
    return true;
  }

  async function submittedBy(
    c: Context<PageEnv>,
    options?: { isReturning: boolean },
  ): Promise<(Submission & { connection: NangoConnector }) | Response> {
    const submitted = await submissionOf(c, context, options);
    if (submitted instanceof Response) return submitted;
    const { connection } = submitted;
    return connection.kind === "nango" ? { ...submitted, connection } : c.html(unavailablePage(), 404);
  }
}

/**
 * A request leaves one connection behind when it was accepted, and none otherwise. While the accepted one is not yet
 * confirmed, by whoever was first, all of them stay: it might be any of them.
 */
async function removeUnwanted(
  { client }: NangoConnector,
  elicitationId: string,
  outcome: ReturnType<typeof outcomeOf> | "unknown",
): Promise<void> {
  const made = await client.listByElicitation(elicitationId);
  const unconfirmed = made.filter(({ confirmedFor }) => confirmedFor === undefined);
  if (outcome === undefined || (outcome === "accepted" && unconfirmed.length === made.length)) return;
  for (const { id } of unconfirmed) await client.remove(id);
}

function failureText({ connection, field }: Submission): string {
  const { service } = connection.provider;
  if (field("isDenied") === "true") return `Access to ${service} was not granted.`;
  const code = codeOf(field("code"));
  return code === undefined ? `${service} was not connected.` : `${service} was not connected (${code}).`;
}

interface NangoEvent {
  integration: string;
  connectionId: string;
  elicitationId: string;
}

/** The webhook of a connection that was made. Failures come without tags: nobody can tell what they are about. */
function parseEvent(body: string): NangoEvent | undefined {
  let event: unknown;
  try {
    event = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (!isObject(event) || event["type"] !== "auth" || event["success"] !== true) return undefined;
  const { providerConfigKey: integration, connectionId, tags } = event;
  const elicitationId = isObject(tags) ? tags["elicitation_id"] : undefined;
  return typeof integration === "string" &&
    typeof connectionId === "string" &&
    typeof elicitationId === "string"
    ? { integration, connectionId, elicitationId }
    : undefined;
}
