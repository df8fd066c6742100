import { type SurfaceTurn, eventOf } from "../../../src/runtime/internal.ts";
import { isObject } from "../../../src/contract/json.ts";
import { type SlackPlace } from "../people/place.ts";
import { field, text } from "../wire/payload.ts";
import type { SlackClient } from "../wire/web-client.ts";

/** The part of a turn that is already in its thread, read from the metadata of the messages. */
export interface Delivered {
  /** The position of the last log entry that a message contains. */
  readonly after: number | undefined;
  /** The `ts` of each request by its id. */
  readonly posted: ReadonlyMap<string, string>;
}

const EVENT_TYPE = "elicit_kit";
const PAGE = 200;
const MOST_PAGES = 10;
const NOTHING: Delivered = { after: undefined, posted: new Map() };

/** Metadata of a message: its turn, and the position in the log. It contains no text. */
export function deliveryMetadata(of: {
  turnId: string;
  user: string;
  after: number;
  elicitationId?: string;
}): { metadata: Readonly<Record<string, unknown>> } {
  const { turnId, user, after, elicitationId } = of;
  const payload = {
    turn: turnId,
    user,
    after,
    ...(elicitationId !== undefined && { elicitation: elicitationId }),
  };
  return { metadata: { event_type: EVENT_TYPE, event_payload: payload } };
}

/** The metadata payload of one of the app's own messages. */
export function readMetadata(
  message: Readonly<Record<string, unknown>>,
  bot: string | undefined,
): Readonly<Record<string, unknown>> | undefined {
  const { metadata } = message;
  // Any app in the channel could write metadata of this type.
  if (bot === undefined || message["user"] !== bot) return undefined;
  if (!isObject(metadata) || metadata["event_type"] !== EVENT_TYPE) return undefined;
  return isObject(metadata["event_payload"]) ? metadata["event_payload"] : undefined;
}

/** Reads the messages of a thread, oldest first. */
export async function* readThread(
  client: SlackClient,
  { channel, thread }: Pick<SlackPlace, "channel" | "thread">,
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const args = { channel, ts: thread, limit: PAGE, include_all_metadata: true, cursor };
    const reply = await client.call("conversations.replies", args);
    const messages: unknown[] = Array.isArray(reply["messages"]) ? reply["messages"] : [];
    for (const message of messages) if (isObject(message)) yield message;
    const next = reply["response_metadata"];
    cursor = field(next, "next_cursor");
    if (cursor === undefined) return;
  }
}

/** Finds where an earlier run of the turn has stopped. Calls Slack only if the log contains something to show. */
export async function findDelivered(
  client: SlackClient,
  turn: SurfaceTurn,
  place: SlackPlace,
  onError: (error: unknown) => void,
): Promise<Delivered> {
  if (!(await hasSomethingToShow(turn))) return NOTHING;
  try {
    return await readDelivered(client, turn, place);
  } catch (error) {
    // The thread cannot be read, for example because of a missing scope. A text that appears twice is better than a
    // turn that never ends.
    onError(error);
    return NOTHING;
  }
}

async function readDelivered(client: SlackClient, turn: SurfaceTurn, place: SlackPlace): Promise<Delivered> {
  const posted = new Map<string, string>();
  let after: number | undefined;
  for await (const message of readThread(client, place)) {
    const payload = readMetadata(message, place.bot);
    if (payload?.["turn"] !== turn.id) continue;
    const at = payload["after"];
    if (typeof at === "number") after = Math.max(after ?? -1, at);
    const [elicitation, ts] = [text(payload["elicitation"]), text(message["ts"])];
    if (elicitation !== undefined && ts !== undefined) posted.set(elicitation, ts);
  }
  return { after, posted };
}

/** The `ts` of a request's message, if it is in the thread. */
export async function findQuestion(
  client: SlackClient,
  place: SlackPlace,
  elicitationId: string,
): Promise<string | undefined> {
  for await (const message of readThread(client, place)) {
    if (readMetadata(message, place.bot)?.["elicitation"] === elicitationId) return text(message["ts"]);
  }
  return undefined;
}

async function hasSomethingToShow(turn: SurfaceTurn): Promise<boolean> {
  const { signal } = new AbortController();
  for await (const entry of turn.read({ live: false, signal })) {
    if (eventOf(entry).kind !== "chunk") return true;
  }
  return false;
}
