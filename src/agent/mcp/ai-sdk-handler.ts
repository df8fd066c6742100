import { createCards } from "../../mcp/relay/call-questions.ts";
import { inspectElicitation } from "../../mcp/wire/inspect-elicitation.ts";
import { answerOf } from "../../mcp/relay/legacy-requests.ts";
import { createMcpRelay } from "../../mcp/relay/relay.ts";
import { readElicitation } from "../../mcp/wire/translate.ts";
import type { Turn } from "../../runtime/index.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { KitError } from "../../contract/kit-error.ts";

/** The server behind a client of `@ai-sdk/mcp`, as configured by the operator. */
export interface AskingServer {
  /** The id of the server. After a decline, this server cannot ask the user again in this turn. */
  name: string;
  /** The name of the server for users, shown on the card as the requester. */
  service: string;
  /** @default systemClock */
  clock?: Clock | undefined;
}

/** What the handler of `onElicitationRequest` in `@ai-sdk/mcp` returns. */
export interface ElicitResult {
  action: "accept" | "decline" | "cancel";
  content?: Record<string, unknown>;
  [key: string]: unknown;
}

/**
 * Handles elicitation for a client of `createMCPClient` from `@ai-sdk/mcp`: asks the user of the turn the questions of
 * the server. This client supports only forms, and does not say which call a question belongs to. Create one client per
 * turn, and close it when the turn ends. The SDK's `timeout`, if set, also runs while the user thinks. Rejects for a form
 * that cannot be shown or asks for a secret.
 *
 * @example
 * const client = await createMCPClient({ transport, capabilities: { elicitation: {} } });
 * client.onElicitationRequest(ElicitationRequestSchema, elicitationHandler(turn, { name: "crm", service: "CRM" }));
 */
export function elicitationHandler(
  turn: Turn,
  { name, service, clock = systemClock }: AskingServer,
): (request: { params: unknown }) => Promise<ElicitResult> {
  const cards = createCards({
    turn,
    tool: { id: `mcp/${name}`, name },
    service,
    clock,
    // Call times are measured by the SDK's client.
    time: { pause: () => () => {} },
    signal: turn.signal,
  });
  return turn.runner.bind(async ({ params }) => {
    const read = readElicitation(params);
    if (!read.ok)
      throw new KitError(`elicit-kit: ${service} asked for something that cannot be read: ${read.reason}.`);
    const inspection = inspectElicitation(read.value, { supports: turn.supports, showUnanswerable: false });
    if (inspection.verdict === "refuse") throw new KitError(`elicit-kit: ${service}: ${inspection.reason}`);
    // The server waits for the answer on the connection of its call.
    const asked = turn.runner.hold(() => answerOf(cards.ask(read.value), inspection.isBlocked));
    const { action, content } = await asked;
    return content === undefined ? { action } : { action, content: { ...content } };
  });
}

/**
 * Calls a tool through a client of `@ai-sdk/mcp`. If the server requires pages first (error -32042), shows them and
 * repeats the call. Returns the call's result, or a text for the model if the user did not open them.
 *
 * @example
 * execute: (input, options) => withRequiredPages(turn, { name: "crm", service: "CRM" }, () => tool.execute(input, options))
 */
export async function withRequiredPages<T>(
  turn: Turn,
  { name, service, clock = systemClock }: AskingServer,
  call: () => Promise<T>,
): Promise<T | string> {
  const relay = createMcpRelay({
    turn,
    server: { name, service },
    toolName: name,
    showUnanswerable: false,
    clock,
  });
  const called = await relay.call({
    // This client does not expose requests, and drops notifications.
    client: { setNotificationHandler() {}, getServerVersion: () => undefined },
    signal: turn.signal,
    silenceMs: Number.MAX_SAFE_INTEGER,
    conceal: (value) => value,
    send: call,
  });
  return "result" in called ? called.result : called.text;
}
