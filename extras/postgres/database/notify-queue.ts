import type { Rows } from "./database.ts";
import { KitError } from "../../../src/contract/kit-error.ts";

/** The name in `pg_stat_activity` of a connection that gets notifications. */
export const LISTENER = "elicit-kit listener";
/**
 * How full the queue may be, from 0 to 1, before the kit looks for the connection that blocks it. No commit can notify
 * when the queue is full.
 */
const FULLEST = 0.1;
/** A living process sends a query in each sweep. */
const SILENT_SWEEPS = 10;

const FIND_OURS = `select pid from pg_stat_activity
  where application_name = $1 and usename = current_user and pid <> pg_backend_pid() and state_change < now() - $2 * interval '1 millisecond'`;
const END = "select pid from unnest($1::integer[]) as pid where pg_terminate_backend(pid)";
/** Finds connections that are not being read, and connections that left a transaction open. */
const FIND_OTHERS = `select pid || ' (' || coalesce(nullif(application_name, ''), 'without a name') || ')' as who from pg_stat_activity
  where datname is not null and pid <> pg_backend_pid() and state_change < now() - $1 * interval '1 millisecond'
    and (wait_event = 'ClientWrite' or state like 'idle in transaction%')`;

/**
 * PostgreSQL keeps a notification until every listening connection has read it. A frozen process reads nothing, and once
 * the queue is full, commits that notify fail in all databases of the server. The returned function runs in each sweep.
 * It ends the connections of frozen processes of the kit in time, and reports other connections that block the queue. A
 * process whose connection is ended loses its lock and its turns, as if it had died. When it runs again, it reconnects.
 */
export function createQueueWatch({
  sweepMs,
  onError,
}: {
  sweepMs: number;
  onError: (error: unknown) => void;
}): (query: (text: string, values?: unknown[]) => Promise<Rows>) => Promise<void> {
  const silentMs = SILENT_SWEEPS * sweepMs;
  /** How many sweeps in a row found the queue too full and no connection of the kit to end. */
  let sweeps = 0;
  return async (query) => {
    const [queue] = (await query("select pg_notification_queue_usage() as usage")).rows;
    const usage = Number(queue?.["usage"]);
    if (usage < FULLEST) {
      sweeps = 0;
      return;
    }
    const full = `elicit-kit: the NOTIFY queue of PostgreSQL is ${Math.round(100 * usage)} % full, and when it is full, no process can write.`;
    const frozen = (await query(FIND_OURS, [LISTENER, silentMs])).rows.map(({ pid }) => pid);
    if (frozen.length > 0) {
      // Another process may have ended it first.
      const ended = (await query(END, [frozen])).rows.map(({ pid }) => pid);
      if (ended.length === 0) return;
      onError(
        new KitError(
          `${full} A process of the kit is frozen and reads no notifications. Its connection (pid ${ended.join(", ")} in pg_stat_activity) was ended, and other processes continue its turns. Let a liveness probe end a process that does not reply.`,
        ),
      );
      return;
    }
    sweeps += 1;
    if (sweeps !== SILENT_SWEEPS + 1) return;
    const others = (await query(FIND_OTHERS, [silentMs])).rows.map(({ who }) => who).join(", ");
    onError(
      new KitError(
        `${full} Another program listens and reads no notifications, or keeps a transaction open after LISTEN. End its connection with pg_terminate_backend. Silent connections in pg_stat_activity: ${others === "" ? "none" : others}.`,
      ),
    );
  };
}
