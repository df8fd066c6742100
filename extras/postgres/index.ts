/** `elicit-kit/postgres`: the state of a runtime in PostgreSQL, shared by several processes. Needs `pg`: `npm install pg`. */
export { type PostgresPorts, createPostgresPorts } from "./postgres-ports.ts";
