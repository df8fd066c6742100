export { checkContent } from "./check-content.ts";
export type { Draft, Drafts, Field, FieldError, FieldErrors, Option, SchemaReason } from "./field.ts";
export { parseRequestedSchema } from "./parse-schema.ts";
export { findSecretFields } from "./secrets.ts";
export { initialDrafts, validate, validateField } from "./validate.ts";
