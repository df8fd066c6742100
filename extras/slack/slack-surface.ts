import { type Clock, systemClock } from "../../src/base/clock.ts";
import type { Runtime, User } from "../../src/runtime/index.ts";
import type { DraftStore, SurfaceTurn } from "../../src/runtime/internal.ts";
import { KitError } from "../../src/contract/kit-error.ts";
import { safeLog } from "../../src/base/foreign-error.ts";
import { deliverTurn } from "./thread/deliver.ts";
import { createDispatcher } from "./incoming/dispatch.ts";
import { createMemoryDrafts, createTypedValues } from "./answers/drafts.ts";
import type { SlackLanguage } from "./blocks/text.ts";
import { type SlackPayload, type SlackReply, readRequest, type SlackInstallation } from "./wire/payload.ts";
import { createLanguageOf } from "./people/person-language.ts";
import { fromRef } from "./people/place.ts";
import type { SlackPerson } from "./people/right-person.ts";
import type { SurfaceContext } from "./incoming/surface-context.ts";
import { ensureSigningSecret } from "./wire/signature.ts";
import { createInstalledClients } from "./wire/installed-clients.ts";

/** Options of `createSlackSurface`. */
export interface SlackSurfaceOptions {
  runtime: Pick<Runtime, "surface" | "elicitations">;
  /** The signing secret of the app, for `fetch`. Several during a rotation. An app with Bolt does not need it. */
  signingSecret?: string | readonly string[] | undefined;
  /** The bot token, for an app in one workspace. Give this or `tokenOf`. */
  token?: string | undefined;
  /** Returns the bot token of a workspace or organisation, for an app in several. */
  tokenOf?:
    | ((installation: SlackInstallation) => string | undefined | Promise<string | undefined>)
    | undefined;
  /**
   * Returns your user for a Slack user, from your own directory or from a link that the user created with Slack's OpenID
   * Connect. Do not use an e-mail address or a name in Slack, because users can change those. `undefined`: unknown, and
   * the user gets a message about that.
   */
  userOf: (person: SlackPerson) => User | undefined | Promise<User | undefined>;
  /** The URL where users link their Slack account with yours. It is the same for all users and contains no secret. */
  linkUrl?: string | undefined;
  /**
   * Returns the texts for a user. The surface waits less than a second for it.
   * @default by the locale of their Slack, if the token has the scope `users:read`; else English
   */
  languageOf?: ((person: SlackPerson) => SlackLanguage | Promise<SlackLanguage>) | undefined;
  /**
   * Stores the user's input of modals that are not submitted, so that a modal that was closed by mistake opens with it
   * again. Several processes need the same store, such as `drafts` of `createPostgresPorts`.
   * @default in memory, the newest 1,000
   */
  drafts?: DraftStore | undefined;
  /**
   * Whether the app is declared as an agent in Slack: the thread then shows a status, and Slack's stop button while the
   * agent works.
   * @default false
   */
  isAgent?: boolean | undefined;
  /** The slash commands that start a turn, such as `/assistant`, if the app has others. @default every command */
  commands?: readonly string[] | undefined;
  /** Kind of the surface. If a runtime has several Slack apps, each needs a different kind. @default "slack" */
  kind?: string | undefined;
  /** Keeps a serverless function alive for work that continues after the reply. */
  waitUntil?: ((work: Promise<void>) => void) | undefined;
  /** For calls of the Web API. @default globalThis.fetch */
  fetch?: typeof globalThis.fetch | undefined;
  /** @default "https://slack.com/api/" */
  apiUrl?: string | undefined;
  /** @default systemClock */
  clock?: Clock | undefined;
  /** Called with errors, for the log. They contain no token and no user's input. */
  onError: (error: unknown) => void;
}

/** Your agent in Slack. Created by `createSlackSurface`. */
export interface SlackSurface {
  /** Answers requests of Slack: events, interactions and commands, all at one URL. */
  fetch: (request: Request) => Promise<Response>;
  /**
   * Handles a body that a framework has already verified and parsed. Resolves with the reply in less than Slack's three
   * seconds, or with `undefined` if the body does not belong to the kit. Rejects if Slack should send an event again.
   */
  handle: (payload: SlackPayload) => Promise<SlackReply | undefined>;
}

/**
 * Connects the agent of a runtime to Slack. A mention or a direct message starts a turn in its thread. Requests are
 * messages that only the user who is asked can answer. The turn continues with the answer. Call it right after
 * `createRuntime`.
 *
 * @example
 * const slack = createSlackSurface({
 *   runtime,
 *   signingSecret: process.env["SLACK_SIGNING_SECRET"] ?? "",
 *   token: process.env["SLACK_BOT_TOKEN"],
 *   userOf: ({ team, user }) => users.ofSlack(team, user),
 *   onError: console.error,
 * });
 * app.post("/slack", (c) => slack.fetch(c.req.raw));
 */
export function createSlackSurface(options: SlackSurfaceOptions): SlackSurface {
  const { runtime, signingSecret, clock = systemClock, kind = "slack", isAgent = false } = options;
  const onError = safeLog(options.onError);
  if (signingSecret !== undefined) ensureSigningSecret(signingSecret);
  const { fetch, apiUrl } = options;
  const clients = createInstalledClients({
    fetch,
    apiUrl,
    clock,
    onError,
    tokenOf: tokenOf(options),
  });
  const { clientOf } = clients;

  const context: SurfaceContext = {
    kind,
    surface: runtime.surface(kind, { deliver, showsAssignee: true }),
    runtime,
    clock,
    typed: createTypedValues({ store: options.drafts ?? createMemoryDrafts(clock), clock, onError }),
    linkUrl: options.linkUrl,
    clientOf,
    userOf: async (person) => options.userOf(person),
    languageOf: createLanguageOf({ clock, clientOf, onError, languageOf: options.languageOf }),
    onError,
  };

  async function deliver(turn: SurfaceTurn): Promise<void> {
    const place = fromRef(turn.ref);
    if (place === undefined) return;
    const client = clients.patientClientOf(place.installation);
    const language = await context.languageOf(place.person, place.installation);
    const { elicitations } = runtime;
    await deliverTurn(turn, { client, place, language, clock, isAgent, elicitations, onError });
  }

  const handle = createDispatcher(context, options);

  return {
    handle,
    async fetch(request) {
      if (signingSecret === undefined) throw new KitError(NO_SECRET);
      const read = await readRequest(request, { signingSecret, clock });
      if ("status" in read) return new Response(null, { status: read.status });
      try {
        const reply = (await handle(read)) ?? {};
        return Object.keys(reply).length === 0 ? new Response() : Response.json(reply);
      } catch {
        // Already reported. Slack sends the event again.
        return new Response(null, { status: 500 });
      }
    },
  };
}

const NO_SECRET =
  "elicit-kit: fetch of a Slack surface needs signingSecret. Pass it to createSlackSurface, or let Bolt check the requests.";

function tokenOf(options: SlackSurfaceOptions): NonNullable<SlackSurfaceOptions["tokenOf"]> {
  // A missing environment variable is often "".
  const token = options.token === "" ? undefined : options.token;
  if ((token === undefined) !== (options.tokenOf === undefined)) return options.tokenOf ?? (() => token);
  throw new KitError(
    'elicit-kit: give createSlackSurface either token or tokenOf. The token of an app in one workspace is the "Bot User OAuth Token" (xoxb-…) in "OAuth & Permissions" of your app on https://api.slack.com/apps.',
  );
}
