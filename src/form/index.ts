/**
 * `elicit-kit/form`: turns a requested schema into fields, and user input into validated content. Pure, without a DOM.
 */
export type { Draft, Drafts, Field } from "./field.ts";
export { parseRequestedSchema } from "./parse-requested-schema.ts";
export type { ParsedSchema } from "./parse-schema.ts";
export { findSecretFields } from "./secrets.ts";
export { initialDrafts, validate } from "./validate.ts";
