import { createDeferred } from "../../base/deferred.ts";
import { newId } from "../../base/ids.ts";
import type { AskedQuestion, TurnOperation, TurnRecorder } from "../ports/index.ts";
import { isTakenOver, never } from "../ports/turn-takeover.ts";
import { QuestionChanged } from "./new-request.ts";
import { type OpenOptions, type Opened, leaveRequest, openRequests } from "./open-request.ts";
import {
  type ElicitationResult,
  type Question,
  type TurnScope,
  type UrlQuestion,
  decisiveWords,
} from "./question.ts";
import { isEnded } from "./record.ts";
import { type ResultWaitOptions, waitForResult } from "./result-wait.ts";

/** The options with which turns of a runtime ask. */
export type AskingOptions = OpenOptions & ResultWaitOptions;

/** The turn that asks, and its options. */
export interface AskingTurn {
  /** `undefined`: no user is signed in, so the turn cannot ask. */
  readonly scope: TurnScope | undefined;
  readonly recorder: Pick<TurnRecorder, "ask" | "hold">;
  /** The time limit for the user if the question does not set one. */
  readonly expiresInMs?: number | undefined;
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

/** The place of a question in the order of its turn. */
interface Place {
  /** Resolves when every earlier question is shown or given up. `undefined` for the first. */
  readonly reached: Promise<void> | undefined;
  /** Lets the next question continue. */
  readonly leave: () => void;
}

/**
 * Asks the user of a turn, as section 5 of the contract defines it, with ids that stay the same when the turn runs again.
 * Requests are created and shown in the order in which they were asked, however long each takes. It is a class to save
 * memory, because every waiting turn has one.
 */
export class TurnAsking {
  readonly #turn: AskingTurn;
  readonly #options: AskingOptions;
  readonly #open = new Set<Promise<unknown>>();
  /** Resolves when all questions asked so far are shown or given up. */
  #last: Promise<void> | undefined;

  constructor(turn: AskingTurn, options: AskingOptions) {
    this.#turn = turn;
    this.#options = options;
  }

  /** Creates the request, shows it and waits for the result. Rejects if it cannot be created. */
  ask(question: Question, scope = this.#turn.scope): Promise<ElicitationResult> {
    if (!isLive(scope)) return this.#unasked();
    // Take the place before the id is known, because a durable runner may return ids in another order.
    const place = this.#join();
    const asked = this.#withId(question, (whole, how) =>
      isLive(scope)
        ? this.#show(scope, [{ question: whole, how }], place).then(([one]) => one?.result)
        : this.#unasked(),
    );
    return this.#track(asked.finally(place.leave));
  }

  /** Asks several questions as one round, if more than one gets a card. Returns a promise for each. */
  askRound(questions: readonly Question[]): readonly Promise<ElicitationResult>[] {
    const { scope } = this.#turn;
    if (!isLive(scope)) return questions.map(() => this.#unasked());
    const place = this.#join();
    const ids = questions.map(() => createDeferred<Identified>());
    const shown = Promise.all(ids.map(({ promise }) => promise)).then((all) =>
      isLive(scope) ? this.#show(scope, all, place) : [],
    );
    shown.catch(() => place.leave());
    return questions.map((question, index) => {
      const asked = this.#withId(question, async (whole, how) => {
        ids[index]?.resolve({ question: whole, how });
        return (await shown)[index]?.result;
      });
      asked.catch((error: unknown) => ids[index]?.reject(error));
      return this.#track(asked);
    });
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
  ): Promise<readonly Shown[]> {
    // A question from an earlier run does not wait for others, because it is already shown.
    const isNew = asked.some(({ how }) => how.isNew);
    if (!isNew) leave();
    try {
      const questions = asked.map(({ question }) => question);
      const before = isNew ? reached : undefined;
      const opened = await this.#turn.recorder.hold(() =>
        openRequests(this.#options, scope, questions, before),
      );
      return opened.map((one, index) => {
        if (one.status === "rejected") return { result: Promise.reject(one.reason) };
        const identified = asked[index];
        if (identified === undefined) return { result: this.#unasked() };
        if ("record" in one.value && !isEnded(one.value.record)) identified.how.isOpen();
        return { result: this.#finish(scope, identified.question, one.value) };
      });
    } finally {
      leave();
    }
  }

  async #finish(scope: TurnScope, question: Question, opened: Opened): Promise<ElicitationResult> {
    if (!("record" in opened)) return opened;
    try {
      return await waitForResult(this.#options, scope, question, opened.record);
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
    const expiresInMs = question.expiresInMs ?? this.#turn.expiresInMs;
    try {
      return await recorder.ask(operation, (how) =>
        ask({ ...question, elicitationId: how.elicitationId, expiresInMs }, how),
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

/** Asks in routes that run their own agent. */
export interface OutsideAsking {
  ask(scope: TurnScope, question: Question): Promise<ElicitationResult>;
  /** Withdraws all open requests. */
  end(reason: string): Promise<void>;
}

const runOnce: AskingTurn["recorder"] = {
  ask: ({ elicitationId = newId() }, ask) => ask({ elicitationId, isNew: true, isOpen() {} }),
  hold: (run) => run(),
};

const rethrow = (error: QuestionChanged): never => {
  throw error;
};

export function createOutsideAsking(options: AskingOptions): OutsideAsking {
  const open = new Map<AbortController, Promise<unknown>>();
  /** The open turns, each with the number of its open questions. */
  const turns = new Map<string, { readonly asking: TurnAsking; open: number }>();
  let hasEnded = false;
  return {
    async ask(scope, question) {
      if (hasEnded) return { outcome: "withdrawn" };
      // One controller per question, because a shared, long-lived signal would keep a reference to every question.
      const end = new AbortController();
      const turn = turns.get(scope.turnId) ?? {
        asking: new TurnAsking({ scope: undefined, recorder: runOnce, onChanged: rethrow }, options),
        open: 0,
      };
      turn.open += 1;
      turns.set(scope.turnId, turn);
      const signal = AbortSignal.any([scope.signal, end.signal]);
      const asked = turn.asking.ask(question, { ...scope, signal });
      open.set(end, asked);
      try {
        return await asked;
      } finally {
        open.delete(end);
        turn.open -= 1;
        if (turn.open === 0) turns.delete(scope.turnId);
      }
    },
    async end(reason) {
      hasEnded = true;
      const asked = [...open.values()];
      for (const end of open.keys()) end.abort(new DOMException(reason, "AbortError"));
      await Promise.allSettled(asked);
    },
  };
}
