import { createCards } from "../../protocols/mcp/relay/call-questions.ts";
import { inspectElicitation } from "../../protocols/mcp/wire/inspect-elicitation.ts";
import { answerOf } from "../../protocols/mcp/relay/legacy-requests.ts";
import { createMcpRelay } from "../../protocols/mcp/relay/relay.ts";
import { readElicitation } from "../../protocols/mcp/wire/translate.ts";
import type { Turn } from "../../runtime/index.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { KitError } from "../../contract/kit-error.ts";

/** The server behind a client of `@ai-sdk/mcp`, as the operator calls it. */
export interface AskingServer {
  /** Id of the server. After a decline the user is not asked by it again in this turn. */
  name: string;
  /** Its name for users, shown on the card as the one who asks. */
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
 * For a client that `createMCPClient` of `@ai-sdk/mcp` has made: asks the user of the turn for what its server asks.
 * That client has forms only, and does not say which call a question belongs to: make one client per turn, and close it
 * at its end. The SDK's `timeout`, if set, also runs while the user thinks. Rejects for a form that cannot be shown or
 * asks for a secret.
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
    // The SDK's client keeps the time of its calls.
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
 * Makes a call of a tool through a client of `@ai-sdk/mcp`, and makes it again after the pages that the server needs first
 * (error -32042). Returns the call's result, or a text for the model if the user did not open them.
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
    // This client exposes no requests, and drops notifications.
    client: { setNotificationHandler() {}, getServerVersion: () => undefined },
    signal: turn.signal,
    silenceMs: Number.MAX_SAFE_INTEGER,
    conceal: (value) => value,
    send: call,
  });
  return "result" in called ? called.result : called.text;
}
