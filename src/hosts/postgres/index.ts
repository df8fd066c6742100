/** `elicit-kit/postgres`: the state of a runtime in PostgreSQL, shared by several processes. Needs `pg`: `npm install pg`. */
export type { PostgresClient, PostgresPool } from "./database/database.ts";
export type { ClaimedTurn, TurnClaims } from "./runs/claims.ts";
export { type PostgresPorts, type PostgresPortsOptions, createPostgresPorts } from "./postgres-ports.ts";
