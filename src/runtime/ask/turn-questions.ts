import { createDeferred } from "../../base/deadlines.ts";
import type { AskedQuestion, TurnOperation, TurnRecorder } from "../ports/index.ts";
import { isTakenOver, never } from "../ports/turn-runner.ts";
import { QuestionChanged } from "./new-request.ts";
import { type OpenOptions, type Opened, leaveRequest, openRequests } from "./open-requests.ts";
import {
  type ElicitationResult,
  type Question,
  type TurnScope,
  type UrlQuestion,
  decisiveWords,
} from "./question.ts";
import { isEnded } from "../request/record.ts";
import { type ResultWaitOptions, waitForResult } from "./wait-for-result.ts";

/** The options with which turns of a runtime ask. */
export type AskingOptions = OpenOptions & ResultWaitOptions;

/** The turn that asks, and its options. */
export interface AskingTurn {
  /** `undefined`: no user is signed in, so the turn cannot ask. */
  readonly scope: TurnScope | undefined;
  readonly recorder: Pick<TurnRecorder, "ask" | "hold">;
  /** The time limit for the user if the question does not set one. */
  readonly expiresInMs?: number | undefined;
  readonly maxExpiresInMs?: number | undefined;
  /** Ends the turn, because an earlier run has asked another question under the same id. */
  readonly onChanged: (error: QuestionChanged) => void;
}

/** A question and its id. */
interface Identified {
  readonly question: Question;
  readonly how: AskedQuestion;
}

/** Wrapped in an object, because the result itself would be awaited, too. */
interface Shown {
  readonly result: Promise<ElicitationResult>;
}

/** The place of a round in the order of its turn. */
interface Place {
  /** Resolves when every earlier question is shown or given up. `undefined` for the first. */
  readonly reached: Promise<void> | undefined;
  /** Lets the next question continue. */
  readonly leave: () => void;
}

/**
 * The questions of one turn that get a card: opens, shows and awaits them as section 5 of the contract defines it, with
 * ids that stay the same when the turn runs again. Requests are created and shown in the order in which they were asked,
 * however long each takes. It is a class to save memory, because every waiting turn has one.
 */
export class TurnQuestions {
  readonly #turn: AskingTurn;
  readonly #options: AskingOptions;
  readonly #open = new Set<Promise<unknown>>();
  /** Resolves when all questions asked so far are shown or given up. */
  #last: Promise<void> | undefined;

  constructor(turn: AskingTurn, options: AskingOptions) {
    this.#turn = turn;
    this.#options = options;
  }

  /**
   * Creates the requests, shows them and waits for the results. Several that get a card form a round. The promise of a
   * question rejects if its request cannot be created.
   */
  open(
    questions: readonly Question[],
    scope = this.#turn.scope,
  ): ReadonlyMap<Question, Promise<ElicitationResult>> {
    if (!isLive(scope)) return new Map(questions.map((question) => [question, this.#unasked()]));
    // Take the place before the ids are known, because a durable runner may return ids in another order.
    const place = this.#join();
    const waiting = questions.map((question) => ({ question, id: createDeferred<Identified | undefined>() }));
    const shown = Promise.all(waiting.map(({ id }) => id.promise)).then((all) =>
      isLive(scope) ? this.#show(scope, all.filter(isKnown), place) : undefined,
    );
    shown.then(place.leave, place.leave);
    return new Map(
      waiting.map(({ question, id }) => {
        const asked = this.#withId(question, async (whole, how) => {
          const identified = { question: whole, how };
          id.resolve(identified);
          return (await shown)?.get(identified)?.result;
        });
        // The others of the round do not wait for a question that is given up.
        asked.then(() => id.resolve(undefined), id.reject);
        return [question, this.#track(asked)];
      }),
    );
  }

  /** The link to a page that works without this chat. `undefined`: no user is signed in, or the turn has ended. */
  async linkTo(question: UrlQuestion): Promise<string | undefined> {
    const { scope, recorder } = this.#turn;
    if (!isLive(scope)) return undefined;
    const request = await this.#withId(question, (whole) =>
      recorder.hold(() => leaveRequest(this.#options, scope, whole)),
    );
    return request?.url;
  }

  /** Resolves when all questions asked so far have ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#open);
  }

  /** Takes a place in the order as soon as a question is asked. The place must always be released. */
  #join(): Place {
    const reached = this.#last;
    const left = createDeferred<void>();
    this.#last = left.promise.then(() => reached);
    return { reached, leave: () => left.resolve() };
  }

  /** Resolves when the requests are shown. The turn is not parked until then. */
  async #show(
    scope: TurnScope,
    asked: readonly Identified[],
    { reached, leave }: Place,
  ): Promise<ReadonlyMap<Identified, Shown>> {
    // A question from an earlier run does not wait for others, because it is already shown.
    const isNew = asked.some(({ how }) => how.isNew);
    if (!isNew) leave();
    const opened = await this.#turn.recorder.hold(() =>
      openRequests(this.#options, scope, asked, isNew ? reached : undefined),
    );
    return new Map(
      [...opened].map(([identified, one]) => {
        if (one.status === "rejected") return [identified, { result: Promise.reject(one.reason) }];
        const { question, how } = identified;
        if ("record" in one.value && !isEnded(one.value.record)) how.isOpen();
        return [identified, { result: this.#finish(scope, question, one.value) }];
      }),
    );
  }

  async #finish(scope: TurnScope, question: Question, opened: Opened): Promise<ElicitationResult> {
    if (!("record" in opened)) return opened;
    try {
      return await waitForResult(this.#options, scope, question, opened);
    } catch (error) {
      if (!isTakenOver(scope.signal)) throw error;
    } finally {
      opened.release();
    }
    // Another process has taken over the turn and gets the answer.
    return never();
  }

  #unasked(): Promise<ElicitationResult> {
    const { scope } = this.#turn;
    return scope !== undefined && isTakenOver(scope.signal)
      ? never()
      : Promise.resolve({ outcome: "withdrawn" });
  }

  /** `undefined`: the question has changed, and the turn ends. */
  async #withId<Asked extends Question, Result>(
    question: Asked,
    ask: (whole: Asked, how: AskedQuestion) => Promise<Result>,
  ): Promise<Result | undefined> {
    const { recorder, onChanged } = this.#turn;
    const operation = { ...questionOperation(question), elicitationId: question.elicitationId };
    const { maxExpiresInMs: ofTurn = Infinity } = this.#turn;
    const { expiresInMs = this.#turn.expiresInMs, maxExpiresInMs: own = Infinity } = question;
    const maxExpiresInMs = Math.min(own, ofTurn);
    try {
      return await recorder.ask(operation, (how) =>
        ask({ ...question, elicitationId: how.elicitationId, expiresInMs, maxExpiresInMs }, how),
      );
    } catch (error) {
      if (!(error instanceof QuestionChanged)) throw error;
      onChanged(error);
      return undefined;
    }
  }

  #track(asked: Promise<ElicitationResult | undefined>): Promise<ElicitationResult> {
    const tracked = asked.then((result) => result ?? this.#unasked());
    this.#open.add(tracked);
    return tracked.finally(() => this.#open.delete(tracked));
  }
}

const isKnown = (one: Identified | undefined): one is Identified => one !== undefined;

/** Whether the user can be asked, and the turn has not ended. */
function isLive(scope: TurnScope | undefined): scope is TurnScope {
  return scope?.signal.aborted === false;
}

/**
 * Identifies a question of a call in two runs of the turn: by its content, or by its key. With a key, only the requested
 * fields count, and not the texts.
 */
function questionOperation(question: Question): TurnOperation {
  const { mode, tool, toolCallId, key } = question;
  const asked = mode === "form" ? question.requestedSchema : pageOf(question);
  const base = [mode, tool?.id, toolCallId];
  const words = decisiveWords(question);
  return {
    kind: "question",
    name: tool?.name ?? "a turn",
    identity: JSON.stringify(key === undefined ? [...base, asked, words] : [...base, { key }]),
    shape: JSON.stringify([mode, tool?.id, asked]),
    hasKey: key !== undefined,
  };
}

/** A URL that is created for each request is represented by the service and the requested permissions. */
function pageOf({ url, service, signIn }: UrlQuestion): unknown {
  return typeof url === "string"
    ? { url }
    : { service: service?.name, server: signIn?.url, scope: signIn?.scope };
}
