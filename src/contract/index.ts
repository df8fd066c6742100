/**
 * `elicit-kit/contract`: the wire contract as types, as checks without a dependency, and as zod schemas; and the class of
 * the kit's own errors.
 */
export * from "./contract.ts";
export * from "./guard.ts";
export * from "./schema.ts";
export { KitError, isKitError } from "./kit-error.ts";
