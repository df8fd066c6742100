import { AskingOrder, type AskingPlace } from "../request/asking-order.ts";
import type { Asking } from "../request/asking.ts";
import type { ElicitationResult, Question, UrlQuestion } from "../request/question.ts";
import type { TurnScope } from "../request/turn-scope.ts";
import type { TurnRunner } from "../ports/index.ts";
import { newId } from "../../base/ids.ts";
import { isTakenOver, never } from "../ports/turn-takeover.ts";
import type { TurnInput } from "./turn-input.ts";

/** Names of the steps that make ids. A page's id and its answer are never taken for those of a form. */
const ID_STEPS = { form: "elicitation id of a form", url: "elicitation id of a page" } as const;

export interface TurnAskingOptions {
  readonly id: string;
  readonly input: TurnInput;
  readonly signal: AbortSignal;
  readonly runner: Pick<TurnRunner, "step" | "wait" | "hold">;
  readonly asking: Asking;
}

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
    return this.#track(this.#askOne(question, this.#order.join()));
  }

  /** A promise for each question. */
  askRound(questions: readonly Question[]): readonly Promise<ElicitationResult>[] {
    if (this.#scope() === undefined) return questions.map(() => this.#unasked());
    const begun = this.#beginRound(questions, this.#order.join());
    return questions.map((_, index) => this.#track(begun.then((round) => round[index] ?? this.#unasked())));
  }

  /** The link to a page that works without this chat. `undefined`: nobody is signed in, or the turn has ended. */
  async linkTo(question: UrlQuestion): Promise<string | undefined> {
    const scope = this.#scope();
    if (scope === undefined) return undefined;
    const whole = await this.#withId(question);
    const request = await this.#options.asking.leave(scope, { ...question, ...whole, mode: "url" });
    return request.url;
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

  async #withId(question: Question): Promise<Question> {
    const { runner } = this.#options;
    const elicitationId =
      question.elicitationId ?? (await runner.step(ID_STEPS[question.mode], async () => newId()));
    const expiresInMs = question.expiresInMs ?? this.#options.input.expiresInMs;
    return { ...question, elicitationId, expiresInMs };
  }

  #track(asked: Promise<ElicitationResult>): Promise<ElicitationResult> {
    this.#open.add(asked);
    return asked.finally(() => this.#open.delete(asked));
  }

  /** Whom to ask, and what `prepare` returns. `undefined`, and the place is left: nobody can be asked any more. */
  async #prepared<Prepared>(
    place: AskingPlace,
    prepare: () => Promise<Prepared>,
  ): Promise<{ readonly scope: TurnScope; readonly prepared: Prepared } | undefined> {
    try {
      const prepared = await prepare();
      const scope = this.#scope();
      if (scope !== undefined) return { scope, prepared };
    } catch (error) {
      place.leave();
      throw error;
    }
    place.leave();
    return undefined;
  }

  async #askOne(question: Question, place: AskingPlace): Promise<ElicitationResult> {
    const ready = await this.#prepared(place, () => this.#withId(question));
    if (ready === undefined) return this.#unasked();
    const { asking, runner } = this.#options;
    const hold: TurnRunner["hold"] = (run) => runner.hold(run);
    return runner.wait(() => asking.ask(ready.scope, ready.prepared, { hold, place }));
  }

  async #beginRound(
    questions: readonly Question[],
    place: AskingPlace,
  ): Promise<readonly Promise<ElicitationResult>[]> {
    const ready = await this.#prepared(place, async () => {
      const whole: Question[] = [];
      // Sequential, because a runner numbers steps in order.
      for (const question of questions) whole.push(await this.#withId(question));
      return whole;
    });
    if (ready === undefined) return [];
    const { asking, runner } = this.#options;
    const hold: TurnRunner["hold"] = (run) => runner.hold(run);
    const round = asking.askRound(ready.scope, ready.prepared, { hold, place });
    return round.map((asked) => runner.wait(() => asked));
  }
}
