import type { Clock } from "../../../src/base/clock.ts";
import { createWorkQueue } from "../../../src/base/work-queue.ts";
import { fallbackText, safeMarkdown, splitText } from "../blocks/text.ts";
import type { SlackPlace } from "../people/place.ts";
import { SlackApiError, type SlackClient } from "../wire/web-client.ts";

/** Writes the text of a turn into its thread. */
export interface StreamWriter {
  /** Buffers a piece of text, and sends the buffer about once a second. */
  write(text: string): void;
  /** Sends the rest and ends the message, with `metadata`. The next text begins a new message. */
  stop(metadata: Readonly<Record<string, unknown>>): Promise<void>;
}

/** Slack ends a stream after five minutes. */
const ROTATE_MS = 240_000;
/** Slack allows twenty new streams per minute. If a text would have to wait, it is sent as a message. */
const START_WAIT_MS = 5000;
const FLUSH_MS = 1000;
/** The maximum length of the text in one call. */
const MAX_MARKDOWN = 12_000;
/** Errors that would also affect a plain message. */
const FATAL = new Set([
  "account_inactive",
  "channel_not_found",
  "invalid_auth",
  "is_archived",
  "missing_scope",
  "not_in_channel",
  "token_expired",
  "token_revoked",
]);

/** Whether the app can no longer write there, so that the user could not answer a request. */
export const isFatal = (error: unknown): boolean => error instanceof SlackApiError && FATAL.has(error.code);

export function createStreamWriter(options: {
  client: SlackClient;
  place: SlackPlace;
  clock: Clock;
  /** Called once for each call that failed. The next message contains the text of a failed stream. */
  onError: (error: unknown) => void;
}): StreamWriter {
  const { client, clock, onError } = options;
  const { channel, thread, person, isDirect } = options.place;
  let waiting = "";
  let stream: { readonly ts: string; readonly since: number } | undefined;
  /** Text of a message that is posted at its end, if Slack refuses streams. */
  let whole: string | undefined;
  const queued = createWorkQueue();
  let cancelFlush: (() => void) | undefined;
  let lastFlush = -Infinity;

  async function start(markdown: string): Promise<void> {
    const recipient = isDirect ? {} : { recipient_team_id: person.team, recipient_user_id: person.user };
    try {
      const args = { channel, thread_ts: thread, markdown_text: markdown, ...recipient };
      const { ts } = await client.call("chat.startStream", args, { maxWaitMs: START_WAIT_MS });
      if (typeof ts === "string") stream = { ts, since: clock.now() };
    } catch (error) {
      if (isFatal(error)) throw error;
      if (!isRateLimited(error)) onError(error);
      whole = markdown;
    }
  }

  async function append(markdown: string): Promise<void> {
    if (whole !== undefined) {
      whole += markdown;
      return;
    }
    if (stream !== undefined && clock.now() - stream.since >= ROTATE_MS) await end({}).catch(onError);
    if (stream === undefined) return start(markdown);
    try {
      await client.call("chat.appendStream", { channel, ts: stream.ts, markdown_text: markdown });
    } catch (error) {
      if (isFatal(error)) throw error;
      if (!isDead(error)) {
        onError(error);
        await end({}).catch(onError);
      }
      stream = undefined;
      await start(markdown);
    }
  }

  async function send(isLast: boolean): Promise<void> {
    lastFlush = clock.now();
    const { text: safe, rest } = safeMarkdown(waiting);
    // The text is complete, so the held-back characters are not the start of a mention.
    const text = isLast ? safe + rest.replace(/[\ud800-\udbff]$/, "\ufffd") : safe;
    waiting = isLast ? "" : rest;
    for (const piece of splitText(text, MAX_MARKDOWN)) await append(piece);
  }

  async function end(metadata: Readonly<Record<string, unknown>>): Promise<void> {
    const ended = stream;
    stream = undefined;
    if (ended === undefined) return;
    try {
      await client.call("chat.stopStream", { channel, ts: ended.ts, ...metadata });
    } catch (error) {
      // Slack has ended the stream, or the user has stopped it.
      if (!isDead(error)) throw error;
    }
  }

  async function postWhole(metadata: Readonly<Record<string, unknown>>): Promise<void> {
    const pieces = splitText(whole ?? "", MAX_MARKDOWN).filter((piece) => piece.trim() !== "");
    whole = undefined;
    for (const piece of pieces) {
      const blocks = [{ type: "markdown", text: piece }];
      const args = { channel, thread_ts: thread, text: fallbackText(piece), blocks, ...metadata };
      await client.call("chat.postMessage", args);
    }
  }

  function flushSoon(): void {
    if (cancelFlush !== undefined) return;
    cancelFlush = clock.after(Math.max(0, lastFlush + FLUSH_MS - clock.now()), () => {
      cancelFlush = undefined;
      queued(() => send(false)).catch(onError);
    });
  }

  return {
    write(text) {
      waiting += text;
      if (text !== "") flushSoon();
    },
    stop(metadata) {
      cancelFlush?.();
      cancelFlush = undefined;
      return queued(async () => {
        await send(true);
        await end(metadata);
        await postWhole(metadata);
      }).catch(onError);
    },
  };
}

const isRateLimited = (error: unknown): boolean =>
  error instanceof SlackApiError && error.code === "ratelimited";

/** Slack has ended the stream, or its message was deleted. */
const DEAD = new Set(["message_not_found", "message_not_in_streaming_state"]);

const isDead = (error: unknown): boolean => error instanceof SlackApiError && DEAD.has(error.code);
