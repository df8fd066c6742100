export interface ReplicatedPostgres {
  /** Of the superuser and the database `postgres` of the server. */
  readonly url: string;
  /** The same of its replica, which has everything that was committed. It is read-only until the failover. */
  readonly replicaUrl: string;
  /** Ends the server at once, as a crash does, and has its replica take its place a moment later. */
  failOver(): Promise<void>;
  /** Stops both and deletes their data. */
  stop(): Promise<void>;
}

export function startReplicatedPostgres(): Promise<ReplicatedPostgres>;
