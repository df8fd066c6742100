/**
 * `elicit-kit/protocol`: the wire contract as types, as checks without a dependency, and as zod schemas.
 */
export * from "./contract.ts";
export * from "./guard.ts";
export * from "./schema.ts";
