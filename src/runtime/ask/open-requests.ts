import type { ElicitationRequest } from "../../contract/contract.ts";
import { KitError } from "../../contract/kit-error.ts";
import type { Clock } from "../../base/clock.ts";
import type { AnswerDigest } from "../../base/answer-digest.ts";
import { newId, newSecret } from "../../base/ids.ts";
import { untilAborted } from "../../base/deadlines.ts";
import type { ElicitationRecord, ElicitationRecords } from "../ports/index.ts";
import { isTakenOver, isTakeover, never } from "../ports/turn-runner.ts";
import type { Assignments } from "../request/features/who-decides.ts";
import type { OpenLimit } from "../request/open-limit.ts";
import { type BeforeAsk, type Decider, deciderOf, ruledFor } from "./policy.ts";
import { ensureSameQuestion, requestOf } from "./new-request.ts";
import type { ElicitationResult, Question, TurnScope, UrlQuestion } from "./question.ts";
import { isEnded } from "../request/record.ts";
import type { RecordWriter } from "../request/record-writer.ts";
import type { Remembering } from "../request/features/remembering.ts";
import { signalOf } from "./wait-for-result.ts";

/** The options for creating requests. */
export interface OpenOptions {
  readonly writer: Pick<RecordWriter, "change" | "createAnswered">;
  readonly records: Pick<ElicitationRecords, "create" | "get">;
  readonly assignments: Assignments;
  readonly clock: Clock;
  readonly expiresInMs: number;
  readonly maxExpiresInMs: number | undefined;
  readonly openLimit: OpenLimit;
  /** The origin of the pages that a plain link can open. */
  readonly hostedPageOrigin: string | undefined;
  /** Whether a sentence of the user may fill in a form. */
  readonly takesSentence: ((request: ElicitationRequest) => boolean) | undefined;
  /** `undefined`: answers are not remembered. */
  readonly remembering: Pick<Remembering, "find"> | undefined;
  readonly digest: Pick<AnswerDigest, "of">;
  readonly onError: (error: unknown) => void;
  /** Decides questions in place of the user. */
  readonly beforeAsk: BeforeAsk | undefined;
  /** When an absent user gets a notice of a request that is created now. `undefined`: never. */
  readonly noticeAt: ((now: number) => number) | undefined;
}

/** A question with its record. */
export interface OpenedRequest {
  readonly record: ElicitationRecord;
  /** Whether the record was created now, and not by an earlier run of the turn. */
  readonly isNew: boolean;
  /** Frees the capacity of the request in the limit of open requests. */
  readonly release: () => void;
}

/** A question without a request has its result immediately. */
export type Opened = OpenedRequest | ElicitationResult;

/**
 * Creates the records of questions, in their order and after `before`. If more than one gets a card, they form a round: a
 * client waits for as many answers. A question whose answer is no longer needed gets no record.
 */
export async function openRequests<Asked extends { readonly question: Question }>(
  options: OpenOptions,
  scope: TurnScope,
  asked: readonly Asked[],
  before: Promise<unknown> | undefined,
): Promise<ReadonlyMap<Asked, PromiseSettledResult<Opened>>> {
  let last = before;
  const creating = asked.map((one) => {
    const opening = openAfter(options, scope, one.question, last);
    last = Promise.allSettled([last, opening]);
    return [one, opening] as const;
  });
  const opened = await settledByKey(creating);
  return asked.length < 2 ? opened : inRound(options, opened);
}

/** Adds the round to the requests, with a smaller size if one of them has ended before it was added. */
async function inRound<Key>(
  options: OpenOptions,
  first: ReadonlyMap<Key, PromiseSettledResult<Opened>>,
): Promise<ReadonlyMap<Key, PromiseSettledResult<Opened>>> {
  const left = new Set<ElicitationRecord>();
  let opened = first;
  let size: number | undefined;
  for (;;) {
    const members = [...opened.values()].flatMap((one) =>
      one.status === "fulfilled" && isOfRound(one.value) && !left.has(one.value.record) ? [one.value] : [],
    );
    if (members.length === size) return opened;
    size = members.length;
    const round = roundOf(members);
    const stamped = [...opened].map(
      ([one, result]) => [one, stamp(options, result, { round, left })] as const,
    );
    opened = await settledByKey(stamped);
  }
}

async function settledByKey<Key, Value>(
  entries: readonly (readonly [Key, Promise<Value>])[],
): Promise<ReadonlyMap<Key, PromiseSettledResult<Value>>> {
  const settled = entries.map(async ([key, promise]) => {
    const [result] = await Promise.allSettled([promise]);
    return [key, result] as const;
  });
  return new Map(await Promise.all(settled));
}

/**
 * Creates a request for a chat that cannot show it. Only its page can be used, and no code waits. It has a separate
 * conversation and turn, so that no chat lists it, and the end of the turn does not withdraw it.
 */
export async function leaveRequest(
  options: OpenOptions,
  scope: TurnScope,
  question: UrlQuestion,
): Promise<ElicitationRequest> {
  const { elicitationId = newId() } = question;
  const { signal: _, lease: __, ...person } = scope;
  const owner = { ...person, conversationId: elicitationId, turnId: elicitationId };
  // The user has the link, and no code waits.
  const untold = { ...options, noticeAt: undefined };
  const { record } = await createRecord(untold, owner, { ...question, elicitationId }, undefined);
  return record.request;
}

async function openAfter(
  options: OpenOptions,
  scope: TurnScope,
  question: Question,
  before: Promise<unknown> | undefined,
): Promise<Opened> {
  const signal = signalOf(scope, question);
  if (before !== undefined) await untilAborted(before, signal);
  if (before !== undefined && signal.aborted)
    return isTakenOver(scope.signal) ? never() : { outcome: "withdrawn" };
  const release = await options.openLimit(scope.conversationId, scope.user.id, question.elicitationId);
  if (release === undefined) {
    const reason = "too many requests wait for the user already; they have to answer some of them first";
    return { outcome: "failed", reason };
  }
  try {
    const { signal: _, lease, ...owner } = scope;
    const decider = await deciderOf(options, owner, question);
    if (decider === undefined) {
      release();
      return { outcome: "failed", reason: "the user may not leave this decision to somebody else" };
    }
    return { ...(await createRecord(options, owner, question, { ...decider, lease })), release };
  } catch (error) {
    release();
    if (isTakeover(error)) return never();
    throw error;
  }
}

/** The answer that the user has let the kit remember for this question. If the store fails, the user is asked. */
async function rememberedFor(
  { remembering, digest, onError }: Pick<OpenOptions, "remembering" | "digest" | "onError">,
  asked: ElicitationRecord,
  question: Question,
): Promise<Parameters<RecordWriter["createAnswered"]>[1] | undefined> {
  if (question.mode !== "form" || asked.request.remember === undefined) return undefined;
  try {
    const answer = await remembering?.find(asked);
    if (answer === undefined || (await question.isStillGood?.(answer.content)) === false) return undefined;
    const { content, key: usedAnswer } = answer;
    const answerDigest = await digest.of(asked.request.elicitationId, content);
    return { settlement: { outcome: "accepted", content }, answerDigest, usedAnswer };
  } catch (error) {
    onError(error);
    return undefined;
  }
}

const TWO_HOURS_MS = 2 * 60 * 60 * 1000;
const TWENTY_HOURS_MS = 10 * TWO_HOURS_MS;

/** More time at least ten times, as WCAG 2.2.1 requires for limits below 20 hours. */
const longestOf = (expiresInMs: number): number =>
  expiresInMs < TWENTY_HOURS_MS ? Math.max(TWO_HOURS_MS, 11 * expiresInMs) : expiresInMs;

/** Creates the record. When a turn runs again, returns the record of its first run. */
async function createRecord(
  { records, clock, ...options }: OpenOptions,
  { surface = "chat", ...owner }: Omit<TurnScope, "signal" | "lease">,
  question: Question,
  { assigned, decided, lease }: Decider & { lease?: TurnScope["lease"] } = {},
): Promise<Omit<OpenedRequest, "release">> {
  const createdAt = clock.now();
  const { expiresInMs = options.expiresInMs, maxExpiresInMs = Infinity } = question;
  const longestMs = Math.min(maxExpiresInMs, options.maxExpiresInMs ?? longestOf(expiresInMs));
  const expiresAt = createdAt + expiresInMs;
  const { hostedPageOrigin, takesSentence, remembering, assignments } = options;
  const isTold = assigned === undefined || assignments.isTold(assigned.to);
  const noticeAt = isTold ? options.noticeAt?.(createdAt) : undefined;
  const asked: ElicitationRecord = {
    ...owner,
    surface,
    revision: 0,
    request: requestOf(question, question.elicitationId ?? newId(), {
      expiresAt,
      extendableUntil: createdAt + longestMs,
      hostedPageOrigin,
      takesSentence,
      // An answer of another user is not remembered for this user.
      remembers: remembering !== undefined && assigned === undefined,
      // Somebody was named to decide.
      delegates: assigned === undefined,
    }),
    ...(assigned !== undefined && { assigned }),
    ...(decided !== undefined && { policy: decided.rule }),
    tool: question.tool,
    ...(question.mode === "url" && question.signIn !== undefined && { signIn: question.signIn }),
    createdAt,
    expiresAt,
    ...(noticeAt !== undefined && noticeAt < expiresAt && { noticeAt }),
    status: "pending",
    vouchKey: newSecret(),
  };
  // Before the record is created, so that an answered question is open in no list.
  const answer =
    (await ruledFor(options.digest, asked, decided)) ??
    (await rememberedFor({ ...options, remembering }, asked, question));
  const record =
    answer === undefined
      ? await records.create(await withGiveOn(assignments, asked, options.onError), lease)
      : await options.writer.createAnswered(asked, answer, lease);
  if (record.turnId === owner.turnId && record.user.id === owner.user.id) {
    ensureSameQuestion(record, asked, question);
    return { record, isNew: record.vouchKey === asked.vouchKey };
  }
  throw new KitError(
    "elicit-kit: another turn already uses this elicitationId. Derive ids from the turn's own id.",
  );
}

/** Adds whether the user of the turn may give the request to somebody else while they decide it. */
async function withGiveOn(
  assignments: Assignments,
  asked: ElicitationRecord,
  onError: (error: unknown) => void,
): Promise<ElicitationRecord> {
  try {
    const own = { ...asked, assigned: undefined };
    const giveOn = (await assignments.choicesFor(own, asked.user.id)).length > 0;
    return giveOn ? { ...asked, request: { ...asked.request, giveOn } } : asked;
  } catch (error) {
    onError(error);
    return asked;
  }
}

/** A question for another user, or one that has ended alone, is not answered together with the others. */
function isOfRound(opened: Opened): opened is OpenedRequest {
  if (!("record" in opened)) return false;
  const { request, assigned, assignedBefore, usedAnswer, policy } = opened.record;
  if (isEnded(opened.record) && request.round === undefined) return false;
  return [assigned, assignedBefore, usedAnswer, policy].every((one) => one === undefined);
}

/**
 * Adds the round to the request. A repeated request of the turn already has it. If the request has ended meanwhile, adds
 * its record to `left`.
 */
async function stamp(
  { writer }: OpenOptions,
  one: PromiseSettledResult<Opened>,
  { round, left }: { readonly round: ElicitationRequest["round"]; readonly left: Set<ElicitationRecord> },
): Promise<Opened> {
  if (one.status === "rejected") throw one.reason;
  const opened = one.value;
  if (!isOfRound(opened) || left.has(opened.record) || isEnded(opened.record)) return opened;
  // A question of a round cannot be given to somebody else.
  const { giveOn: _, round: before, ...request } = opened.record.request;
  if (before?.size === round?.size) return opened;
  try {
    const record = await writer.change(request.elicitationId, {
      request: { ...request, ...(round !== undefined && { round }) },
    });
    if (record !== undefined) return { ...opened, record };
    // The wait for it tells how it has ended.
    left.add(opened.record);
    return opened;
  } catch (error) {
    opened.release();
    throw error;
  }
}

/**
 * `undefined`: there are not at least two. Its id is not a step of the turn, because a tool that is called again after a
 * crash may ask one question instead of several.
 */
function roundOf(opened: readonly OpenedRequest[]): ElicitationRequest["round"] {
  const requests = opened.map(({ record }) => record.request);
  const [first, second] = requests;
  if (first === undefined || second === undefined) return undefined;
  const before = requests.find(({ round }) => round !== undefined)?.round;
  return { id: before?.id ?? first.elicitationId, size: requests.length };
}
