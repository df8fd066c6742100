import {
  type CallToolResult,
  type InputRequest,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import type { ElicitationRequest } from "../../src/contract/contract.ts";
import { type SurfaceTurn, untilBlocked, wantsAnswer, changesOf } from "../../src/runtime/internal.ts";
import {
  type AgentCall,
  type AgentCalls,
  type JoinedTurn,
  KEEP_MS,
  errorResult,
  findTurn,
  startTurn,
  type McpCaller,
} from "./agent-calls.ts";
import { takeAnswer } from "./answers.ts";
import { type Presentation, type Presenting, inputRequestOf, presentTo } from "./presentation.ts";
import { createTurnReply } from "./turn-reply.ts";
import type { Clock } from "../../src/base/clock.ts";

/** The operations of a client on a call that runs as a task (SEP-2663). */
export interface TaskCalls {
  /** Starts a turn. Returns its result if it ends quickly. If it takes longer or asks, returns a task. */
  start(call: AgentCall): Promise<CallToolResult>;
  /** The state of a task. `undefined`: there is none, or it belongs to another user or client. */
  get(task: TaskRef): Promise<TaskState | undefined>;
  /**
   * Handles untrusted answers, by the keys of `inputRequests`. `false`: there is no such task. Rejects when there are too
   * many at once.
   */
  update(task: TaskRef, responses: Readonly<Record<string, unknown>>): Promise<boolean>;
  cancel(task: TaskRef): Promise<boolean>;
}

/** A task, and the client that names it. */
export interface TaskRef {
  readonly taskId: string;
  readonly caller: McpCaller;
  readonly client: Presenting;
}

export interface TaskState {
  readonly taskId: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** How long after its creation the task can be read. Increases while it runs. */
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
  readonly statusMessage?: string;
  readonly status: "working" | "input_required" | "completed" | "cancelled";
  readonly inputRequests?: Readonly<Record<string, InputRequest>>;
  readonly result?: CallToolResult;
}

/** An open request, in the form that the client of a task gets. */
interface Asked {
  readonly request: ElicitationRequest;
  /** Its id, with a number after the first attempt, because clients answer each key once. The same in every process. */
  readonly key: string;
}

const POLL_INTERVAL_MS = 1000;
/** How long a call may take until it becomes a task. */
const HOLD_MS = 2000;

/**
 * Serves calls of 2026 clients that support tasks. The turn is the task: it continues when the connection of the call
 * breaks, and any process that shares the runtime's ports can serve it.
 */
export function createTaskCalls(calls: AgentCalls): TaskCalls {
  const { clock, elicitations } = calls;
  const { linkFor } = elicitations;
  /** Forms whose link the user agreed to open. Another process may show the same link once more. */
  const opened = createExpiringMap<true>(clock, KEEP_MS);
  /** The progress of a turn's agent, and the position up to which its log was read. */
  const progress = createExpiringMap<{ after: number | undefined; tool: string | undefined }>(clock, KEEP_MS);

  /** Returns the tool that the agent called last. Clients poll every second, so only new entries of the log are read. */
  async function lastTool(turn: SurfaceTurn): Promise<string | undefined> {
    let { after, tool } = progress.get(turn.id) ?? { after: undefined, tool: undefined };
    const reply = createTurnReply();
    for await (const entry of turn.read({ after, live: false, signal: new AbortController().signal })) {
      after = entry.seq;
      tool = reply.see(entry) ?? tool;
    }
    progress.set(turn.id, { after, tool });
    return tool;
  }

  function presented(request: ElicitationRequest, client: Presenting): Presentation {
    return presentTo(client, request, linkFor(request.elicitationId));
  }

  /** The requests that need an answer now. */
  async function questionsOf(turn: Pick<SurfaceTurn, "open">): Promise<Asked[]> {
    const asked: Asked[] = [];
    for (const request of await turn.open()) {
      const { elicitationId } = request;
      if (!wantsAnswer(request) || opened.get(elicitationId)) continue;
      const record = await elicitations.get(elicitationId);
      const changes = record === undefined ? 0 : changesOf(record);
      asked.push({ request, key: changes === 0 ? elicitationId : `${elicitationId}~${changes}` });
    }
    return asked;
  }

  async function stateOf(joined: JoinedTurn, client: Presenting): Promise<TaskState> {
    const { turn } = joined;
    const now = new Date(clock.now()).toISOString();
    const { startedAt } = turn.ref;
    const createdAt = typeof startedAt === "string" ? startedAt : now;
    // Another process may have started the task, with a clock that is ahead.
    const age = Math.max(0, Date.parse(now) - Date.parse(createdAt));
    const task = {
      taskId: turn.id,
      createdAt,
      lastUpdatedAt: now,
      ttlMs: turn.ended ? age : age + KEEP_MS,
      pollIntervalMs: POLL_INTERVAL_MS,
    };
    if (turn.ended) return { ...task, ...(await endOf(joined)) };
    const tool = await lastTool(turn);
    let statusMessage = tool === undefined ? undefined : `Using ${tool}`;
    const inputRequests: Record<string, InputRequest> = {};
    for (const { request, key } of await questionsOf(turn)) {
      const how = presented(request, client);
      const asks = inputRequestOf(how);
      if (asks !== undefined) inputRequests[key] = asks;
      // The agent continues without a question that this client cannot show.
      else if (how.by === "nothing") await turn.failRequest(request.elicitationId, how.reason);
      else if (how.by === "text") statusMessage = `Waiting for the user: ${request.message} ${how.url}`;
    }
    const shown = { ...task, ...(statusMessage !== undefined && { statusMessage }) };
    if (Object.keys(inputRequests).length === 0) return { ...shown, status: "working" };
    return { ...shown, status: "input_required", inputRequests };
  }

  async function takeOne(
    turn: SurfaceTurn,
    { request }: Asked,
    client: Presenting,
    result: unknown,
  ): Promise<void> {
    const { elicitationId } = request;
    const how = presented(request, client);
    if (how.by !== "elicitation") return;
    const taken = await takeAnswer(turn, { elicitationId, as: how.as, result });
    if (taken.kind === "opened") return opened.set(elicitationId, true);
    if (taken.kind !== "limited") return;
    // The question keeps its key, so that the client can answer it again.
    const note = `Too many answers at once. Please answer again in ${taken.retryAfter} seconds.`;
    throw new ProtocolError(ProtocolErrorCode.InvalidRequest, note);
  }

  const find = ({ taskId, caller }: TaskRef) => findTurn(calls, caller, { turnId: taskId });

  return {
    async start(call) {
      const joined = await startTurn(calls, call);
      if ("content" in joined) return joined;
      const held = new AbortController();
      const stopHolding = clock.after(HOLD_MS, () => held.abort());
      const reply = createTurnReply();
      const { state } = await untilBlocked(joined.turn, {
        signal: AbortSignal.any([call.signal, held.signal]),
        clock,
        onEntry: (entry) => void reply.see(entry),
      });
      stopHolding();
      if (state === "ended") return reply.result(joined.conversationId);
      if (!call.signal.aborted) return startedResult(await stateOf(joined, call));
      await joined.turn.stop("The client has ended the call.");
      return errorResult("The call was ended.");
    },
    async get(task) {
      const found = await find(task);
      return found && stateOf(found, task.client);
    },
    async update(task, responses) {
      const found = await find(task);
      if (found === undefined) return false;
      // Only answers to open requests are used: other keys, and keys of earlier attempts, are ignored.
      for (const asked of await questionsOf(found.turn)) {
        const { key } = asked;
        if (Object.hasOwn(responses, key)) await takeOne(found.turn, asked, task.client, responses[key]);
      }
      return true;
    },
    async cancel(task) {
      const found = await find(task);
      if (found?.turn.ended === false) await found.turn.stop("The client has cancelled the task.");
      return found !== undefined;
    },
  };
}

/** Returns how a turn has ended. */
async function endOf({ turn, conversationId }: JoinedTurn): Promise<Pick<TaskState, "status" | "result">> {
  const reply = createTurnReply();
  for await (const entry of turn.read({ live: false, signal: new AbortController().signal }))
    reply.see(entry);
  if (reply.isStopped) return { status: "cancelled" };
  return { status: "completed", result: { ...reply.result(conversationId), resultType: "complete" } };
}

/** The client reads the questions with `tasks/get`. */
function startedResult(task: TaskState): CallToolResult {
  const { taskId, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs, status } = task;
  const summary = { taskId, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs, status };
  return { ...summary, resultType: "task", content: [] };
}

/** A map that forgets values `keepMs` after they were set. */
export interface ExpiringMap<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
}

export function createExpiringMap<T>(clock: Clock, keepMs: number): ExpiringMap<T> {
  const entries = new Map<string, { value: T; until: number }>();
  return {
    get(key) {
      const entry = entries.get(key);
      return entry !== undefined && clock.now() < entry.until ? entry.value : undefined;
    },
    set(key, value) {
      for (const [other, { until }] of entries) {
        // Iterates from the oldest value: a value that is set again moves to the end.
        if (until > clock.now()) break;
        entries.delete(other);
      }
      entries.delete(key);
      entries.set(key, { value, until: clock.now() + keepMs });
    },
  };
}
