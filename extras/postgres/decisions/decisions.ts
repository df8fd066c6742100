import type { DecisionLog } from "../../audit/log.ts";
import { KitError } from "../../../src/contract/kit-error.ts";
import type { Database } from "../database/database.ts";
import type { Notifications } from "../database/notifications.ts";
import { createSealer } from "../secrets/sealer.ts";
import type { SecretKeys } from "../secrets/secrets.ts";
import { chainDecisions } from "./decision-chain.ts";
import { createPostgresDecisionLog } from "./decision-log.ts";
import { type DecisionWriter, createDecisionWriter } from "./decision-writer.ts";

/** How many sweeps look for unchained rows after the last row was stored. */
const LOOKS = 3;
const DAY_MS = 24 * 60 * 60 * 1000;

/** The options of the decision log. */
export interface DecisionLogOptions {
  /** Removes rows after so many days, once a minute. @default undefined: none */
  readonly keepDays?: number | undefined;
  /** Also keeps questions and answers, encrypted with `key` of the ports. @default false */
  readonly content?: boolean | undefined;
}

/** The decision log of a process. */
export interface Decisions {
  readonly log: DecisionLog;
  /** `undefined`: no rows are written. */
  readonly writer: DecisionWriter | undefined;
  /** Chains rows of other processes, and removes old rows. Returns the number of removed rows. */
  cleanUp(now: number): Promise<number>;
}

/** `options` is `undefined` in a process that only reads the log. */
export function createDecisions(
  database: Database,
  notifications: Pick<Notifications, "onSweep">,
  keys: SecretKeys | undefined,
  options: DecisionLogOptions | undefined,
): Decisions {
  if (options?.content === true && keys === undefined) {
    throw new KitError(
      "elicit-kit: decisionLog.content of createPostgresPorts needs a key, because content is only kept encrypted. Pass the `key` option (`openssl rand -base64 32`), or leave content out.",
    );
  }
  const keepDays = options?.keepDays;
  if (keepDays !== undefined && keys === undefined) {
    throw new KitError(
      "elicit-kit: decisionLog.keepDays of createPostgresPorts needs a key, because a proof under it says that old rows were pruned and not stolen. Pass the `key` option (`openssl rand -base64 32`), or leave keepDays out.",
    );
  }
  if (keepDays !== undefined && !(keepDays > 0)) {
    throw new KitError(
      `elicit-kit: decisionLog.keepDays of createPostgresPorts must be a positive number of days, but it is: ${keepDays}. Leave it out to keep all rows.`,
    );
  }
  const sealer = keys && createSealer("decision", keys);
  const log = createPostgresDecisionLog(database, sealer);
  if (options === undefined) return { log, writer: undefined, cleanUp: async () => 0 };

  /** Only a process that has just written rows looks for unchained rows in its sweeps. */
  let looks = LOOKS;
  /** Until this time, a created row may still be stored, because its statement may be retried. */
  let mayStoreUntil = 0;
  const writer = createDecisionWriter(options.content === true ? sealer : undefined, () => {
    looks = LOOKS;
    mayStoreUntil = performance.now() + database.givesUpAfterMs;
  });
  notifications.onSweep(async () => {
    if (looks === 0) return;
    if (performance.now() > mayStoreUntil) looks -= 1;
    await chainDecisions(database, "leave");
  });
  return {
    log,
    writer,
    async cleanUp(now) {
      await chainDecisions(database, "wait");
      return keepDays === undefined ? 0 : log.prune(now - keepDays * DAY_MS);
    },
  };
}
