import { type HttpHandler, http } from "msw";
import type { ElicitationAnswer, ElicitationContent, ElicitationRequest } from "../src/contract/contract.ts";
import { createMemoryRemembered } from "../src/features/remember/memory-remembered.ts";
import type { FormQuestion, RuntimeOptions } from "../src/runtime/index.ts";
import { composeRuntime } from "../src/runtime/internal.ts";
import { originalOf } from "../src/base/foreign-error.ts";
import { newId } from "../src/base/ids.ts";
import { openAiFormat } from "../extras/openai/index.ts";
import { answerBasic } from "./sse-frames.ts";
import { createMockClock } from "./clock.ts";
import { type ConnectPage, createConnectPage } from "./connect-page.ts";
import { features } from "./features.ts";
import { type Fault, createFaults } from "./fault.ts";
import { createMockFetch } from "./mock-fetch.ts";
import { createOutside, openId } from "./outside.ts";
import { play } from "./play.ts";
import { lastSaid, lookAt } from "./requests.ts";
import { refuseInProduction } from "./production.ts";
import type { Script } from "./script.ts";
import { watchRecords } from "./watched-records.ts";

type FromRuntime =
  | "assign"
  | "authenticate"
  | "allowedOrigins"
  | "basePath"
  | "hostedPage"
  | "limits"
  | "notices"
  | "platform"
  | "proposeAnswer"
  | "onError"
  | "timeToAnswer";

/**
 * The runtime's options have other defaults here: `authenticate` always returns the same user (a service worker sees no
 * cookies), `allowedOrigins` is every origin on this machine, and `onError` throws, so that a test with a wrong script
 * fails.
 */
export interface MockServerOptions extends Partial<Pick<RuntimeOptions, FromRuntime>> {
  /** The agent's steps in every turn, or a function that returns them for the user's message. */
  script: Script | ((message: string) => Script);
  /**
   * The level of the contract that it implements: `basic` has only the routes for chat and answers (see the levels of the
   * contract).
   * @default "full"
   */
  level?: "basic" | "full" | undefined;
  /** The faults from the start, in this order. {@link MockServer.inject} adds more. */
  faults?: readonly Fault[] | undefined;
  /**
   * The page that URL requests open. In a browser: the address of `connect.html`, served as a static file of the chat's
   * origin.
   * @default a page that does not exist: the test completes requests itself
   */
  connectPage?: string | undefined;
  /**
   * Lets the mock server start under `NODE_ENV=production`. Otherwise it refuses, because it accepts every user. For a
   * published Storybook, and for tests of production builds.
   * @default false
   */
  allowInProduction?: boolean | undefined;
}

/** A complete server of the contract, in memory. */
export interface MockServer {
  /** The handlers for MSW: `setupWorker(...server.handlers)`. */
  readonly handlers: HttpHandler[];
  /** A `fetch` for tests without a service worker: pass it to the chat instead of the global one. */
  readonly fetch: typeof globalThis.fetch;
  /** Responds to one request as a server does; `undefined` for paths that do not belong to the mock server. */
  readonly respond: (request: Request) => Promise<Response | undefined>;
  /** The open requests, in the order they were asked. */
  pending(): readonly ElicitationRequest[];
  /**
   * The answers that have arrived, by endpoint or message, in order. Includes refused answers; excludes answers that a
   * fault delays.
   */
  received(): readonly ElicitationAnswer[];
  /**
   * Accepts the request: the user has finished on the page. Without an id, this method and the ones below apply to the
   * only open request.
   */
  completeOutside(elicitationId?: string): Promise<void>;
  /** Accepts a form with this content, as the user who decides it. */
  answerOutside(content: ElicitationContent, elicitationId?: string): Promise<void>;
  /** Assigns a form to another user or group, or with `null` back to the user whose agent asks. */
  assignOutside(to: FormQuestion["assignee"] | null, elicitationId?: string): Promise<void>;
  /** The provider refuses with `lastError`; the request stays open. */
  failOutside(lastError: string, elicitationId?: string): Promise<void>;
  /** Declines the request: the user has declined on the page. */
  declineOutside(elicitationId?: string): Promise<void>;
  /** Expires the request. */
  expire(elicitationId?: string): Promise<void>;
  /** The agent no longer needs the answer. */
  withdraw(elicitationId?: string): Promise<void>;
  /** Advances the clock by milliseconds at once: for expiry, keep-alives, delays. */
  advance(ms: number): Promise<void>;
  /** Adds a fault. */
  inject(...faults: readonly Fault[]): void;
  /** Withdraws the open requests and ends all turns. */
  close(): Promise<void>;
}

/**
 * Creates a server of the contract for tests and stories, without a model. It uses the routes of `elicit-kit/runtime`, so
 * both behave alike. Throws under `NODE_ENV=production` unless `allowInProduction` is set.
 *
 * @example
 * const server = createMockServer({
 *   script: [
 *     say("Let me check…"),
 *     call("tracker.create_issue", { title: "Login fails" }, { key: "TRK-42" }),
 *     askToConnect({ service: "Tracker" }),
 *     say((r) => (r.outcome === "accepted" ? "Created TRK-42." : "Then I cannot create it.")),
 *   ],
 * });
 * const elicit = createElicitation({ fetch: server.fetch });
 */
export function createMockServer(options: MockServerOptions): MockServer {
  refuseInProduction(options.allowInProduction);
  const { script, basePath = "/run", level = "full" } = options;
  const clock = createMockClock();
  const records = watchRecords(clock);
  const outside = createOutside({ elicitations: () => runtime.elicitations, records, clock });
  const page: ConnectPage = createConnectPage(options.connectPage, outside);
  const faults = createFaults(options.faults ?? [], { outside, clock });
  const received: ElicitationAnswer[] = [];
  const { withdrawal, nameAccount } = outside;
  const stage = { newId, connectUrl: page.url, withdrawal, nameAccount };

  const runtime = composeRuntime(
    {
      ...options,
      runTurn(turn) {
        return play(typeof script === "function" ? script(lastSaid(turn.messages)) : script, turn, stage);
      },
      authenticate: options.authenticate ?? (() => PERSON),
      allowedOrigins: options.allowedOrigins ?? isLocal,
      // The author of a test needs the error messages, and they contain no user's data.
      onError: (error) => (options.onError ?? throwUnhandled)(originalOf(error)),
      formats: [openAiFormat],
      ports: {
        records,
        remembered: createMemoryRemembered(),
        clock,
      },
      assign: options.assign ?? ANYBODY,
    },
    features,
  );

  async function respond(request: Request): Promise<Response | undefined> {
    if (!isBelow(request.url, basePath)) return page.respond(request);
    const seen = await lookAt(request);
    const server = (passed: Request): Promise<Response> => {
      received.push(...seen.answers);
      return runtime.fetch(passed);
    };
    return faults.meet(seen, request, (passed) =>
      level === "basic" ? answerBasic(passed, basePath, server) : server(passed),
    );
  }

  const handlers = [
    http.all(
      ({ request }) => isBelow(request.url, basePath),
      ({ request }) => respond(request),
    ),
  ];
  const open = (elicitationId: string | undefined) => openId(records.pending(), elicitationId);

  return {
    handlers,
    fetch: createMockFetch(handlers),
    respond,
    pending: records.pending,
    received: () => received,
    completeOutside: async (id) => outside.end(open(id), "accepted"),
    answerOutside: async (content, id) => outside.answer(open(id), content),
    assignOutside: async (to, id) => outside.assign(open(id), to ?? undefined),
    failOutside: async (lastError, id) => outside.fail(open(id), lastError),
    declineOutside: async (id) => outside.end(open(id), "declined"),
    expire: async (id) => outside.end(open(id), "expired"),
    withdraw: async (id) => outside.end(open(id), "withdrawn"),
    advance: (ms) => clock.advance(ms),
    inject: (...more) => faults.add(more),
    async close() {
      page.close();
      await runtime.close();
    },
  };
}

const PERSON = { id: "person", name: "Sam" };

/** Any user or group may decide. Their ids serve as names. */
const ANYBODY = {
  may: () => true,
  nameOf: ({ user, group }: NonNullable<FormQuestion["assignee"]>) => user ?? group,
};

function isBelow(url: string, basePath: string): boolean {
  return new URL(url).pathname.startsWith(`${basePath}/`);
}

function isLocal(origin: string): boolean {
  return /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(origin);
}

/** An error in a script must make the test fail. */
function throwUnhandled(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
