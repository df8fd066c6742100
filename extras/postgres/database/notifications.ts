import type { Database, PostgresClient, Rows } from "./database.ts";
import { createEventBus } from "../../../src/base/event-bus.ts";
import { createWorkQueue } from "../../../src/base/work-queue.ts";
import { explained, ofConnection } from "./failures.ts";
import { LISTENER, createQueueWatch } from "./notify-queue.ts";
import { replied } from "./replied.ts";

/** The subject of a notification. */
export type Topic = "settled" | "changed" | "log" | "lease" | "stop" | "inbox";

/** Notifies all processes of changes. A notification may be lost while a connection is down. */
export interface Notifications {
  /** The key of the session lock that this process holds. The lock becomes free when the process dies. */
  readonly process: string;
  /** Calls `listener` for each notification about `id`. Returns a function that removes the listener. */
  on(topic: Topic, id: string, listener: () => void): () => void;
  /**
   * Calls `listener` every `sweepMs`, and immediately after a lost connection was replaced, so that it reads changes that
   * it may have missed. Calls do not overlap.
   */
  onSweep(listener: () => Promise<void>): void;
  /** Calls `listener` when the connection was replaced: notifications may have been lost. */
  onReconnect(listener: () => void): void;
  /** Holds the session lock of `key` as well, shared with other processes. Returns a function that frees it. */
  hold(key: string): () => Promise<void>;
  /** Resolves when this process holds its lock. That is at once, unless the connection was lost. */
  connected(): Promise<void>;
  /** How long the connection of this process took to open, in milliseconds: longer on a busy machine. */
  openedInMs(): number;
  close(): Promise<void>;
}

/** SQL that notifies about `id`, an expression. The channel has the name of the schema. */
export function notifySql({ schema }: Pick<Database, "schema">, topic: Topic, id: string): string {
  return `pg_catalog.pg_notify('${schema}', '${topic} ' || ${id})`;
}

export interface ConnectionOptions {
  connect: () => Promise<PostgresClient>;
  channel: string;
  /** The key of the session lock of this process, which identifies it. */
  process: string;
  /** About how often `onSweep` listeners are called, in milliseconds. */
  sweepMs: number;
  onError: (error: unknown) => void;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2000;

/** With keep-alive, the server frees the locks of a vanished machine after half a minute instead of two hours. */
const KEEP_ALIVE =
  "set tcp_keepalives_idle = 15; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3";
/** A shared lock, so that a new connection gets it while the server still holds it for the old one. */
const LOCK = "select pg_catalog.pg_advisory_lock_shared(key) from unnest($1::bigint[]) as key";
const FREE = "select pg_catalog.pg_advisory_unlock_shared($1::bigint)";
/** Ignore errors of the settings, because not all systems know them. */
const ignore = () => {};

export async function createNotifications(options: ConnectionOptions): Promise<Notifications> {
  const { channel, onError } = options;
  const bus = createEventBus<undefined>();
  const sweeps: (() => Promise<void>)[] = [];
  const reconnects: (() => void)[] = [];
  /** Functions that resolve the promises of `connected`. */
  const waiting: (() => void)[] = [];
  const watchQueue = createQueueWatch(options);
  /** The keys of the session locks of this process. */
  const keys = new Set([options.process]);
  /** `pg` takes one query at a time. */
  const queued = createWorkQueue();
  let client: PostgresClient | undefined;
  let isClosed = false;
  let isOpening = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sweeping: Promise<void> | undefined;

  function onNotification({ payload = "" }: { payload?: string | undefined }): void {
    try {
      bus.publish(payload, undefined);
    } catch (error) {
      onError(error);
    }
  }

  function query(on: PostgresClient, text: string, values?: unknown[]): Promise<Rows> {
    return queued(() => replied(on.query(text, values)));
  }

  let openedInMs = 0;

  async function open(): Promise<PostgresClient> {
    const start = performance.now();
    const opened = await options.connect();
    const fail = (error: Error) => lose(opened, error);
    opened.on("error", fail);
    opened.on("notification", onNotification);
    try {
      await query(opened, KEEP_ALIVE).catch(ignore);
      await query(opened, `set application_name = '${LISTENER}'`);
      await query(opened, `listen "${channel}"`);
      await query(opened, LOCK, [[...keys]]);
    } catch (error) {
      opened.release(true);
      throw error;
    }
    openedInMs = performance.now() - start;
    return opened;
  }

  /** Handles a failed connection. The next check replaces it. */
  function lose(lost: PostgresClient, error: unknown): void {
    if (client !== lost) return;
    client = undefined;
    lost.release(true);
    if (isClosed) return;
    onError(explained(ofConnection(error)));
    schedule(FIRST_PAUSE_MS);
  }

  /** Half the time between two sweeps, so that two sweeps of another process do not both find the lock free. */
  const longestPause = Math.min(LONGEST_PAUSE_MS, options.sweepMs / 2);
  let pause = FIRST_PAUSE_MS;

  /** Checks the connection, replaces it if needed, and then sweeps. */
  async function beat(): Promise<void> {
    if (client === undefined) {
      // A connection that is being opened continues with the sweep.
      if (isOpening) return;
      isOpening = true;
      try {
        client = await open();
        if (isClosed) return release();
        pause = FIRST_PAUSE_MS;
        for (const listener of reconnects) listener();
        for (const resolve of waiting.splice(0)) resolve();
      } catch (error) {
        if (pause === FIRST_PAUSE_MS) onError(explained(ofConnection(error)));
        pause = Math.min(pause * 2, longestPause);
        schedule(pause);
        return;
      } finally {
        isOpening = false;
      }
    } else {
      const current = client;
      await watchQueue((text, values) => query(current, text, values)).catch((error: unknown) =>
        lose(current, error),
      );
      if (client === undefined) return;
    }
    await sweep();
    // A failed connection has already set the timer.
    if (client !== undefined) schedule(options.sweepMs);
  }

  function sweep(): Promise<void> {
    sweeping ??= sweepAll();
    return sweeping;
  }

  async function sweepAll(): Promise<void> {
    await Promise.all(sweeps.map((run) => run().catch(onError)));
    sweeping = undefined;
  }

  function schedule(ms: number): void {
    clearTimeout(timer);
    if (isClosed) return;
    timer = setTimeout(() => void beat().catch(onError), ms * (0.75 + Math.random() / 2));
    timer.unref();
  }

  function release(): void {
    const held = client;
    client = undefined;
    held?.release(true);
  }

  client = await open().catch((error: unknown) => {
    throw explained(ofConnection(error));
  });
  schedule(options.sweepMs);

  return {
    process: options.process,
    on: (topic, id, listener) => bus.subscribe(`${topic} ${id}`, listener),
    onSweep: (listener) => void sweeps.push(listener),
    onReconnect: (listener) => void reconnects.push(listener),
    hold(key) {
      keys.add(key);
      const holder = client;
      // A connection that is being opened, or replaces this one, takes all locks.
      if (holder !== undefined) query(holder, LOCK, [[key]]).catch((error: unknown) => lose(holder, error));
      return async () => {
        keys.delete(key);
        if (client !== undefined) await query(client, FREE, [key]).catch(onError);
      };
    },
    connected() {
      if (client !== undefined) return Promise.resolve();
      schedule(0);
      return new Promise((resolve) => void waiting.push(resolve));
    },
    openedInMs: () => openedInMs,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await sweeping;
      release();
    },
  };
}
