import { type Clock, createSystemClock } from "../../../src/base/clock.ts";
import { type AppFetch, type Delivery, createDelivery } from "./delivery.ts";
import { type Notification, notificationsOf } from "./notifications.ts";
import { type FakePerson, createPerson } from "./person.ts";
import {
  type FakeCall,
  type FakeChannel,
  type FakeEphemeral,
  type FakeFailure,
  type FakeMessage,
  type JsonObject,
  type Workspace,
  createState,
} from "./state.ts";
import { createWebApi, rateLimited } from "./web-api.ts";

/** Options of `createFakeSlack`. */
export interface FakeSlackOptions {
  /** The app. It receives signed events, interactions and commands. */
  app: AppFetch;
  /** The app's URL in Slack's configuration. @default "https://app.example.com/slack" */
  url?: string | undefined;
  /** @default "fake-signing-secret" */
  signingSecret?: string | undefined;
  /** The bot token that the Web API accepts. @default "xoxb-fake-token" */
  token?: string | undefined;
  /** Scopes of the token. @default those that `elicit-kit/slack` needs */
  scopes?: readonly string[] | undefined;
  /** The workspace. @default "T0ACME" */
  team?: string | undefined;
  /** The Enterprise Grid organisation that the workspace belongs to. */
  enterprise?: string | undefined;
  /** The app is installed for the whole organisation: interactions have no `team`. */
  isOrgInstall?: boolean | undefined;
  /** Whether to refuse calls above the rate of the method's tier. @default true */
  rateLimits?: boolean | undefined;
  /** The clock for expiry, streams and repeated events. @default the clock of this machine */
  clock?: Clock | undefined;
}

/** A fake Slack for tests: one workspace with one app. Created by `createFakeSlack`. */
export interface FakeSlack {
  /** The Web API: pass it as `fetch` to the app's client, or serve it over HTTP. */
  readonly fetch: typeof globalThis.fetch;
  readonly signingSecret: string;
  readonly token: string;
  readonly workspace: Workspace;
  /** The markup that mentions the app, for texts of messages. */
  readonly mention: string;
  /** Adds a user of this workspace, or of another team as in Slack Connect and Enterprise Grid. */
  person(member: {
    name: string;
    id?: string;
    team?: string;
    enterprise?: string;
    locale?: string;
  }): FakePerson;
  /** Adds a channel with the app in it. */
  channel(channel: { name: string; members: readonly FakePerson[]; isAssistant?: boolean }): FakeChannel;
  /** Opens the direct messages between a user and the app. */
  directMessages(person: FakePerson, options?: { isAssistant?: boolean }): FakeChannel;
  /** The current messages of a channel or thread, oldest first. */
  messages(channel: FakeChannel, thread?: string): readonly FakeMessage[];
  readonly ephemerals: readonly FakeEphemeral[];
  /** Every call of the Web API, in order. */
  readonly calls: readonly FakeCall[];
  /** Requests to the app that failed, and replies that Slack did not accept. */
  readonly failures: readonly FakeFailure[];
  /** The users whom messages of the app have notified by a mention. */
  notifications(): readonly Notification[];
  /** The status of the agent's session in a thread. */
  session(channel: FakeChannel, thread: string): string | undefined;
  /** Makes the next calls of a method fail with 429. */
  limitRate(method: string, options?: { times?: number; retryAfter?: number }): void;
  /** Makes the next calls of a method fail with this error, or with an HTTP status. */
  failNext(method: string, error: string | number, times?: number): void;
  /** Takes the app out of a channel. */
  removeApp(channel: FakeChannel): void;
  /** Archives a channel, which then accepts no more messages. */
  archive(channel: FakeChannel): void;
  /** Deletes a message, as its author or an administrator can. */
  deleteMessage(message: FakeMessage): void;
  /** Replaces the bot token, as token rotation does. Calls with an earlier one get `token_expired`. */
  rotateToken(token: string): void;
  /** Removes a scope from the token. */
  revokeScope(scope: string): void;
  /** Sends any event or interaction, signed: for actions without a method above. */
  readonly delivery: Delivery;
  /** Calls `listener` after every change that a user could see. Returns a function that stops it. */
  onChange(listener: () => void): () => void;
}

const SCOPES = [
  "app_mentions:read",
  "assistant:write",
  "channels:history",
  "chat:write",
  "commands",
  "groups:history",
  "im:history",
  "users:read",
] as const;

/**
 * Creates a fake Slack for tests. It enforces the rules of Block Kit, expiry, rates and scopes with Slack's own errors.
 */
export function createFakeSlack(options: FakeSlackOptions): FakeSlack {
  const { app, team = "T0ACME", token = "xoxb-fake-token", signingSecret = "fake-signing-secret" } = options;
  const workspace: Workspace = {
    team,
    token,
    enterprise: options.enterprise,
    isOrgInstall: options.isOrgInstall ?? false,
    app: "A0FAKE",
    bot: "U0APP",
  };
  const clock = options.clock ?? createSystemClock();
  const state = createState({ clock, workspace, scopes: options.scopes ?? SCOPES });
  const url = options.url ?? "https://app.example.com/slack";
  const delivery = createDelivery(state, { app, url, signingSecret });
  const webApi = createWebApi(state, options.rateLimits ?? true);
  const listeners = new Set<() => void>();
  state.changed = () => {
    for (const listener of listeners) listener();
  };

  function addChannel(channel: Omit<FakeChannel, "id" | "hasApp" | "isArchived">): FakeChannel {
    const id = `${channel.kind === "im" ? "D" : "C"}${String(state.next()).padStart(4, "0")}`;
    const added = { ...channel, id, hasApp: true, isArchived: false };
    state.channels.set(id, added);
    return added;
  }

  return {
    fetch: (input, init) => webApi(new Request(input, init)),
    signingSecret,
    get token() {
      return workspace.token;
    },
    workspace,
    mention: `<@${workspace.bot}>`,
    delivery,
    ephemerals: state.ephemerals,
    calls: state.calls,
    failures: state.failures,
    person({ name, id = `U${name.toUpperCase()}`, team: home = team, enterprise, locale = "en-US" }) {
      const member = {
        id,
        name,
        team: home,
        locale,
        enterprise: enterprise ?? (home === team ? workspace.enterprise : undefined),
      };
      state.members.set(id, member);
      return createPerson(state, delivery, member);
    },
    channel: ({ name, members, isAssistant = false }) =>
      addChannel({ name, kind: "channel", members: new Set(members.map(({ id }) => id)), isAssistant }),
    directMessages: (person, { isAssistant = false } = {}) =>
      addChannel({ name: "directmessage", kind: "im", members: new Set([person.id]), isAssistant }),
    messages: ({ id }, thread) =>
      state.messages.filter(
        ({ channel, ts, threadTs }) =>
          channel === id && (thread === undefined || ts === thread || threadTs === thread),
      ),
    notifications: () => state.messages.filter(({ isFromApp }) => isFromApp).flatMap(notificationsOf),
    session: ({ id }, thread) => state.sessions.get(`${id}:${thread}`),
    limitRate(method, { times = 1, retryAfter = 1 } = {}) {
      state.disturbances.push({ method, times, reply: () => rateLimited(retryAfter) });
    },
    failNext(method, error, times = 1) {
      const reply = () =>
        typeof error === "number"
          ? new Response("upstream error", { status: error })
          : Response.json({ ok: false, error } satisfies JsonObject);
      state.disturbances.push({ method, times, reply });
    },
    removeApp(channel) {
      channel.hasApp = false;
    },
    archive(channel) {
      channel.isArchived = true;
    },
    deleteMessage({ channel, ts }) {
      const index = state.messages.findIndex((one) => one.channel === channel && one.ts === ts);
      if (index >= 0) state.messages.splice(index, 1);
      state.changed();
    },
    rotateToken(next) {
      state.expiredTokens.add(workspace.token);
      workspace.token = next;
    },
    revokeScope: (scope) => void state.scopes.delete(scope),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
