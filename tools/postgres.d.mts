export interface Postgres {
  /** Of its superuser and the database `postgres`. */
  readonly url: string;
  /** Stops it at once, as a crash does, and starts it again on the same port. */
  restart(): Promise<void>;
  /** Stops it and deletes its data. */
  stop(): Promise<void>;
}

/** Starts a temporary PostgreSQL, or uses the one of `DATABASE_URL`. `settings` are `name=value`. */
export function startPostgres(options?: { settings?: readonly string[] }): Promise<Postgres>;
