import { isObject } from "../../../contract/json.ts";
import { KitError } from "../../../contract/kit-error.ts";
import { loggable, originalOf } from "../../../base/foreign-error.ts";

/** Errors after which the same query may succeed: the connection failed, or the server refused it for a moment. */
const PASSING = new Set([
  "40001", // serialization_failure
  "40P01", // deadlock_detected
  "53300", // too_many_connections
  "57P01", // admin_shutdown
  "57P02", // crash_shutdown
  "57P03", // cannot_connect_now
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EAI_AGAIN",
]);

/** Messages of `pg` for errors that have no code. */
const LOST =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed)/;

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
  "53300": "PostgreSQL accepts no more connections. Lower the pool size or raise max_connections.",
  "25006":
    "the database is read-only, such as a replica or one that ran out of space. Connect to the primary server.",
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

export function isPassing(error: unknown): boolean {
  if (isQueueFull(error)) return true;
  const code = codeOf(error);
  if (code !== undefined) return PASSING.has(code) || code.startsWith("08");
  return error instanceof Error && LOST.test(error.message);
}

/**
 * A commit with notifications fails with this error while the NOTIFY queue is full. The code alone would match any limit
 * of PostgreSQL.
 */
function isQueueFull(thrown: unknown): boolean {
  const error = originalOf(thrown);
  return isObject(error) && error["code"] === "54000" && error["routine"] === "PreCommit_Notify";
}

/** Whether an error of the ports only means that the database could not be reached during the retry time. */
export function isAway(error: unknown): boolean {
  return error instanceof KitError && isPassing(originalOf(error.cause));
}

/**
 * An error that says what to do. The message of PostgreSQL may contain values of a row. So the `cause` has only its code
 * where a logger can see it.
 */
export function explained(error: unknown): unknown {
  const code = codeOf(error);
  if (code !== undefined) {
    const known = isQueueFull(error) ? QUEUE_FULL : (EXPLAINED[code] ?? "PostgreSQL rejected a query.");
    return new KitError(`elicit-kit: ${known} (${code})`, { cause: loggable(error) });
  }
  if (error instanceof Error && LOST.test(error.message)) {
    return new KitError("elicit-kit: the connection to PostgreSQL was lost.", { cause: loggable(error) });
  }
  return error;
}
