import type { Client } from "@modelcontextprotocol/client";
import { isObject } from "../../contract/json.ts";
import type { SupportedModes } from "../../runtime/internal.ts";
import { newId } from "../../base/ids.ts";
import type { Card, Cards } from "./call-questions.ts";
import { inspectElicitation } from "../wire/inspect-elicitation.ts";
import { type McpElicitResult, elicitResultOf, readElicitation } from "../wire/translate.ts";

/** An error that is sent to the server as a JSON-RPC error. */
class McpRequestError extends Error {
  override readonly name = "McpRequestError";
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;

/** How many questions one call of a tool may ask. */
export const MAX_QUESTIONS = 50;
/** How many requests a server may send in one call, including refused ones. One more ends the call. */
export const MAX_REQUESTS = 1000;

type LegacyClient = Pick<Client, "fallbackRequestHandler" | "setNotificationHandler">;

export interface LegacyRequests {
  /** Ends the card when the server reports that the page with this id is complete. */
  watch(card: Card, elicitationId: string | undefined): void;
  /** Call it when the call has ended. Later requests are refused. */
  end(): void;
}

export interface LegacyRequestsOptions {
  cards: Cards;
  supports: SupportedModes;
  showUnanswerable: boolean;
  /** Removes the credential of the call from the server's texts. */
  conceal: <T>(value: T) => T;
  /** Called when the server has sent too many requests. */
  onFlood: () => void;
}

/**
 * Answers the requests of a 2025-06-18 or 2025-11-25 server during one call. It uses the fallback handler of the SDK's
 * client, because the SDK's own handler removes keywords from forms and refuses some forms.
 */
export function answerLegacyRequests(client: LegacyClient, options: LegacyRequestsOptions): LegacyRequests {
  const { cards, conceal } = options;
  const pages = new Map<string, Card[]>();
  const tasks = new Map<string, ClientTask>();
  let questions = 0;
  let requests = 0;
  let hasEnded = false;

  function ask(params: unknown, signal: AbortSignal): Promise<McpElicitResult> {
    requests += 1;
    if (requests > MAX_REQUESTS) {
      options.onFlood();
      throw new McpRequestError(INVALID_REQUEST, "This call has asked too much.");
    }
    // Refused questions count as well, because parsing them takes time.
    questions += 1;
    if (questions > MAX_QUESTIONS) {
      throw new McpRequestError(INVALID_REQUEST, `This call has asked ${MAX_QUESTIONS} questions already.`);
    }
    const read = readElicitation(conceal(params));
    if (!read.ok) throw new McpRequestError(INVALID_PARAMS, read.reason);
    const inspection = inspectElicitation(read.value, options);
    if (inspection.verdict === "refuse") throw new McpRequestError(INVALID_PARAMS, inspection.reason);
    const page = cards.pageOf(read.value);
    if (page !== undefined) {
      page.askedAgain();
      if (read.value.mode === "url") watch(page, read.value.elicitationId);
      return cards.untilNextLook([page]).then(async () => {
        const answer = await answerOf(page, inspection.isBlocked);
        page.toldAgain();
        return answer;
      });
    }
    cards.otherAsked();
    const card = cards.ask(read.value, signal);
    if (read.value.mode === "url") watch(card, read.value.elicitationId);
    return answerOf(card, inspection.isBlocked);
  }

  function watch(card: Card, elicitationId: string | undefined): void {
    if (elicitationId !== undefined) pages.set(elicitationId, [...(pages.get(elicitationId) ?? []), card]);
  }

  function startTask(params: unknown, ttl: unknown): { task: TaskReport } {
    const abort = new AbortController();
    const answer = ask(params, abort.signal);
    const at = new Date().toISOString();
    const task: ClientTask = {
      abort,
      answer,
      report: {
        taskId: newId(),
        status: "input_required",
        createdAt: at,
        lastUpdatedAt: at,
        ttl: typeof ttl === "number" ? ttl : null,
        pollInterval: POLL_INTERVAL_MS,
      },
    };
    const end = (status: TaskReport["status"]) => {
      task.report = { ...task.report, status, lastUpdatedAt: new Date().toISOString() };
    };
    answer.then(
      () => end(abort.signal.aborted ? "cancelled" : "completed"),
      () => end("failed"),
    );
    tasks.set(task.report.taskId, task);
    return { task: task.report };
  }

  function taskOf(params: unknown): ClientTask {
    const taskId = isObject(params) ? params["taskId"] : undefined;
    const task = typeof taskId === "string" ? tasks.get(taskId) : undefined;
    if (task === undefined) throw new McpRequestError(INVALID_PARAMS, "There is no such task.");
    return task;
  }

  client.fallbackRequestHandler = async ({ method, params }, { mcpReq: { signal } }) => {
    if (hasEnded) throw new McpRequestError(INVALID_REQUEST, "The call that this belongs to has ended.");
    if (method === "elicitation/create") {
      const task: unknown = params?.["task"];
      return isObject(task) ? { ...startTask(params, task["ttl"]) } : ask(params, signal);
    }
    if (method === "tasks/get") return { ...taskOf(params).report };
    if (method === "tasks/result") {
      const { answer, report } = taskOf(params);
      const related = { "io.modelcontextprotocol/related-task": { taskId: report.taskId } };
      return { ...(await answer), _meta: related };
    }
    if (method === "tasks/cancel") {
      const task = taskOf(params);
      task.abort.abort();
      await task.answer.catch(() => {});
      return { ...task.report };
    }
    throw new McpRequestError(METHOD_NOT_FOUND, "Method not found");
  };
  client.setNotificationHandler("notifications/elicitation/complete", ({ params: { elicitationId } }) => {
    for (const card of pages.get(elicitationId) ?? []) card.complete();
  });
  return {
    watch,
    end() {
      hasEnded = true;
    },
  };
}

/** The server's answer for a card: the consent while a page is open, and then the outcome. */
export async function answerOf(card: Card, isBlocked: boolean): Promise<McpElicitResult> {
  const answer = await card.answer;
  const result = card.isOpen() ? answer : await card.result;
  if (result.outcome === "unsupported") return { action: "cancel" };
  // The user has seen why the page is blocked. A client must not accept it for them.
  if (isBlocked && result.outcome === "accepted") return { action: "decline" };
  if (result.outcome !== "accepted") return elicitResultOf(result.outcome);
  return elicitResultOf("accepted", card.isForm ? result.content : undefined);
}

const POLL_INTERVAL_MS = 1000;

/** An `elicitation/create` that the server sent as a task (2025-11-25). The server polls for the answer. */
interface ClientTask {
  report: TaskReport;
  readonly answer: Promise<McpElicitResult>;
  readonly abort: AbortController;
}

interface TaskReport {
  readonly taskId: string;
  readonly status: "input_required" | "completed" | "failed" | "cancelled";
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttl: number | null;
  readonly pollInterval: number;
}
