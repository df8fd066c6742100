import { type Clock, systemClock } from "../../../src/base/clock.ts";
import { isObject } from "../../../src/contract/json.ts";
import { KitError } from "../../../src/contract/kit-error.ts";

/** Options of `createSlackClient`. */
export interface SlackClientOptions {
  /** The bot token of the workspace. */
  token: string;
  /** @default globalThis.fetch */
  fetch?: typeof globalThis.fetch | undefined;
  /** @default "https://slack.com/api/" */
  apiUrl?: string | undefined;
  /** The maximum time that a call waits when Slack limits the rate, in milliseconds. @default 60_000 */
  maxWaitMs?: number | undefined;
  /** @default systemClock */
  clock?: Clock | undefined;
}

/** A small client of Slack's Web API. */
export interface SlackClient {
  /**
   * Calls a method. Repeats the call after a rate limit, and after a server error if the method is idempotent. Rejects
   * with {@link SlackApiError}. `maxWaitMs` overrides the client's.
   */
  call(
    method: string,
    args: Readonly<Record<string, unknown>>,
    options?: { maxWaitMs?: number },
  ): Promise<Readonly<Record<string, unknown>>>;
}

/**
 * An error of a call that Slack has refused. `code` is Slack's, such as `not_in_channel`. The message never contains the
 * content of the call.
 */
export class SlackApiError extends KitError {
  override readonly name = "SlackApiError";
  readonly method: string;
  readonly code: string;

  constructor(method: string, code: string, advice: string) {
    super(`elicit-kit: Slack refused ${method} (${code}). ${advice}`);
    this.method = method;
    this.code = code;
  }
}

const UNREACHABLE = "status ";

/** Whether Slack could not be reached, or had an internal error: the call may or may not have had its effect. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof SlackApiError && error.code.startsWith(UNREACHABLE);

/** Calling these twice has the same effect as calling them once. */
const REPEATABLE = new Set([
  "agents.sessions.setStatus",
  "auth.test",
  "chat.update",
  "conversations.replies",
  "users.info",
  "views.update",
]);
const MOST_REPEATS = 2;
const REPEAT_AFTER_MS = 500;
/** The timeout of one request to Slack. */
const REQUEST_MS = 10_000;

/** Creates a client of Slack's Web API on `fetch`. */
export function createSlackClient(options: SlackClientOptions): SlackClient {
  const { token, apiUrl = "https://slack.com/api/" } = options;
  const { fetch = globalThis.fetch, clock = systemClock } = options;
  const wait = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve));
  /** When Slack accepts the next call of a method. Its limit applies to the whole workspace. */
  const openAt = new Map<string, number>();

  async function send(method: string, body: URLSearchParams): Promise<Response | undefined> {
    const late = new AbortController();
    const cancel = clock.after(REQUEST_MS, () => late.abort());
    try {
      const headers = { authorization: `Bearer ${token}` };
      return await fetch(new URL(method, apiUrl), { method: "POST", headers, body, signal: late.signal });
    } catch {
      return undefined;
    } finally {
      cancel();
    }
  }

  return {
    async call(method, args, { maxWaitMs = options.maxWaitMs ?? 60_000 } = {}) {
      const body = toForm(args);
      let left = maxWaitMs;
      for (let repeats = 0; ;) {
        const ms = (openAt.get(method) ?? 0) - clock.now();
        if (ms > 0) {
          left -= ms;
          if (left < 0) throw new SlackApiError(method, "ratelimited", "The app calls it too often.");
          await wait(ms);
        }
        const response = await send(method, body);
        if (response?.status === 429) {
          const seconds = Math.max(1, Number(response.headers.get("retry-after")) || 1);
          openAt.set(method, clock.now() + seconds * 1000);
          continue;
        }
        if (response === undefined || response.status >= 500) {
          if (!REPEATABLE.has(method) || repeats >= MOST_REPEATS) {
            throw new SlackApiError(
              method,
              `${UNREACHABLE}${response?.status ?? 0}`,
              "Slack cannot be reached, or has a problem.",
            );
          }
          repeats += 1;
          await wait(REPEAT_AFTER_MS * repeats);
          continue;
        }
        const reply: unknown = await response.json().catch(() => undefined);
        if (!isObject(reply))
          throw new SlackApiError(method, "no JSON", "Something other than Slack has answered.");
        if (reply["ok"] === true) return reply;
        throw refusal(method, reply);
      }
    },
  };
}

/** Form encoding, because all methods accept it. Lists and objects in it are JSON. */
function toForm(args: Readonly<Record<string, unknown>>): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(args)) {
    if (value === undefined) continue;
    form.set(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return form;
}

const INVITE = "Invite it, or use a channel that it is in.";
const ADVICE: Readonly<Record<string, string>> = {
  not_in_channel: `The app is not in the channel. ${INVITE}`,
  channel_not_found: `The app does not see the channel. ${INVITE}`,
  is_archived: "The channel is archived.",
  invalid_auth: "The token is not valid. Copy the bot token (xoxb-…) of the app's installation.",
  not_authed: "There was no token. Pass `token` or `tokenOf`.",
  token_expired: "The token was rotated. Return the new one from `tokenOf`.",
  token_revoked: "The app was removed from the workspace. Install it again.",
  account_inactive: "The app was removed from the workspace. Install it again.",
  expired_trigger_id: "The form was opened more than three seconds after the click.",
};

function refusal(method: string, reply: Readonly<Record<string, unknown>>): SlackApiError {
  const code = word(reply["error"]) ?? "unknown_error";
  if (code === "missing_scope") {
    const needed = scopes(reply["needed"]) ?? "another one";
    const advice = `The token lacks the scope ${needed}. Add it under "OAuth & Permissions" and install the app again.`;
    return new SlackApiError(method, code, advice);
  }
  const advice = Object.hasOwn(ADVICE, code) ? ADVICE[code] : undefined;
  return new SlackApiError(
    method,
    code,
    advice ?? placesOf(reply) ?? "Its reference lists what the error means.",
  );
}

const word = (value: unknown): string | undefined =>
  typeof value === "string" && /^[\w.-]{1,80}$/.test(value) ? value : undefined;

const scopes = (value: unknown): string | undefined =>
  typeof value === "string" && /^[\w:.,-]{1,200}$/.test(value) ? value : undefined;

/** The positions of errors in blocks: JSON pointers, without any text of the blocks. */
function placesOf(reply: Readonly<Record<string, unknown>>): string | undefined {
  const metadata = reply["response_metadata"];
  const messages: unknown = isObject(metadata) ? metadata["messages"] : undefined;
  const places = Array.isArray(messages)
    ? messages.flatMap((one: unknown) =>
        typeof one === "string" ? (/\[json-pointer:[\w/]+\]/.exec(one)?.[0] ?? []) : [],
      )
    : [];
  return places.length === 0 ? undefined : `What is wrong is at ${places.slice(0, 5).join(", ")}.`;
}
