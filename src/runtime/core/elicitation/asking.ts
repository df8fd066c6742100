import type { ElicitationRequest, ElicitationService } from "../../../protocol/contract.ts";
import type { WatchExpiry } from "./expiry.ts";
import { newId, newSecret } from "../shared/ids.ts";
import { isLetGo, never } from "../shared/let-go.ts";
import type { OpenLimit } from "./open-limit.ts";
import type { Clock, ElicitationRecord, ElicitationRecords, Settlement, User, Waiter } from "../ports.ts";
import { outcomeOf } from "./record.ts";
import type { RecordNotifier } from "./record-notifier.ts";
import type { RecordWriter } from "./record-writer.ts";
import type { Observer } from "./telemetry.ts";
import type { ElicitationResult, Question } from "./question.ts";

/** What a request inherits from the turn it is asked in. */
export interface TurnScope {
  readonly turnId: string;
  /** Kind of the surface that shows the request. @default "chat" */
  readonly surface?: string | undefined;
  readonly conversationId: string;
  readonly user: User;
  readonly chatOrigin?: string | undefined;
  readonly returnUrl?: string | undefined;
  /** Withdraws the request when it aborts. */
  readonly signal: AbortSignal;
}

export type Ask = (scope: TurnScope, question: Question) => Promise<ElicitationResult>;

const MAX_ICON_LENGTH = 8 * 1024;

const UNHEARD: Settlement = { outcome: "failed", reason: "the server could not wait for the answer" };

/** Puts a question to a person and waits for its end (contract, section 5). */
export function createAsking(options: {
  writer: Pick<RecordWriter, "end">;
  notifier: Pick<RecordNotifier, "announce" | "follow">;
  records: Pick<ElicitationRecords, "create">;
  waiter: Pick<Waiter, "wait">;
  watchExpiry: WatchExpiry;
  clock: Clock;
  expiresInMs: number;
  openLimit: OpenLimit;
  observer: Pick<Observer, "waiting">;
  /** Origin of the pages that people can reach by a plain link. */
  hostedPageOrigin: string | undefined;
  onError: (error: unknown) => void;
}): Ask {
  const { writer, notifier, records, waiter, clock, observer } = options;

  return async function ask(scope, question) {
    const leave = options.openLimit(scope.conversationId, scope.user.id);
    if (leave === undefined) {
      const reason = "too many requests wait for the user already; they have to answer some of them first";
      return { outcome: "failed", reason };
    }
    try {
      return await askWithin(scope, question);
    } catch (error) {
      if (!isLetGo(scope.signal)) throw error;
    } finally {
      leave();
    }
    // The process that goes on with the turn gets the answer.
    return never();
  };

  async function askWithin(
    { signal: turnSignal, surface = "chat", ...owner }: TurnScope,
    question: Question,
  ): Promise<ElicitationResult> {
    const createdAt = clock.now();
    const expiresAt = createdAt + (question.expiresInMs ?? options.expiresInMs);
    const elicitationId = question.elicitationId ?? newId();
    const record = await records.create({
      ...owner,
      surface,
      revision: 0,
      request: requestOf(question, elicitationId, expiresAt, options.hostedPageOrigin),
      tool: question.tool,
      createdAt,
      expiresAt,
      status: "pending",
      vouchKey: newSecret(),
    });
    // With an id of the caller's making this may be a question of a turn that is run again: then its record counts.
    if (record.turnId !== owner.turnId || record.user.id !== owner.user.id) {
      throw new Error(
        "elicit-kit: another turn has asked with this elicitationId. Make ids from the turn's own id.",
      );
    }
    const ended = outcomeOf(record);
    if (ended !== undefined && ended !== "accepted") return resultOf({ ...record, outcome: ended }, record);

    const signal =
      question.signal === undefined ? turnSignal : AbortSignal.any([turnSignal, question.signal]);
    const following = notifier.follow(record);
    const waiting = waiter.wait(elicitationId, { signal });
    const callOff = options.watchExpiry(record);
    if (!signal.aborted && ended === undefined) notifier.announce(record);
    const report = observer.waiting(record);
    try {
      const settlement = await waiting;
      // Only for who looks on: an answer must not be lost with it.
      await following.catchUp().catch(options.onError);
      report(settlement.outcome);
      return resultOf(settlement, record);
    } catch (error) {
      if (isLetGo(turnSignal)) throw error;
      const reason = error instanceof Error ? error.message : undefined;
      const isWithdrawn = signal.aborted;
      if (!isWithdrawn) options.onError(error);
      // Nobody waits any more: a request that stayed open would be answered for nothing.
      const settlement: Settlement = isWithdrawn ? { outcome: "withdrawn", reason } : UNHEARD;
      const isFirst = await writer.end(record, settlement);
      // Another process has ended it, and could not reach this one's stream.
      if (!isFirst) await following.catchUp().catch(options.onError);
      report(settlement.outcome);
      return resultOf(settlement, record);
    } finally {
      callOff();
      following.stop();
    }
  }
}

function requestOf(
  question: Question,
  elicitationId: string,
  expiresAtMs: number,
  hostedPageOrigin: string | undefined,
): ElicitationRequest {
  const { message, requester, context, round, toolCallId } = question;
  const common = {
    type: "elicitation-request" as const,
    elicitationId,
    message,
    expiresAt: new Date(expiresAtMs).toISOString(),
    ...(requester !== undefined && { requester }),
    ...(context !== undefined && { context }),
    ...(round !== undefined && { round }),
    ...(toolCallId !== undefined && { toolCallId }),
  };
  if (question.mode === "form") return { ...common, mode: "form", requestedSchema: question.requestedSchema };
  const url = typeof question.url === "string" ? question.url : question.url(elicitationId);
  if (!URL.canParse(url))
    throw new Error(`elicit-kit: the URL of a question must be absolute. This one is not: ${url}`);
  const { acceptMeans, service } = question;
  if (service !== undefined) ensureIcon(service);
  const worksByLink = new URL(url).origin === hostedPageOrigin;
  return {
    ...common,
    mode: "url",
    url,
    ...(acceptMeans && { acceptMeans }),
    ...(service && { service }),
    // A client offers a link to a page that it trusts only where that page needs no window of the chat's.
    ...(worksByLink && { context: { trigger: "tool", ...context, worksByLink } }),
  };
}

/** An icon from elsewhere would tell its host that somebody is being asked. */
function ensureIcon({ iconDataUrl = "data:image/" }: ElicitationService): void {
  if (iconDataUrl.startsWith("data:image/") && iconDataUrl.length <= MAX_ICON_LENGTH) return;
  throw new Error(
    `elicit-kit: the icon of a service must be a data: URL of an image, of at most ${MAX_ICON_LENGTH} characters.`,
  );
}

function resultOf(settlement: Settlement, record: ElicitationRecord): ElicitationResult {
  const { outcome, content = {}, reason = "no reason was given" } = settlement;
  if (outcome === "accepted") return { outcome, content };
  if (outcome === "expired") return { outcome, afterMs: record.expiresAt - record.createdAt };
  if (outcome === "failed") return { outcome, reason };
  return { outcome };
}
