import { isStoreAway } from "../base/foreign-error.ts";
import { isObject } from "../contract/json.ts";
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

/** Marks the recorded end of a call that has chosen accounts. */
const CHOICES = "elicit-kit:accounts";

type Ended<Result> = { readonly [CHOICES]: readonly CallChoice[] } & (
  | { readonly value: Result }
  | { readonly error: unknown }
);

/**
 * Makes and records a call of a tool. The accounts that it has chosen are in the same record, because they must outlive the
 * process like its result, also when the call fails.
 */
export async function recordedCall<Result>(
  turn: Pick<Turn, "signal" | "runner">,
  call: { readonly id: string; readonly name: string; readonly input?: unknown },
  changes: CallChanges | undefined,
  run: () => Promise<Result>,
): Promise<Result> {
  let hasRun = false;
  const ended = await turn.runner.tool(call, async (): Promise<Result | Ended<Result>> => {
    hasRun = true;
    try {
      const value = await run();
      const choices = changes?.choicesOf(call.id) ?? [];
      return choices.length === 0 ? value : { [CHOICES]: choices, value };
    } catch (error) {
      const choices = changes?.choicesOf(call.id) ?? [];
      // These calls have not ended: the turn runs again.
      if (choices.length === 0 || turn.signal.aborted || isStoreAway(error)) throw error;
      return { [CHOICES]: choices, error };
    }
  });
  if (!hasEnded(ended)) return ended;
  if (!hasRun) changes?.restore(ended[CHOICES]);
  if ("error" in ended) throw ended.error;
  return ended.value;
}

function hasEnded<Result>(value: Result | Ended<Result>): value is Ended<Result> {
  return isObject(value) && CHOICES in value;
}
