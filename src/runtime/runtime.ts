import { keepAliveOf } from "../base/event-stream.ts";
import { createRoutes } from "./http/routes.ts";
import { type Chat, type ChatFormat, UI_MESSAGES } from "./http/chat-format.ts";
import { systemClock } from "../base/clock.ts";
import { identityOf } from "../base/identity.ts";
import { createEventBus } from "../base/event-bus.ts";
import { safeLog } from "../base/foreign-error.ts";
import type { ToolApprovalEvent } from "./turn/turn-writer.ts";
import { createMemoryTurnRunner, createUnrecordedCalls } from "./turn/memory-turn-runner.ts";
import { createMemoryTurnStream } from "./turn/memory-turn-stream.ts";
import { createAdmission } from "./http/admission.ts";
import type { Sender } from "../base/identity.ts";
import { createInputLimit } from "../base/input-limit.ts";
import { createWriteCount } from "../base/write-limit.ts";
import { originCheck } from "../base/urls.ts";
import { readRouteChat } from "./http/read-chat.ts";
import type { RouteContext } from "./http/route-context.ts";
import { createTurnReplies } from "./http/turn-replies.ts";
import { createSurfaceTurns, createSurfaces } from "./turn/surfaces.ts";
import { createTurnBody } from "./turn/turn-body.ts";
import { createTurnRegistry } from "./turn/turn-registry.ts";
import type { RunTurn } from "./turn/turn.ts";
import type { Features } from "./features.ts";
import { createRequests } from "./requests.ts";
import type { Runtime } from "./runtime-interface.ts";
import type { RuntimeOptions } from "./runtime-options.ts";
import { KitError } from "../contract/kit-error.ts";

/** A runtime with some features. `createRuntime` has all. */
export function composeRuntime(options: RuntimeOptions, features: Features): Runtime {
  const { basePath = "/run", ports = {}, limits = {}, platform = {} } = options;
  const { clock = systemClock, writeLimit } = ports;
  const onError = safeLog(options.onError);
  const authenticate = identityOf(options.authenticate);
  const isAllowedOrigin = originCheck(options.allowedOrigins);
  const { maxStreamMs } = platform;
  const keepAliveMs = keepAliveOf("platform.keepAliveMs", platform.keepAliveMs);
  if (maxStreamMs !== undefined && !(maxStreamMs > 0)) {
    throw new KitError(
      `elicit-kit: platform.maxStreamMs must be a positive number of milliseconds, but it is: ${maxStreamMs}. Leave it out for streams that last as long as their turn.`,
    );
  }
  const stream = ports.stream ?? createMemoryTurnStream({ clock });
  const runner = ports.runner ?? createMemoryTurnRunner();
  const unrecorded = createUnrecordedCalls();
  const recorder = runner.recorder ?? unrecorded;
  const observer = features.telemetry?.(options, { clock, onError });
  const parts = { writeLimit, observer, onError };
  const sentences = features.sentences?.(options, parts);
  const requests = createRequests(options, {
    features,
    clock,
    observer,
    wake: runner.wake,
    showsAssignee: (kind) => surfaceTurns.showsAssignee(kind),
    takesSentence: sentences?.takes,
    onError,
  });
  const { records, waiter, notifier, writer, elicitations, absence, asking, outside } = requests;
  const approvals = createEventBus<ToolApprovalEvent>();
  const streamTimes = { keepAliveMs, maxStreamMs };
  const { onTurnEnd } = options;
  const runTurn: RunTurn = options.runTurn ?? noAgent;
  const { withdraw } = writer;
  const showing = absence?.showing;
  const events = { elicitations: notifier, approvals };
  const publishApproval: Runtime["publishApproval"] = (turnId, event) => {
    try {
      approvals.publish(turnId, event);
    } catch (error) {
      onError(error);
    }
  };
  const { writesPerMinute = 60 } = limits;
  const countWrites = createWriteCount({
    clock,
    perMinute: writesPerMinute,
    writeLimit,
    onLimit: () => observer?.limited("writes"),
  });
  const countWrite = (sender: Sender) => countWrites(sender, 1);
  const surfaceTurns = createSurfaceTurns({
    stream,
    elicitations,
    writer,
    waiter,
    whileShown: (id, entries, signal) => showing?.reading(id, entries, signal) ?? entries,
    countWrite,
    onError,
  });
  const runBody = createTurnBody({
    stream,
    records,
    recorder,
    clock,
    runTurn,
    asking,
    withdraw,
    events,
    publishApproval,
    refuseForm: surfaceTurns.refuseForm,
    onTurnEnd,
    onError,
  });
  const { chatBytes: maxChatBytes = 1024 * 1024, anonymousKey } = limits;
  const inputLimit = createInputLimit(limits.turns ?? {}, {
    maxChatBytes,
    onLimit: (limit) => observer?.limited(limit === "sender" ? "turns" : limit),
  });
  const turns = createTurnRegistry({
    stream,
    records,
    runner,
    recorder,
    clock,
    runBody: (...run) => unrecorded.turn(() => runBody(...run)),
    version: runTurn.version,
    waitUntil: platform.waitUntil,
    withdraw,
    deliver: surfaceTurns.deliver,
    onError,
  });
  const surface = createSurfaces({
    turns: surfaceTurns,
    registry: turns,
    stream,
    elicitations,
    inputLimit,
    countWrite,
  });

  const admission = createAdmission({
    authenticate,
    isAllowedOrigin,
    countWrites,
    writesPerMinute,
    anonymousKey,
    inputLimit,
    maxChatBytes,
    maxAnonymousChatBytes: limits.anonymousChatBytes ?? Math.min(256 * 1024, maxChatBytes),
  });
  const chatOriginOf = (request: Request) => {
    const origin = request.headers.get("origin");
    return origin !== null && isAllowedOrigin(origin) ? origin : undefined;
  };
  const chatOf = (format: ChatFormat): Chat => ({ format, surface: surface(format.kind) });
  const closing = new AbortController();
  const context: RouteContext = {
    elicitations,
    clock,
    inbox: requests.inbox,
    showing,
    streamTimes,
    closing: closing.signal,
    authenticate,
    admission,
    chats: [chatOf(UI_MESSAGES), ...(options.formats ?? []).map(chatOf)],
    replies: createTurnReplies({
      clock,
      chatOriginOf,
      ...streamTimes,
      onError,
    }),
    chatOriginOf,
  };
  const fetch = createRoutes(basePath, context, {
    isAllowedOrigin,
    hostedPageOrigin: options.hostedPage?.origin,
    features: [sentences, ...requests.routes, features.receipts?.(options, parts)],
    onError,
  });

  return {
    fetch,
    elicitations,
    surface,
    readChat: (request) => readRouteChat(context, request),
    async ask({ chatOrigin, ...scope }, question) {
      const isKnown = chatOrigin !== undefined && isAllowedOrigin(chatOrigin);
      // The route that asks shows the request while it waits.
      const hide = showing?.turn(scope.turnId);
      try {
        return await outside.ask({ ...scope, ...(isKnown && { chatOrigin }) }, question);
      } finally {
        hide?.();
      }
    },
    subscribe(turnId, listener) {
      const stops = [notifier.subscribe(turnId, listener), approvals.subscribe(turnId, listener)];
      return () => {
        for (const stop of stops) stop();
      };
    },
    publishApproval,
    async close() {
      try {
        await Promise.all([turns.stopAll(SHUTTING_DOWN), outside.end(SHUTTING_DOWN), absence?.close()]);
      } finally {
        // Aborted only now, because the streams first show which requests were withdrawn.
        closing.abort();
      }
      await options.runTurn?.close?.();
    },
  };
}

const SHUTTING_DOWN = "The server is shutting down.";

function noAgent(): never {
  throw new KitError(
    "elicit-kit: a chat message was sent to a runtime without runTurn. Send it to the route that runs the agent.",
  );
}
