import type { Clock } from "../../../src/base/clock.ts";
import { isObject } from "../../../src/contract/json.ts";
import { signedRequest } from "./signing.ts";
import type { FakeFailure, FakeState, JsonObject } from "./state.ts";

/** Answers requests like the app: its own `fetch`, or one that calls its server. */
export type AppFetch = (request: Request) => Promise<Response>;

/** The time that an app has to acknowledge. */
const ACK_MS = 3000;
/** The delays before Slack sends an event again: none, one minute, five minutes. */
const RETRY_AFTER_MS = [0, 60_000, 300_000] as const;

/** Sends signed requests to the app, as Slack does. */
export interface Delivery {
  /** Sends an event, and sends it again if it is not acknowledged. Resolves after the first attempt. */
  event(envelope: JsonObject): Promise<void>;
  /** Sends an interaction. Resolves with the body of the reply, or `undefined` if it failed. */
  interaction(payload: JsonObject): Promise<JsonObject | undefined>;
  command(fields: Readonly<Record<string, string>>): Promise<JsonObject | undefined>;
  /** Signs any body, now or with another time, with the app's secret or another one: for replayed and forged requests. */
  sign(
    body: { readonly contentType: string; readonly text: string },
    signing?: { readonly secret?: string; readonly timestamp?: number },
  ): Promise<Request>;
}

export function createDelivery(
  state: FakeState,
  options: { app: AppFetch; url: string; signingSecret: string },
): Delivery {
  const { clock } = state;

  const sign: Delivery["sign"] = (
    body,
    { secret = options.signingSecret, timestamp = seconds(clock) } = {},
  ) => signedRequest(options.url, body, { secret, timestamp });

  function fail(kind: FakeFailure["kind"], reason: string): void {
    state.failures.push({ kind, reason });
    state.changed();
  }

  /** The reply, or the reason why there is none. */
  async function send(request: Request): Promise<{ response: Response } | { reason: string }> {
    let cancel: (() => void) | undefined;
    const late = new Promise<{ reason: string }>((resolve) => {
      cancel = clock.after(ACK_MS, () => resolve({ reason: "http_timeout" }));
    });
    try {
      const reply = await Promise.race([options.app(request).then((response) => ({ response })), late]);
      return "response" in reply && !reply.response.ok ? { reason: "http_error" } : reply;
    } catch {
      return { reason: "connection_failed" };
    } finally {
      cancel?.();
    }
  }

  async function attempt(text: string, retry: number, reason: string): Promise<void> {
    const headers: Record<string, string> =
      retry === 0 ? {} : { "x-slack-retry-num": String(retry), "x-slack-retry-reason": reason };
    const body = { contentType: "application/json", text };
    const signing = { secret: options.signingSecret, timestamp: seconds(clock) };
    const sent = await send(await signedRequest(options.url, body, signing, headers));
    if ("response" in sent) return;
    fail("event", sent.reason);
    const wait = RETRY_AFTER_MS[retry];
    if (wait === undefined) return;
    clock.after(wait, () => void attempt(text, retry + 1, sent.reason));
  }

  async function form(kind: "interaction" | "command", fields: Readonly<Record<string, string>>) {
    const text = new URLSearchParams(fields).toString();
    const request = await sign({ contentType: "application/x-www-form-urlencoded", text });
    const sent = await send(request);
    if ("reason" in sent) {
      fail(kind, sent.reason);
      return undefined;
    }
    const body = await sent.response.text();
    if (body === "") return {};
    try {
      const parsed: unknown = JSON.parse(body);
      return isObject(parsed) ? parsed : {};
    } catch {
      return { text: body };
    }
  }

  return {
    sign,
    event: (envelope) => attempt(JSON.stringify(envelope), 0, ""),
    interaction: (payload) => form("interaction", { payload: JSON.stringify(payload) }),
    command: (fields) => form("command", fields),
  };
}

const seconds = (clock: Clock): number => Math.floor(clock.now() / 1000);
