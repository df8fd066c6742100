export interface KeptPostgres {
  /** Of its superuser and the database `postgres`. */
  readonly url: string;
  /** Stops it. Its data stays. */
  stop(): Promise<void>;
}

/** Starts PostgreSQL on the data in `folder`, which it creates at the first start. */
export function startKeptPostgres(folder: string): Promise<KeptPostgres>;
