import { isStoreAway } from "../base/foreign-error.ts";
import type { Turn } from "../runtime/index.ts";
import type { ChosenAccount } from "./choose-account.ts";

/** A choice of an account, as it is recorded. */
export interface CallChoice {
  readonly id: string;
  readonly provider: string;
  /** Whether it is the choice that all calls of the turn share. */
  readonly isFirst: boolean;
  /** Later choices of the turn have higher numbers. */
  readonly order: number;
  readonly account: ChosenAccount;
  /** Whether a call has had the credential of the account. */
  readonly isConnected: boolean;
  /** Whether calls use the choice before it. */
  readonly isOver: boolean;
}

/** The accounts of a turn, which its calls can change. */
export interface CallChanges {
  /** The choices that a call uses. */
  choicesOf(callId: string): readonly CallChoice[];
  /** Repeats the choices of a call that has ended in an earlier run of the turn. */
  restore(choices: readonly CallChoice[]): void;
}

/** The result of a call. */
export interface Called<Result> {
  readonly value: Result;
  /** How the call has ended in the background after this result. `null`: it has not continued there. */
  readonly rest: Rest | null;
}

/** How a call has ended in the background. */
export interface Rest {
  readonly output?: unknown;
  readonly failure?: string;
}

/** The record of a call. */
type Ended<Result> = { readonly choices: readonly CallChoice[] } & (
  | Called<Result>
  | { readonly error: unknown }
);

/**
 * Makes and records a call of a tool. The accounts that it has chosen are in the same record, because they must outlive the
 * process like its result, also when the call fails.
 */
export async function recordedCall<Result>(
  turn: Pick<Turn, "signal"> & { readonly runner: Pick<Turn["runner"], "tool"> },
  call: { readonly id: string; readonly name: string; readonly input?: unknown },
  changes: CallChanges | undefined,
  run: () => Promise<Called<Result>>,
): Promise<Called<Result>> {
  let hasRun = false;
  async function end(): Promise<Ended<Result>> {
    hasRun = true;
    try {
      const called = await run();
      return { choices: changes?.choicesOf(call.id) ?? [], ...called };
    } catch (error) {
      const choices = changes?.choicesOf(call.id) ?? [];
      // These calls have not ended: the turn runs again.
      if (choices.length === 0 || turn.signal.aborted || isStoreAway(error)) throw error;
      return { choices, error };
    }
  }
  const ended = await turn.runner.tool({ ...call, hasFailed }, end);
  if (!hasRun) changes?.restore(ended.choices);
  if ("error" in ended) throw ended.error;
  return ended;
}

function hasFailed(ended: Ended<unknown>): boolean {
  return "error" in ended || ended.rest?.failure !== undefined;
}
