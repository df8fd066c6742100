import type { Clock } from "../../../src/base/clock.ts";

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The current state of a message. */
export interface FakeMessage {
  readonly channel: string;
  readonly ts: string;
  readonly threadTs: string | undefined;
  /** The author: a user, or the app's bot user. */
  readonly user: string;
  readonly isFromApp: boolean;
  text: string;
  blocks: readonly JsonObject[];
  metadata: JsonObject | undefined;
  /** The number of `chat.update` calls that have changed it. */
  updates: number;
  /**
   * `in_progress` until the stream is stopped or Slack ends it after five minutes. `undefined`: the message was not
   * streamed.
   */
  streamingState: "in_progress" | "completed" | undefined;
  /** When the stream began, in milliseconds. */
  readonly streamedSince: number;
}

/** A message that only one user sees until they reload. It has no `ts`, so it cannot be updated. */
export interface FakeEphemeral {
  readonly channel: string;
  readonly threadTs: string | undefined;
  readonly user: string;
  readonly text: string;
  readonly blocks: readonly JsonObject[];
}

/** An open modal of a user. */
export interface FakeView {
  readonly id: string;
  hash: string;
  view: JsonObject;
  readonly user: string;
  readonly team: string;
  /** The values of its inputs, by block and action id, in Slack's format. */
  values: Record<string, Record<string, JsonObject>>;
  /** Texts beside inputs, after `response_action: "errors"`, by block id. */
  errors: Readonly<Record<string, string>>;
}

/** A channel, or the direct messages with one user. */
export interface FakeChannel {
  readonly id: string;
  readonly name: string;
  readonly kind: "channel" | "im";
  readonly members: Set<string>;
  /** Whether the app is a member. */
  hasApp: boolean;
  isArchived: boolean;
  /** An assistant thread: Slack drops ephemeral messages there, and still replies `ok`. */
  readonly isAssistant: boolean;
}

/** A member of a workspace. */
export interface FakeMember {
  readonly id: string;
  readonly name: string;
  /** The member's own workspace. */
  readonly team: string;
  readonly enterprise: string | undefined;
  readonly locale: string;
}

/** One call of the Web API. */
export interface FakeCall {
  readonly method: string;
  readonly args: JsonObject;
  /** Slack's reply. */
  readonly reply: JsonObject;
  readonly at: number;
}

/** A request to the app that failed: no reply within 3 s, an error status, or an invalid reply. */
export interface FakeFailure {
  readonly kind: "event" | "interaction" | "command";
  readonly reason: string;
}

export interface Trigger {
  readonly expiresAt: number;
  readonly user: string;
  isUsed: boolean;
}

/** The workspace, and the app that is installed in it. */
export interface Workspace {
  readonly team: string;
  readonly enterprise: string | undefined;
  readonly isOrgInstall: boolean;
  readonly app: string;
  readonly bot: string;
  /** The bot token that the Web API accepts now. */
  token: string;
}

/** A rule that makes calls of a method fail. */
export interface Disturbance {
  readonly method: string;
  times: number;
  readonly reply: () => Response;
}

export interface FakeState {
  readonly clock: Clock;
  readonly workspace: Workspace;
  /** Bot tokens that were valid until they were rotated. */
  readonly expiredTokens: Set<string>;
  readonly scopes: Set<string>;
  readonly members: Map<string, FakeMember>;
  readonly channels: Map<string, FakeChannel>;
  readonly messages: FakeMessage[];
  readonly ephemerals: FakeEphemeral[];
  readonly views: Map<string, FakeView>;
  readonly triggers: Map<string, Trigger>;
  readonly calls: FakeCall[];
  readonly failures: FakeFailure[];
  readonly disturbances: Disturbance[];
  /** Agent sessions by `channel:thread`. */
  readonly sessions: Map<string, string>;
  /** Called after each change that a user could see. */
  changed: () => void;
  /** A unique number, counting up. */
  next(): number;
  newTs(): string;
}

export function createState(options: {
  clock: Clock;
  workspace: Workspace;
  scopes: readonly string[];
}): FakeState {
  let count = 0;
  let lastSecond = 0;
  let inSecond = 0;
  return {
    ...options,
    scopes: new Set(options.scopes),
    expiredTokens: new Set(),
    members: new Map(),
    channels: new Map(),
    messages: [],
    ephemerals: [],
    views: new Map(),
    triggers: new Map(),
    calls: [],
    failures: [],
    disturbances: [],
    sessions: new Map(),
    changed: () => undefined,
    next: () => (count += 1),
    newTs() {
      const second = Math.max(lastSecond, Math.floor(options.clock.now() / 1000));
      inSecond = second === lastSecond ? inSecond + 1 : 1;
      lastSecond = second;
      return `${second}.${String(inSecond).padStart(6, "0")}`;
    },
  };
}

/** How long a trigger id is valid. */
const TRIGGER_MS = 3000;

export function newTrigger(state: FakeState, user: string): string {
  const id = `${state.next()}.${state.workspace.team}.trigger`;
  state.triggers.set(id, { expiresAt: state.clock.now() + TRIGGER_MS, user, isUsed: false });
  return id;
}

export function findMessage(state: FakeState, channel: unknown, ts: unknown): FakeMessage | undefined {
  return state.messages.find((message) => message.channel === channel && message.ts === ts);
}
