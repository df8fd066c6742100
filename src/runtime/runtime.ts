import { createRoutes } from "./http/routes.ts";
import { type Chat, type ChatFormat, UI_MESSAGES } from "./http/chat-format.ts";
import { type AskingOptions, createOutsideAsking } from "./request/turn-asking.ts";
import { systemClock } from "../base/clock.ts";
import { createElicitationService } from "./request/elicitation-service.ts";
import { identityOf } from "../base/identity.ts";
import { createAnswerDigest } from "../base/answer-digest.ts";
import { createUserSeals } from "../base/user-seal.ts";
import { createAssignments } from "./request/assignment.ts";
import { createNotices } from "./notices/notices.ts";
import { held } from "./notices/showing.ts";
import { createInbox } from "./request/inbox.ts";
import { createExpiry } from "./request/expiry.ts";
import { createRecordNotifier } from "./request/record-notifier.ts";
import { createRecordWriter } from "./request/record-writer.ts";
import { createEventBus } from "../base/event-bus.ts";
import { safeLog } from "../base/foreign-error.ts";
import type { ToolApprovalEvent } from "./turn/turn-writer.ts";
import { createMemoryRemembered } from "./request/memory-remembered.ts";
import { createRemembering } from "./request/remembering.ts";
import { createMemoryRecords } from "./request/memory-records.ts";
import { createMemoryTurnRunner, createUnrecordedCalls } from "./turn/memory-turn-runner.ts";
import { createMemoryTurnStream } from "./turn/memory-turn-stream.ts";
import { createMemoryWaiter } from "./request/memory-waiter.ts";
import { createAdmission } from "./http/admission.ts";
import type { Sender } from "../base/identity.ts";
import { createInputLimit } from "../base/input-limit.ts";
import { createWriteCount } from "../base/write-limit.ts";
import { isSecureOrigin, originCheck } from "../base/urls.ts";
import { createOpenLimit } from "./request/open-limit.ts";
import { readRouteChat } from "./http/read-chat.ts";
import { createObserver } from "./request/telemetry.ts";
import { type RouteContext, createTurnReplies } from "./http/turn-replies.ts";
import { createSurfaceTurns, createSurfaces } from "./turn/surfaces.ts";
import { createTurnBody } from "./turn/turn-body.ts";
import { createTurnRegistry } from "./turn/turn-registry.ts";
import type { RunTurn } from "./turn/turn.ts";
import type { Runtime } from "./runtime-interface.ts";
import type { RuntimeOptions } from "./runtime-options.ts";
import { KitError } from "../contract/kit-error.ts";

/**
 * Creates the server side of the contract. It keeps its state in memory by default. Pass `fetch` to your HTTP server.
 *
 * @example
 * const runtime = createRuntime({
 *   authenticate: (request) => sessions.userOf(request),
 *   allowedOrigins: ["https://chat.example.com"],
 *   onError: console.error,
 *   async *runTurn(turn) {
 *     const elicitor = createElicitor({ turn, tool: "greet", toolCallId: turn.id });
 *     const name = await elicitor.text("What is your name?");
 *     const delta = name.outcome === "accepted" ? `Hello, ${name.value}!` : name.text;
 *     yield { type: "text-start", id: "1" };
 *     yield { type: "text-delta", id: "1", delta };
 *     yield { type: "text-end", id: "1" };
 *   },
 * });
 * app.all("/run/*", (c) => runtime.fetch(c.req.raw));
 */
export function createRuntime(options: RuntimeOptions): Runtime {
  const { basePath = "/run", clock = systemClock } = options;
  const onError = safeLog(options.onError);
  const authenticate = identityOf(options.authenticate);
  const isAllowedOrigin = originCheck(options.allowedOrigins);
  const stream = options.stream ?? createMemoryTurnStream({ clock });
  const runner = options.runner ?? createMemoryTurnRunner();
  const unrecorded = createUnrecordedCalls();
  const recorder = runner.recorder ?? unrecorded;
  const records = options.records ?? createMemoryRecords({ clock });
  const waiter = options.waiter ?? createMemoryWaiter({ clock });
  const observer = createObserver(options.telemetry ?? {}, { clock, onError });
  const notifier = createRecordNotifier({ records, waiter, observer, wake: runner.wake, onError });
  const writer = createRecordWriter({ records, notifier, clock });
  const approvals = createEventBus<ToolApprovalEvent>();
  if (options.maxStreamMs !== undefined && !(options.maxStreamMs > 0)) {
    throw new KitError(
      `elicit-kit: maxStreamMs must be a positive number of milliseconds, but it is: ${options.maxStreamMs}. Leave it out for streams that last as long as their turn.`,
    );
  }
  const hostedPageOrigin = options.hostedPage?.origin;
  if (hostedPageOrigin !== undefined && !isSecureOrigin(hostedPageOrigin)) {
    throw new KitError(
      `elicit-kit: hostedPage.origin must be an https origin without a path, or http on a loopback address, but it is: ${hostedPageOrigin}`,
    );
  }
  const streamTimes = { keepAliveMs: options.keepAliveMs ?? 15_000, maxStreamMs: options.maxStreamMs };
  const digest = createAnswerDigest(options.answerKey);
  // Not in the memory of one process, because an answer there would survive its removal in another process.
  const remembered =
    options.remembered ?? (options.records === undefined ? createMemoryRemembered() : undefined);
  const remembering = remembered && createRemembering(remembered, clock);
  const assignments = createAssignments(options.assign);
  const { onWaiting, notifyAfterMs = 60_000, noticesPerHour: perHour = 6 } = options;
  const noticeAt = onWaiting && ((now: number) => now + notifyAfterMs);
  const elicitations = createElicitationService({
    assignments,
    noticeAt,
    remindEveryMs: HOUR_MS / perHour,
    writer,
    notifier,
    records,
    clock,
    digest,
    remembering,
    onError,
    users: createUserSeals(options.answerKey),
    isCompleted: options.isCompleted ?? (() => false),
    lookUps: options.lookUps ?? { count: 3, intervalMs: 500 },
    hostedPageOrigin,
    observer,
    chatOrigins: typeof options.allowedOrigins === "function" ? [] : options.allowedOrigins,
  });
  const expiresInMs = options.expiresInMs ?? 600_000;
  const notices =
    onWaiting &&
    createNotices({
      records: records.notices,
      elicitations,
      assignments,
      clock,
      onWaiting,
      notifyAfterMs,
      perHour,
      observer,
      onError,
    });
  const showing = notices?.showing;
  const openLimit = createOpenLimit(options.maxOpen ?? {}, records, () => observer.limited("open"));
  const asking: AskingOptions = {
    writer,
    notifier,
    records,
    assignments,
    waiter,
    watchExpiry: createExpiry({ writer, records, notifier, clock, onError }),
    clock,
    expiresInMs,
    openLimit,
    observer,
    hostedPageOrigin,
    proposes: options.proposeAnswer !== undefined,
    remembering,
    digest,
    noticeAt,
    onError,
  };
  const outside = createOutsideAsking(asking);
  const { onTurnEnd } = options;
  const runTurn: RunTurn = options.runTurn ?? noAgent;
  const { withdraw } = writer;
  const events = { elicitations: notifier, approvals };
  const publishApproval: Runtime["publishApproval"] = (turnId, event) => {
    try {
      approvals.publish(turnId, event);
    } catch (error) {
      onError(error);
    }
  };
  const { proposeAnswer, writeLimit, writesPerMinute: perMinute = 60 } = options;
  const countWrites = createWriteCount({
    clock,
    perMinute,
    writeLimit,
    onLimit: () => observer.limited("writes"),
  });
  const countWrite = (sender: Sender) => countWrites(sender, 1);
  const surfaceTurns = createSurfaceTurns({
    stream,
    elicitations,
    writer,
    waiter,
    whileShown: (id, entries, signal) => (showing ? held(entries, () => showing.turn(id), signal) : entries),
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
  const { maxChatBytes = 1024 * 1024, anonymousKey } = options;
  const inputLimit = createInputLimit(options.maxTurns ?? {}, {
    maxChatBytes,
    onLimit: (limit) => observer.limited(limit === "sender" ? "turns" : limit),
  });
  const turns = createTurnRegistry({
    stream,
    records,
    runner,
    recorder,
    clock,
    runBody: (...run) => unrecorded.turn(() => runBody(...run)),
    version: runTurn.version,
    waitUntil: options.waitUntil,
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
    anonymousKey,
    inputLimit,
    maxChatBytes,
    maxAnonymousChatBytes: options.maxAnonymousChatBytes ?? Math.min(256 * 1024, maxChatBytes),
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
    inbox: createInbox({ records, clock, assignments }),
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
  const proposals = proposeAnswer && {
    proposeAnswer,
    writeLimit,
    onLimit: () => observer.limited("proposals"),
  };
  const fetch = createRoutes(basePath, context, {
    isAllowedOrigin,
    hostedPageOrigin,
    proposals,
    remembering,
    assigns: options.assign !== undefined,
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
        await Promise.all([turns.stopAll(SHUTTING_DOWN), outside.end(SHUTTING_DOWN), notices?.close()]);
      } finally {
        // Aborted only now, because the streams first show which requests were withdrawn.
        closing.abort();
      }
      await options.runTurn?.close?.();
    },
  };
}

const HOUR_MS = 60 * 60 * 1000;
const SHUTTING_DOWN = "The server is shutting down.";

function noAgent(): never {
  throw new KitError(
    "elicit-kit: a chat message was sent to a runtime without runTurn. Send it to the route that runs the agent.",
  );
}
