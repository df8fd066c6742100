import { isObject } from "../../../src/contract/json.ts";
import { KitError, isKitError } from "../../../src/contract/kit-error.ts";
import { loggable, originalOf, StoreAway } from "../../../src/base/foreign-error.ts";

/**
 * Classes of errors about the data of a statement, such as a value that is out of range. The same statement always fails.
 */
const ABOUT_DATA: ReadonlySet<string> = new Set(["21", "22", "23", "54"]);
/** Classes of errors that somebody has to repair, such as a wrong password. Trying again at once does not help. */
const TO_REPAIR: ReadonlySet<string> = new Set(["0A", "28", "3D", "3F", "42"]);

/** An error of a connection or of its pool that has no code. `pg` has many, and the pool of an application may have any. */
class ConnectionLost extends Error {}

/** Marks an error of a connection or of its pool. */
export function ofConnection(error: unknown): unknown {
  if (codeOf(error) !== undefined || isKitError(error)) return error;
  return new ConnectionLost(error instanceof Error ? error.message : "", { cause: error });
}

const LOST = "the connection to PostgreSQL was lost.";

/** Errors of `pg` without a code that do not pass. */
const LASTING: readonly (readonly [RegExp, string])[] = [
  // The ports were closed.
  [/^Cannot use a pool after calling end/, LOST],
  [/^SASL/, "PostgreSQL wants another password. Check the connectionString."],
  [/SSL connection/, "there is no encrypted connection to PostgreSQL. Check the connectionString."],
];

function lastingWords({ message }: ConnectionLost): string | undefined {
  return LASTING.find(([pattern]) => pattern.test(message))?.[1];
}

/** Whether the statement may still be running, because nobody waits for its reply any more. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith("Query read timeout");

const EXPLAINED: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens at the address of the database. Is PostgreSQL running?",
  ENOTFOUND: "the host of the database has no address.",
  "28000": "PostgreSQL refused the user. Check the connectionString.",
  "28P01": "PostgreSQL refused the password. Check the connectionString.",
  "3D000": "the database does not exist. Create it first: the kit creates only a schema in it.",
  "42501": "the database user lacks a right.",
  "53100":
    "the disk of the database is full. Nothing was stored. Free some space; open requests stay as they are.",
  "53200": "PostgreSQL is out of memory.",
  "53300":
    "PostgreSQL accepts no more connections, from anybody or from this user. Lower `max` of the pool, or raise max_connections or the CONNECTION LIMIT of the role and of the database.",
  "25P03":
    "a process stopped inside a transaction, and PostgreSQL has ended it (idle_in_transaction_session_timeout). Nothing was stored.",
  "25006":
    "the database is read-only, such as a replica or one that ran out of space. Connect to the primary server.",
  "55P03": "a statement waited longer for a lock than lock_timeout allows. Nothing was stored.",
  "57014":
    "a statement took longer than statement_timeout allows, or somebody cancelled it. Nothing was stored.",
  "57P05": "PostgreSQL has ended an idle connection (idle_session_timeout).",
};

const QUEUE_FULL =
  "the NOTIFY queue of PostgreSQL is full, because a connection that listens reads no notifications. Processes of the kit end one of theirs that is frozen; for others, see pg_stat_activity and end them with pg_terminate_backend.";

/** The SQLSTATE or the code of a system error. */
export function codeOf(thrown: unknown): string | undefined {
  const error = originalOf(thrown);
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  const code = isObject(error) ? error["code"] : undefined;
  return typeof code === "string" ? code : undefined;
}

/** Whether the statement itself cannot be stored. No other error of the database ends a turn. */
export function isAboutData(error: unknown): boolean {
  const code = codeOf(error);
  return isSqlState(code) && ABOUT_DATA.has(code.slice(0, 2)) && !isQueueFull(error);
}

/** Whether the same query may succeed in a moment. */
export function isPassing(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined) return error instanceof ConnectionLost && lastingWords(error) === undefined;
  if (!isSqlState(code)) return code !== "ENOTFOUND";
  return !isAboutData(error) && !TO_REPAIR.has(code.slice(0, 2));
}

const isSqlState = (code: string | undefined): code is string =>
  code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]{4}$/.test(code);

/**
 * A commit with notifications fails with this error while the NOTIFY queue is full. The code alone would match any limit
 * of PostgreSQL.
 */
function isQueueFull(thrown: unknown): boolean {
  const error = originalOf(thrown);
  return isObject(error) && error["code"] === "54000" && error["routine"] === "PreCommit_Notify";
}

/**
 * An error that says what to do. The message of PostgreSQL may contain values of a row. So the `cause` has only its code
 * where a logger can see it.
 */
export function explained(error: unknown): unknown {
  const code = codeOf(error);
  if (code !== undefined) {
    const known = isQueueFull(error) ? QUEUE_FULL : (EXPLAINED[code] ?? "PostgreSQL rejected a query.");
    const message = `elicit-kit: ${known} (${code})`;
    const cause = loggable(error);
    return isAboutData(error) ? new KitError(message, { cause }) : new StoreAway(message, { cause });
  }
  if (!(error instanceof ConnectionLost)) return error;
  return new StoreAway(`elicit-kit: ${lastingWords(error) ?? LOST}`, { cause: loggable(error.cause) });
}
