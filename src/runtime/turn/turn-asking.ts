import { createDeferred } from "../../base/deferred.ts";
import { AskingOrder, type AskingPlace } from "../request/asking-order.ts";
import type { Asking } from "../request/asking.ts";
import { QuestionChanged } from "../request/new-request.ts";
import type { ElicitationResult, Question, TurnScope, UrlQuestion } from "../request/question.ts";
import type { AskedQuestion, TurnRunner } from "../ports/index.ts";
import { isTakenOver, never } from "../ports/turn-takeover.ts";
import { questionOperation } from "./turn-operations.ts";
import type { TurnInput } from "./surface.ts";

export interface TurnAskingOptions {
  readonly id: string;
  readonly input: TurnInput;
  readonly signal: AbortSignal;
  readonly runner: Pick<TurnRunner, "ask" | "hold">;
  readonly asking: Asking;
  /** Ends the turn: an earlier run has asked something else under the same id. */
  readonly onChanged: (error: QuestionChanged) => void;
}

/** A question that an earlier run has asked does not wait for others: it is shown already. */
const SHOWN: AskingPlace = { reached: undefined, leave() {} };

/**
 * Asks the person of a turn, with ids that are the same when the turn runs again. A class, since every turn that waits
 * holds one.
 */
export class TurnAsking {
  readonly #options: TurnAskingOptions;
  readonly #order = new AskingOrder();
  readonly #open = new Set<Promise<unknown>>();

  constructor(options: TurnAskingOptions) {
    this.#options = options;
  }

  ask(question: Question): Promise<ElicitationResult> {
    if (this.#scope() === undefined) return this.#unasked();
    // At once: a durable runner takes a different time for the id of each question.
    const place = this.#order.join();
    const asked = this.#withId(question, (whole, how) => {
      const scope = this.#scope();
      if (scope === undefined) return this.#unasked();
      if (!how.isNew) place.leave();
      const { asking, runner } = this.#options;
      const hold: TurnRunner["hold"] = (run) => runner.hold(run);
      return asking.ask(scope, whole, { hold, place: how.isNew ? place : SHOWN, onOpen: how.isOpen });
    });
    return this.#track(asked.finally(place.leave));
  }

  /** A promise for each question. */
  askRound(questions: readonly Question[]): readonly Promise<ElicitationResult>[] {
    if (this.#scope() === undefined) return questions.map(() => this.#unasked());
    const place = this.#order.join();
    const ids = questions.map(() => createDeferred<Identified>());
    const begun = Promise.all(ids.map(({ promise }) => promise)).then((all) => this.#beginRound(all, place));
    begun.catch(() => place.leave());
    return questions.map((question, index) => {
      const asked = this.#withId(question, async (whole, how) => {
        ids[index]?.resolve({ question: whole, how });
        const round = await begun;
        return round[index] ?? this.#unasked();
      });
      asked.catch((error: unknown) => ids[index]?.reject(error));
      return this.#track(asked);
    });
  }

  /** The link to a page that works without this chat. `undefined`: nobody is signed in, or the turn has ended. */
  async linkTo(question: UrlQuestion): Promise<string | undefined> {
    const scope = this.#scope();
    if (scope === undefined) return undefined;
    const { asking, runner } = this.#options;
    const request = await this.#withId(question, (whole) => runner.hold(() => asking.leave(scope, whole)));
    return request?.url;
  }

  /** Resolves when nothing that was asked until now is waited for any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#open);
  }

  /** `undefined`: the user cannot be asked, or the turn has ended. */
  #scope(): TurnScope | undefined {
    const { id, input, signal } = this.#options;
    const { surface, conversationId, user, chatOrigin, returnUrl } = input;
    if (user === undefined || signal.aborted) return undefined;
    return { turnId: id, surface, conversationId, user, chatOrigin, returnUrl, signal };
  }

  #unasked(): Promise<ElicitationResult> {
    return isTakenOver(this.#options.signal) ? never() : Promise.resolve({ outcome: "withdrawn" });
  }

  /** `undefined`: the question has changed, and the turn ends. */
  async #withId<Asked extends Question, Result>(
    question: Asked,
    ask: (whole: Asked, how: AskedQuestion) => Promise<Result>,
  ): Promise<Result | undefined> {
    const { runner, input, onChanged } = this.#options;
    const operation = { ...questionOperation(question), elicitationId: question.elicitationId };
    const expiresInMs = question.expiresInMs ?? input.expiresInMs;
    try {
      return await runner.ask(operation, (how) =>
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

  #beginRound(all: readonly Identified[], place: AskingPlace): readonly Promise<ElicitationResult>[] {
    const scope = this.#scope();
    if (scope === undefined) return [];
    const { asking, runner } = this.#options;
    const hold: TurnRunner["hold"] = (run) => runner.hold(run);
    const isNew = all.some(({ how }) => how.isNew);
    if (!isNew) place.leave();
    const questions = all.map(({ question }) => question);
    const onOpen = (index: number) => all[index]?.how.isOpen();
    return asking.askRound(scope, questions, { hold, place: isNew ? place : SHOWN, onOpen });
  }
}

interface Identified {
  readonly question: Question;
  readonly how: AskedQuestion;
}
