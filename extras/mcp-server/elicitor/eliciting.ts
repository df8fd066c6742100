import {
  CLIENT_CAPABILITIES_META_KEY,
  type Implementation,
  type InputRequiredResult,
  type McpServer,
  type McpServerOptions,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  type ServerOptions,
  inputRequired,
} from "@modelcontextprotocol/server";
import { isObject } from "../../../src/contract/json.ts";
import { type Elicitor, createElicitor } from "../../../src/runtime/index.ts";
import type { ElicitationResult } from "../../../src/runtime/internal.ts";
import { type Clock, systemClock } from "../../../src/base/clock.ts";
import { sleep } from "../../../src/base/deadlines.ts";
import { cardRunOf, formViewOf, onFormView } from "../app/card-run.ts";
import { createCards } from "../app/card-server.ts";
import { createServer } from "../app/create-server.ts";
import { clientModes } from "../presentation.ts";
import { RequestStateError, type StateBinding, createRequestStates } from "../request-state.ts";
import { createLegacyAsk } from "./legacy-ask.ts";
import { createOnce, type Replay, ReplayError, createReplay } from "./replay.ts";
import { type ElicitingOptions, subjectOfAuth } from "./options.ts";
import { digest, type KeyedQuestion } from "./question.ts";
import { type ReplayState, readReplayState } from "./replay-state.ts";
import { KitError } from "../../../src/contract/kit-error.ts";

/** An {@link Elicitor} for handlers of the MCP SDK. A call has one result, so it cannot ask in the background. */
export interface ToolElicitor extends Omit<Elicitor, "later"> {
  /**
   * Runs `fn` once in the whole call and returns its result, which must be JSON. In MCP 2026-07-28 a handler runs again
   * after each answer. Put side effects, and values that change between runs, into `once`.
   */
  once<T>(key: string, fn: () => T | Promise<T>): Promise<T>;
  /** Asks with a JSON Schema and returns the outcome unchanged. The content is checked. */
  ask(question: KeyedQuestion): Promise<ElicitationResult>;
}

/** Lets handlers of the MCP SDK ask, in every revision. Created by {@link createEliciting}. */
export interface Eliciting {
  /**
   * Wraps the handler of a tool or a prompt. In it, {@link elicitorFor} gives the elicitor of the call. A handler that is
   * written outside of `registerTool` needs the types of its parameters: `async (args: { app: string }, ctx:
   * ServerContext)`.
   *
   * @param name Name of the tool or prompt. The state that a client carries between rounds is bound to it.
   */
  <Parameters extends readonly [...unknown[], ServerContext], Result extends object>(
    name: string,
    handler: (...parameters: Parameters) => Result | Promise<Result>,
  ): (...parameters: Parameters) => Promise<Result | InputRequiredResult>;
  /**
   * Creates a server of the SDK whose tools can ask, also through the card if `app` is set. Register tools on it as
   * usual.
   */
  createServer(info: Implementation, options?: McpServerOptions): McpServer;
  /** Options for your own `McpServer`, without cards. With them, a forged or expired state gets error -32602. */
  readonly serverOptions: Pick<ServerOptions, "requestState">;
}

const ELICITOR: unique symbol = Symbol.for("elicit-kit.mcp.elicitor");
/** How long a call waits for a page before the client is asked again. */
const HOLD_MS = 50_000;
const LOOK_EVERY_MS = 1000;
const MAX_STATE_LENGTH = 128 * 1024;

/** The elicitor of a call, in a handler that is wrapped by {@link createEliciting}. */
export function elicitorFor(ctx: ServerContext): ToolElicitor {
  const elicitor = ELICITOR in ctx ? ctx[ELICITOR] : undefined;
  if (isToolElicitor(elicitor)) return elicitor;
  throw new KitError(
    "elicit-kit: elicitorFor(ctx) works in wrapped handlers only: server.registerTool(name, config, eliciting(name, handler)).",
  );
}

/** Creates the wrapper for handlers. Create one for the process, and share it between the servers of its requests. */
export function createEliciting(options: ElicitingOptions = {}): Eliciting {
  const {
    clock = systemClock,
    expiresInMs = 600_000,
    subjectOf = ({ http }) => subjectOfAuth(http?.authInfo),
    isCompleted = () => true,
  } = options;
  const states = createRequestStates(options.stateKey, clock);
  const takeState = options.takeState ?? createStateList(clock);
  const { app = false } = options;
  if (app !== false && options.stateKey !== undefined && options.takeState === undefined) {
    throw new KitError(
      "elicit-kit: createEliciting({ app, stateKey }) needs takeState. With a key that outlives the process, another process would run the same answer again: keep the ids that were taken in a store that all of them share.",
    );
  }
  const { tools, pagesOnly = [] } = typeof app === "object" ? app : {};
  const wrapped = new Set<string>();
  const cards = createCards({
    clock,
    pagesOnly,
    asks: (tool) =>
      tools === undefined ? wrapped.has(tool) : wrapped.has(tool) && tools.includes(tool) && "named",
  });

  async function open(sealed: string, ctx: ServerContext): Promise<ReplayState> {
    const state = readReplayState(await states.open(sealed, bindingOf(subjectOf(ctx))));
    if (state === undefined) {
      throw new RequestStateError("elicit-kit: a requestState was sealed by another version of elicit-kit.");
    }
    return state;
  }

  /**
   * Opens the state that came with `call`, unless the SDK has already done so because of `serverOptions`. Marks it as
   * used.
   */
  async function stateOf(ctx: ServerContext, call: string): Promise<ReplayState | undefined> {
    const given = ctx.mcpReq.requestState();
    if (given === undefined) return undefined;
    const state = typeof given === "string" ? await open(given, ctx) : readReplayState(given);
    // Compare first, so that a refused call does not use up the state of the right one.
    if (state?.call !== call) {
      throw new RequestStateError("elicit-kit: a requestState belongs to another call.");
    }
    if (await takeState(state.id, state.expiresAt)) return state;
    throw new RequestStateError("elicit-kit: a requestState was used twice.");
  }

  /** Waits for the end of a page, but not longer than a call may take. */
  async function hold(elicitationId: string, holdMs: number): Promise<boolean> {
    for (let waited = 0; ; waited += LOOK_EVERY_MS) {
      if (await isCompleted(elicitationId)) return true;
      if (waited >= holdMs) return false;
      await sleep(clock, LOOK_EVERY_MS);
    }
  }

  async function runInRounds<Result extends object>(
    name: string,
    parameters: readonly unknown[],
    ctx: ServerContext,
    run: (elicitor: ToolElicitor) => Result | Promise<Result>,
  ): Promise<Result | InputRequiredResult> {
    const call = await digest([name, ...parameters.slice(0, -1)]);
    const cardRun = cardRunOf(ctx);
    let before: ReplayState | undefined;
    try {
      before = await stateOf(ctx, call);
    } catch (error) {
      if (!(error instanceof RequestStateError)) throw error;
      if (cardRun !== undefined) cardRun.isRefused = true;
      throw invalidState();
    }
    const envelope: unknown = ctx.mcpReq.envelope;
    const replay = createReplay({
      before,
      call,
      responses: ctx.mcpReq.inputResponses ?? {},
      modes: clientModes(
        isObject(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : undefined,
        "2026-07-28",
      ),
      clock,
      expiresInMs,
      isCompleted: (id) => hold(id, cardRun?.holdMs ?? HOLD_MS),
      written: (params) => onFormView(formViewOf(ctx), params),
    });
    const ended = Promise.resolve(run(elicitorOf(name, replay)));
    const result = await Promise.race([ended.catch(rethrowUnless(replay)), replay.blocked]);
    if (replay.failure !== undefined) throw replay.failure;
    if (result !== undefined) return result;
    const { inputRequests, state, until } = replay.round();
    if (cardRun !== undefined) cardRun.until = until;
    const requestState = await states.seal(state, bindingOf(subjectOf(ctx)), state.expiresAt);
    if (requestState.length > MAX_STATE_LENGTH) {
      throw new KitError(
        "elicit-kit: the answers and the results of once(key, fn) are too large to carry between rounds. Keep large results elsewhere, and only their ids in once.",
      );
    }
    return inputRequired({ inputRequests, requestState });
  }

  function wrap<Parameters extends readonly [...unknown[], ServerContext], Result extends object>(
    name: string,
    handler: (...parameters: Parameters) => Result | Promise<Result>,
  ) {
    wrapped.add(name);
    return async (...parameters: Parameters) => {
      const ctx = contextOf(parameters);
      const run = (elicitor: ToolElicitor) => {
        // The SDK makes a context for each call.
        Object.assign(ctx, { [ELICITOR]: elicitor });
        return handler(...parameters);
      };
      if (isRounds(ctx)) return runInRounds(name, parameters, ctx, run);
      const ask = createLegacyAsk(ctx, { clock, expiresInMs, isCompleted: async (id) => isCompleted(id) });
      return run(elicitorOf(name, { ask, once: createOnce({}) }));
    };
  }

  const serverOptions = { requestState: { verify: (state: string, ctx: ServerContext) => open(state, ctx) } };
  return Object.assign(wrap, {
    serverOptions,
    createServer: (info: Implementation, own: McpServerOptions = {}) =>
      createServer(
        info,
        { ...serverOptions, ...own },
        {
          cards: app === false ? undefined : cards,
          subjectOf,
        },
      ),
  });
}

function elicitorOf(name: string, { ask, once }: Pick<Replay, "ask" | "once">): ToolElicitor {
  return { ...createElicitor({ turn: { ask }, tool: name }), once, ask };
}

/** The last parameter of every handler. */
function contextOf(parameters: readonly unknown[]): ServerContext {
  const ctx = parameters.at(-1);
  if (isServerContext(ctx)) return ctx;
  throw new KitError("elicit-kit: a handler was called without a context of @modelcontextprotocol/server 2.");
}

function isServerContext(value: unknown): value is ServerContext {
  return (
    isObject(value) && isObject(value["mcpReq"]) && typeof value["mcpReq"]["requestState"] === "function"
  );
}

/** Rethrows the handler's error, except for the error with which a replay ends the handler. */
function rethrowUnless(replay: Replay) {
  return (error: unknown): undefined => {
    if (replay.failure === undefined || !(error instanceof ReplayError)) throw error;
    return undefined;
  };
}

function isRounds(ctx: ServerContext): boolean {
  const envelope: unknown = ctx.mcpReq.envelope;
  const version = isObject(envelope) ? envelope[PROTOCOL_VERSION_META_KEY] : undefined;
  return typeof version === "string" && version >= "2026-07-28";
}

const bindingOf = (userId: string | undefined): StateBinding => ({
  userId,
  clientId: undefined,
  call: "elicitor",
});

/** Remembers used states until they would have expired. */
function createStateList(clock: Clock): (id: string, expiresAt: number) => boolean {
  const used = new Map<string, number>();
  return (id, expiresAt) => {
    for (const [other, at] of used) if (at <= clock.now()) used.delete(other);
    if (used.has(id)) return false;
    used.set(id, expiresAt);
    return true;
  };
}

function isToolElicitor(value: unknown): value is ToolElicitor {
  return isObject(value) && typeof value["once"] === "function" && typeof value["choose"] === "function";
}

/** In a tool, the SDK turns this error into a result with `isError`. Elsewhere it becomes error -32602. */
function invalidState(): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid or expired requestState", {
    reason: "invalid_request_state",
  });
}
