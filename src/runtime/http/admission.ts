import type { User } from "../../base/identity.ts";
import type { CountWrites } from "../../base/write-limit.ts";
import { type InputLimit, RETRY_AFTER_S, type ReachedLimit } from "../../base/input-limit.ts";
import type { Sender } from "../../base/identity.ts";
import type { OriginCheck } from "../../base/urls.ts";
import { checkBodyHeaders, readJson } from "../../base/read-body.ts";
import { isObject } from "../../contract/json.ts";
import { notSignedIn, refuse } from "../../base/reply.ts";

/**
 * Checks a write before its body is read, in the order of the contract (section 4): 401, 403, 415, 413, 429. Refusing an
 * HTTP request only requires reading its headers.
 */
export interface Admission {
  /** Admits a read by a signed-in user. */
  reader(request: Request): Promise<(Sender & { user: User }) | Response>;
  /**
   * Refuses a stream that a page of another site opens with the cookies of the user. It could not read the stream, but it
   * would use up their streams, and they would count as present.
   */
  refuseStream(request: Request): Response | undefined;
  /**
   * Admits a write by a signed-in user. It counts as one write. `maxBytes` limits its JSON body. Omit it if there is no
   * body.
   */
  person(request: Request, maxBytes?: number): Promise<(Sender & { user: User }) | Response>;
  /** Admits a chat message, with or without a session. It counts as one write. */
  sender(request: Request): Promise<Sender | Response>;
  /** Reads the body of an admitted write. `bytes` is its length. */
  body(
    request: Request,
    sender: Sender,
    maxBytes?: number,
  ): Promise<{ value: Readonly<Record<string, unknown>>; bytes: number } | Response>;
  /** Counts `more` writes, in addition to the one that was counted before the body was read. */
  countMore(user: User, more: number): Promise<Response | undefined>;
}

export function createAdmission(options: {
  authenticate: (request: Request) => User | undefined | Promise<User | undefined>;
  isAllowedOrigin: OriginCheck;
  countWrites: CountWrites;
  writesPerMinute: number;
  anonymousKey: ((request: Request) => string | undefined) | undefined;
  inputLimit: InputLimit;
  /** Limits for chat messages, with and without a session. */
  maxChatBytes: number;
  maxAnonymousChatBytes: number;
}): Admission {
  const { isAllowedOrigin, countWrites, anonymousKey, inputLimit } = options;
  const ofChat = ({ user }: Sender) =>
    user === undefined ? options.maxAnonymousChatBytes : options.maxChatBytes;

  function senderOf(request: Request, user: User | undefined): Sender {
    if (user !== undefined) return { user, key: `user ${user.id}` };
    return {
      user,
      // Senders whose address is unknown share one count.
      key: anonymousKey === undefined ? undefined : `address ${anonymousKey(request) ?? ""}`,
    };
  }

  /** Runs the checks with the statuses 403 to 429. */
  async function check(
    request: Request,
    sender: Sender,
    maxBytes: number | undefined,
  ): Promise<Response | undefined> {
    if (!isTrusted(request, isAllowedOrigin)) {
      return refuse(403, originRefused("Writes", request));
    }
    const unfit = maxBytes === undefined ? undefined : checkBodyHeaders(request, { maxBytes });
    if (unfit !== undefined) return refuse(unfit.status, unfit.reason);
    const allowed = await countWrites(sender, 1);
    return allowed.ok ? undefined : tooMany(allowed.retryAfter);
  }

  async function reader(request: Request): Promise<(Sender & { user: User }) | Response> {
    const user = await options.authenticate(request);
    return user === undefined ? notSignedIn() : { ...senderOf(request, user), user };
  }

  return {
    reader,
    refuseStream: (request) =>
      isTrusted(request, isAllowedOrigin) ? undefined : refuse(403, originRefused("Streams", request)),
    async person(request, maxBytes) {
      const sender = await reader(request);
      if (sender instanceof Response) return sender;
      return (await check(request, sender, maxBytes)) ?? sender;
    },
    async sender(request) {
      const sender = senderOf(request, await options.authenticate(request));
      return (await check(request, sender, ofChat(sender))) ?? sender;
    },
    async body(request, sender, maxBytes = ofChat(sender)) {
      const hold = inputLimit.receive(sender);
      try {
        const json = await readJson(request, {
          maxBytes,
          take(bytes) {
            const limit = hold.add(bytes);
            return limit && ({ ok: false, limit } as const);
          },
        });
        if ("limit" in json) return refuseByLimit(json.limit);
        if (!json.ok) return refuse(json.status, json.reason);
        const { value, bytes } = json;
        return isObject(value)
          ? { value, bytes }
          : refuse(400, "The body is not a JSON object. Send one, such as {}.");
      } finally {
        hold.release();
      }
    },
    async countMore(user, more) {
      // A message of more writes than a minute allows counts as all of them. Otherwise it would never be accepted.
      const count = Math.min(more, options.writesPerMinute - 1);
      if (count <= 0) return undefined;
      const allowed = await countWrites({ user, key: undefined }, count);
      return allowed.ok ? undefined : tooMany(allowed.retryAfter);
    },
  };
}

export function refuseByLimit(reached: ReachedLimit, retryAfter = RETRY_AFTER_S): Response {
  return reached === "server"
    ? refuse(503, "The server holds as many chats as it can. Try again in a moment.", { retryAfter })
    : refuse(429, "Too many of your chats run or wait for you. Answer or stop one of them, then try again.", {
        retryAfter,
      });
}

export function tooMany(retryAfter: number): Response {
  return refuse(429, "Too many requests. Wait a little.", { retryAfter });
}

/**
 * Whether the origin of a write or a stream is trusted. A page of another origin cannot send a bearer token without a
 * CORS preflight, but the browser attaches cookies by itself. Without an `Origin` header, `Sec-Fetch-Site` decides.
 * Without both headers, the sender is not a browser.
 */
function isTrusted({ headers }: Request, isAllowed: OriginCheck): boolean {
  if (/^bearer /i.test(headers.get("authorization") ?? "")) return true;
  const origin = headers.get("origin");
  if (origin !== null) return isAllowed(origin);
  const site = headers.get("sec-fetch-site");
  return site === null || site === "same-origin" || site === "none";
}

/** Names the origin, since a page that moved to another port does not know that it did. */
function originRefused(what: string, request: Request): string {
  const named = URL.parse(request.headers.get("origin") ?? "")?.origin ?? "null";
  const origin = named === "null" ? "an unknown origin" : named;
  return `${what} from ${origin} are not allowed. Add it to allowedOrigins. In an app of elicit-kit init, set CHAT_ORIGIN to it.`;
}
