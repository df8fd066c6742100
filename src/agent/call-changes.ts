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

/** Marks the recorded end of a call. */
const CHOICES = "elicit-kit:accounts";

type Ended<Result> = { readonly [CHOICES]: readonly CallChoice[] } & (
  | Called<Result>
  | { readonly value: Earlier<Result> }
  | { readonly error: unknown }
);

/** In records of earlier versions, marks the result of a call that has continued in the background. */
const LATER = "elicit-kit:later";

type Earlier<Result> = Result | Later<Result>;

interface Later<Result> {
  readonly [LATER]: Rest & { readonly asked: Result };
}

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
  const record = await turn.runner.tool(
    { ...call, hasFailed },
    async (): Promise<Ended<Result> | Earlier<Result>> => {
      hasRun = true;
      try {
        const called = await run();
        // Every result is marked. Otherwise a foreign one with the same key would be read as the end of a call.
        return { [CHOICES]: changes?.choicesOf(call.id) ?? [], ...called };
      } catch (error) {
        const choices = changes?.choicesOf(call.id) ?? [];
        // These calls have not ended: the turn runs again.
        if (choices.length === 0 || turn.signal.aborted || isStoreAway(error)) throw error;
        return { [CHOICES]: choices, error };
      }
    },
  );
  // Earlier versions marked only the ends of calls that had chosen accounts.
  if (!isEnded(record)) return earlier(record);
  if (!hasRun) changes?.restore(record[CHOICES]);
  if ("error" in record) throw record.error;
  return "rest" in record ? record : earlier(record.value);
}

function isEnded<Result>(record: Ended<Result> | Earlier<Result>): record is Ended<Result> {
  return isObject(record) && Array.isArray(record[CHOICES]);
}

function hasFailed<Result>(record: Ended<Result> | Earlier<Result>): boolean {
  if (!isEnded(record)) return false;
  return "error" in record || ("rest" in record && record.rest?.failure !== undefined);
}

function earlier<Result>(value: Earlier<Result>): Called<Result> {
  return isLater(value) ? { value: value[LATER].asked, rest: value[LATER] } : { value, rest: null };
}

function isLater<Result>(value: Earlier<Result>): value is Later<Result> {
  return isObject(value) && isObject(value[LATER]);
}
