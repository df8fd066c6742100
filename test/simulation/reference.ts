import type { Turn } from "../../src/runtime/index.ts";
import type { AnswerResult, ElicitationResult } from "../../src/runtime/internal.ts";
import { GRACE_MS, RECONNECT_MS, type SimulatedProcess } from "./process.ts";

/** A violation of the kit's guarantees. */
export class Violation extends Error {}

/** The known facts about one turn. */
interface KnownTurn {
  /** Whether its start was confirmed to the user. */
  isConfirmed: boolean;
  /** Whether the user has stopped it, or sent another message. */
  isStopped: boolean;
  /** Whether the turn may fail, because it kills processes or an update has changed its code. */
  isSpared: boolean;
  /** How many processes it has lost since it last recorded something, and the maximum of that count. */
  lost: number;
  mostLost: number;
  /** The processes that ran it, oldest first. */
  readonly ranIn: SimulatedProcess[];
  /** The outcome of each question of its program, by place. */
  readonly told: Map<string, { readonly outcome: string; readonly answer: string | undefined }>;
  /** Where each answered request was used. */
  readonly usedAt: Map<string, string>;
  /** How often each effect began, and which are recorded. */
  readonly effects: Map<string, number>;
  /** The last run in which each effect began. */
  readonly begunIn: Map<string, number>;
  readonly recorded: Set<string>;
  /** The progress that each run of a call has shown, by call. */
  readonly shown: Map<string, Shown[]>;
  /** A sentence about the first question that could not be asked. */
  failure: string | undefined;
  /** The calls in the background whose results the agent got, by model call. */
  readonly continued: Map<number, readonly string[]>;
  /** The text of its agent at its end. */
  said: string | undefined;
  kept: number;
}

/** The progress that a run of a call has shown, and the run of its turn. */
export interface Shown {
  readonly words: string[];
  readonly run: number;
}

/** The prefix of the result of an effect. The rest identifies the effect. */
export const DID = "did ";

/** The user's input in one card, in one attempt. */
export interface Attempt {
  readonly elicitationId: string;
  readonly userId: string;
  readonly text: string;
}

/** The text that a user types. It names its card, so that it can be recognised anywhere. */
export function answerTo(elicitationId: string, message: string, attempt: number): string {
  return [elicitationId, message, attempt].join("|");
}

/**
 * Checks the allowed behaviour. Agents, users and the store of steps report to it, and it throws at the first violation
 * of a guarantee. `HistoryEnd` checks the final state.
 */
export class Reference {
  readonly turns = new Map<string, KnownTurn>();
  /** By request: the answers that were confirmed as the settling one. */
  readonly #winners = new Map<string, Attempt>();
  readonly #attempts = new Map<string, Attempt>();
  readonly #report: (violation: Violation) => void;

  constructor(report: (violation: Violation) => void) {
    this.#report = report;
  }

  turn(turnId: string): KnownTurn {
    const known = this.turns.get(turnId);
    if (known !== undefined) return known;
    const turn: KnownTurn = {
      isConfirmed: false,
      isStopped: false,
      isSpared: false,
      lost: 0,
      mostLost: 0,
      ranIn: [],
      told: new Map(),
      usedAt: new Map(),
      effects: new Map(),
      begunIn: new Map(),
      recorded: new Set(),
      shown: new Map(),
      failure: undefined,
      continued: new Map(),
      said: undefined,
      kept: 0,
    };
    this.turns.set(turnId, turn);
    return turn;
  }

  /** A turn continues in another process, because its own looks dead. */
  takenOver(turnId: string, goneForMs: number, isConnected: boolean): void {
    if (goneForMs < (isConnected ? RECONNECT_MS : GRACE_MS))
      this.#broken(`${turnId} was taken from a process that was gone for ${goneForMs} ms`);
    const turn = this.turn(turnId);
    turn.lost += 1;
    turn.mostLost = Math.max(turn.mostLost, turn.lost);
  }

  /** A turn that does one thing after another is blamed for the death of a process in which it only waited. */
  blamed(turnId: string): void {
    this.#broken(`${turnId} only waited, and was blamed for the death of its process`);
  }

  /** A turn continues in another version, and this many processes of its own version exist. */
  otherVersion(turnId: string, peers: number): void {
    if (peers > 0) this.#broken(`${turnId} was taken although ${peers} processes have its version`);
  }

  /** An agent begins a run. */
  runs(turnId: string, process: SimulatedProcess): void {
    this.turn(turnId).ranIn.push(process);
  }

  /** A tool call begins. Returns the list for its progress. */
  begins(turnId: string, callId: string): string[] {
    const words: string[] = [];
    const { shown: all, ranIn } = this.turn(turnId);
    all.set(callId, [...(all.get(callId) ?? []), { words, run: ranIn.length }]);
    return words;
  }

  /** An agent got the result of a question. */
  told(
    { id: turnId, signal }: Pick<Turn, "id" | "signal">,
    { place, message, result }: { place: string; message: string; result: ElicitationResult },
  ): void {
    const turn = this.turn(turnId);
    const { outcome } = result;
    const answer = outcome === "accepted" ? textIn(result.content) : undefined;
    if (outcome === "withdrawn" && signal.aborted) return;
    if (outcome === "withdrawn" && turn.isStopped) {
      this.#broken(`"${message}" at ${place} was withdrawn by a stop, and the agent went on`);
      return;
    }
    if (outcome === "failed" || outcome === "unsupported" || outcome === "withdrawn") {
      // How a turn ends whose program has changed.
      turn.failure ??= `"${message}" ended as ${JSON.stringify(result)}`;
      return;
    }
    const before = turn.told.get(place);
    if (before !== undefined && (before.outcome !== outcome || before.answer !== answer)) {
      this.#broken(
        `"${message}" at ${place} ended as ${JSON.stringify(before)} and later as ${outcome} ${answer}`,
      );
    }
    turn.told.set(place, { outcome, answer });
    if (answer !== undefined) this.#uses(turn, { place, message, answer });
  }

  #uses(
    turn: KnownTurn,
    { place, message, answer }: { place: string; message: string; answer: string },
  ): void {
    const [elicitationId = "", card = ""] = answer.split("|");
    if (card !== message) this.#broken(`the answer to "${card}" was used for "${message}" at ${place}`);
    const attempt = this.#attempts.get(answer);
    const winner = this.#winners.get(elicitationId);
    if (attempt === undefined) this.#broken(`nobody has typed the answer ${answer}`);
    else if (attempt.userId !== "ada") this.#broken(`an answer of ${attempt.userId} was used: ${answer}`);
    if (winner !== undefined && winner.text !== answer)
      this.#broken(`${winner.text} was confirmed, and ${answer} was used`);
    const used = turn.usedAt.get(elicitationId);
    if (used !== undefined && used !== place) this.#broken(`${answer} was used at ${used} and at ${place}`);
    turn.usedAt.set(elicitationId, place);
  }

  /** An effect begins. */
  does(turnId: string, effect: string): void {
    const turn = this.turn(turnId);
    if (turn.recorded.has(effect)) this.#broken(`${effect} was done again after it was recorded`);
    if (turn.begunIn.get(effect) === turn.ranIn.length) this.#broken(`${effect} was done twice in one run`);
    turn.begunIn.set(effect, turn.ranIn.length);
    turn.effects.set(effect, (turn.effects.get(effect) ?? 0) + 1);
  }

  /** The outcome of a step is stored. */
  recordedIn(turnId: string, text: string): void {
    this.turn(turnId).lost = 0;
    if (!text.includes(DID)) return;
    const { value }: { value?: unknown } = JSON.parse(text);
    if (typeof value === "string" && value.startsWith(DID)) this.#records(turnId, value.slice(DID.length));
  }

  #records(turnId: string, effect: string): void {
    const turn = this.turn(turnId);
    if (turn.recorded.has(effect)) this.#broken(`${effect} was recorded twice`);
    turn.recorded.add(effect);
  }

  /** An agent continues with the results of calls in the background. */
  continues(turnId: string, round: number, callIds: readonly string[]): void {
    const turn = this.turn(turnId);
    const before = turn.continued.get(round);
    if (before !== undefined && before.join() !== callIds.join() && !turn.isSpared)
      this.#broken(`${turnId} continued with ${before.join()} and later with ${callIds.join()}`);
    for (const [other, ids] of turn.continued) {
      const twice = other === round ? [] : ids.filter((id) => callIds.includes(id));
      if (twice.length > 0) this.#broken(`${turnId} got the result of ${twice.join()} twice`);
    }
    turn.continued.set(round, callIds);
  }

  /** An agent has reached its end. */
  finishes(turnId: string, said: string): void {
    this.turn(turnId).said = said;
  }

  /** A user is about to send an answer. */
  attempts(attempt: Attempt): void {
    this.#attempts.set(attempt.text, attempt);
  }

  /** The server has replied to an answer. */
  replied(attempt: Attempt, result: AnswerResult): void {
    if (result.kind !== "settled") return;
    const { elicitationId, userId, text } = attempt;
    if (userId !== "ada") this.#broken(`an answer of ${userId} was taken`);
    const winner = this.#winners.get(elicitationId);
    // Both replies confirm an answer as the settling one. The same answer may be confirmed again.
    if (winner !== undefined && winner.text !== text)
      this.#broken(`two answers were confirmed: ${winner.text} and ${text}`);
    this.#winners.set(elicitationId, attempt);
  }

  /** The confirmed answer of a request. */
  winnerOf(elicitationId: string): Attempt | undefined {
    return this.#winners.get(elicitationId);
  }

  #broken(words: string): void {
    this.#report(new Violation(words));
  }
}

function textIn(content: Readonly<Record<string, unknown>>): string | undefined {
  const { answer } = content;
  return typeof answer === "string" ? answer : undefined;
}
