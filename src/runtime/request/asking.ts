import type { ElicitationRequest } from "../../contract/contract.ts";
import { KitError } from "../../contract/kit-error.ts";
import type { ElicitationRecord, ElicitationRecords, TurnRunner } from "../ports/index.ts";
import type { Clock } from "../../base/clock.ts";
import { newId, newSecret } from "../../base/ids.ts";
import { isTakenOver, never } from "../ports/turn-takeover.ts";
import { type AskingPlace, waitFor } from "./asking-order.ts";
import { ensureSameQuestion, requestOf } from "./new-request.ts";
import type { OpenLimit } from "./open-limit.ts";
import type { ElicitationResult, Question, TurnScope, UrlQuestion } from "./question.ts";
import { isEnded } from "./record.ts";
import type { RecordWriter } from "./record-writer.ts";
import { type ResultWaitOptions, createResultWait, signalOf } from "./result-wait.ts";

/** Asks the user a question and waits for the result. */
export type Ask = (scope: TurnScope, question: Question) => Promise<ElicitationResult>;

export interface Asking {
  /** Creates the request, shows it and waits for the result. Rejects if it cannot be created. */
  ask(scope: TurnScope, question: Question, how: HowToAsk): Promise<ElicitationResult>;
  /** Asks several questions as one round, if more than one gets a card. Returns a promise for each. */
  askRound(
    scope: TurnScope,
    questions: readonly Question[],
    how: HowToAsk,
  ): readonly Promise<ElicitationResult>[];
  /**
   * Makes a request for a chat that cannot show it: only its page can be used, and nobody waits. Rejects if it cannot be
   * created.
   */
  leave(scope: TurnScope, question: UrlQuestion): Promise<ElicitationRequest>;
}

export interface HowToAsk {
  /** Keeps the turn here until the request can be shown. Needed in a turn that may be parked. */
  readonly hold?: TurnRunner["hold"] | undefined;
  /** Waits for this place, and leaves it when the requests are shown. */
  readonly place: AskingPlace;
  /** Called when a question of a round is open and nobody has answered it yet. Of a single question, the index is 0. */
  readonly onOpen?: ((index: number) => void) | undefined;
}

const WITHDRAWN: ElicitationResult = { outcome: "withdrawn" };

const runNow: TurnRunner["hold"] = (run) => run();

/** Implements asking as section 5 of the contract defines it. */
export function createAsking(
  options: ResultWaitOptions & {
    writer: Pick<RecordWriter, "change">;
    records: Pick<ElicitationRecords, "create">;
    clock: Clock;
    expiresInMs: number;
    openLimit: OpenLimit;
    /** Origin of the pages that a plain link can open. */
    hostedPageOrigin: string | undefined;
  },
): Asking {
  const { writer, records, clock } = options;
  const waitForResult = createResultWait(options);

  /** Creates the record. When a turn runs again, returns the record that its first run created. */
  async function createRecord(
    { surface = "chat", ...owner }: Omit<TurnScope, "signal">,
    question: Question,
  ): Promise<ElicitationRecord> {
    const createdAt = clock.now();
    const expiresAt = createdAt + (question.expiresInMs ?? options.expiresInMs);
    const asked: ElicitationRecord = {
      ...owner,
      surface,
      revision: 0,
      request: requestOf(question, question.elicitationId ?? newId(), {
        expiresAt,
        hostedPageOrigin: options.hostedPageOrigin,
      }),
      tool: question.tool,
      ...(question.mode === "url" && question.signIn !== undefined && { signIn: question.signIn }),
      createdAt,
      expiresAt,
      status: "pending",
      vouchKey: newSecret(),
    };
    const record = await records.create(asked);
    if (record.turnId === owner.turnId && record.user.id === owner.user.id) {
      ensureSameQuestion(record, asked, question);
      return record;
    }
    throw new KitError(
      "elicit-kit: another turn already uses this elicitationId. Derive ids from the turn's own id.",
    );
  }

  /** Creates the record of a question, unless too many requests already wait for this user. */
  async function create(scope: TurnScope, question: Question): Promise<Begun | ElicitationResult> {
    const release = await options.openLimit(scope.conversationId, scope.user.id, question.elicitationId);
    if (release === undefined) {
      const reason = "too many requests wait for the user already; they have to answer some of them first";
      return { outcome: "failed", reason };
    }
    try {
      const { signal: _, ...owner } = scope;
      return { record: await createRecord(owner, question), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Creates the record after `before`, unless nobody needs it any more then. */
  async function begin(
    scope: TurnScope,
    question: Question,
    before: Promise<unknown> | undefined,
  ): Promise<Begun | ElicitationResult> {
    if (await waitFor(before, signalOf(scope, question))) return create(scope, question);
    return isTakenOver(scope.signal) ? never() : WITHDRAWN;
  }

  async function finish(
    scope: TurnScope,
    question: Question,
    { record, release }: Begun,
  ): Promise<ElicitationResult> {
    try {
      return await waitForResult(scope, question, record);
    } catch (error) {
      if (!isTakenOver(scope.signal)) throw error;
    } finally {
      release();
    }
    // Another process has taken over the turn and gets the answer.
    return never();
  }

  /** Adds the round to the request. A request that its turn asks again already has it. */
  async function stamp(
    one: PromiseSettledResult<Begun | ElicitationResult>,
    round: ElicitationRequest["round"],
  ): Promise<Begun | ElicitationResult> {
    if (one.status === "rejected") throw one.reason;
    const begun = one.value;
    if (!("record" in begun)) return begun;
    const { request } = begun.record;
    if (request.round !== undefined || isEnded(begun.record)) return begun;
    try {
      const record = await writer.change(request.elicitationId, { request: { ...request, round } });
      return record === undefined ? begun : { ...begun, record };
    } catch (error) {
      begun.release();
      throw error;
    }
  }

  /** Shows the request if it has a record, and waits for its result. */
  function show(
    scope: TurnScope,
    question: Question,
    begun: Begun | ElicitationResult,
  ): Promise<ElicitationResult> {
    return "record" in begun ? finish(scope, question, begun) : Promise.resolve(begun);
  }

  /** Resolves when the request is shown. In an object, since the result itself would be awaited, too. */
  async function open(
    scope: TurnScope,
    question: Question,
    { hold = runNow, place, onOpen }: HowToAsk,
  ): Promise<{ readonly result: Promise<ElicitationResult> }> {
    try {
      const begun = await hold(() => begin(scope, question, place.reached));
      if (isOpen(begun)) onOpen?.(0);
      return { result: show(scope, question, begun) };
    } finally {
      place.leave();
    }
  }

  /** Resolves when all requests of the round are shown. */
  async function openRound(
    scope: TurnScope,
    questions: readonly Question[],
    { hold = runNow, place, onOpen }: HowToAsk,
  ): Promise<readonly { readonly result: Promise<ElicitationResult> }[]> {
    try {
      const begun = await hold(async () => {
        let before: Promise<unknown> | undefined = place.reached;
        const creating = questions.map((question) => {
          const one = begin(scope, question, before);
          before = Promise.allSettled([before, one]);
          return one;
        });
        const all = await Promise.allSettled(creating);
        const shown = all.flatMap((one) =>
          one.status === "fulfilled" && "record" in one.value ? [one.value.record.request] : [],
        );
        const round = roundOf(shown);
        return round === undefined ? all : Promise.allSettled(all.map((one) => stamp(one, round)));
      });
      return questions.map((question, index) => {
        const one = begun[index];
        if (one?.status === "rejected") return { result: Promise.reject(one.reason) };
        if (one !== undefined && isOpen(one.value)) onOpen?.(index);
        return { result: show(scope, question, one?.value ?? WITHDRAWN) };
      });
    } finally {
      place.leave();
    }
  }

  return {
    async leave(scope, question) {
      // In a conversation and a turn of its own: no chat lists it, and the end of the turn does not withdraw it.
      const { elicitationId = newId() } = question;
      const { signal: _, ...person } = scope;
      const owner = { ...person, conversationId: elicitationId, turnId: elicitationId };
      return (await createRecord(owner, { ...question, elicitationId })).request;
    },
    // Not async: a call that waits for the user would keep all that it needed to begin.
    ask: (scope, question, how) => open(scope, question, how).then(({ result }) => result),
    askRound(scope, questions, how) {
      const round = openRound(scope, questions, how);
      return questions.map((_, index) => round.then((all) => all[index]?.result ?? WITHDRAWN));
    },
  };
}

/**
 * The round of the requests that get a card: a client waits for as many answers. Its id is not a step of the turn, because
 * a tool that is called again after a crash may ask one question in place of several.
 */
function roundOf(requests: readonly ElicitationRequest[]): ElicitationRequest["round"] {
  const [first, second] = requests;
  if (first === undefined || second === undefined) return undefined;
  const before = requests.find(({ round }) => round !== undefined)?.round;
  return { id: before?.id ?? first.elicitationId, size: requests.length };
}

function isOpen(begun: Begun | ElicitationResult): boolean {
  return "record" in begun && !isEnded(begun.record);
}

/** A question whose record has been created. */
interface Begun {
  readonly record: ElicitationRecord;
  /** Frees the place that the request takes in the limit of open requests. */
  readonly release: () => void;
}
