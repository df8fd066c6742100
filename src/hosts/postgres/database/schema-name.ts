import { KitError } from "../../../contract/kit-error.ts";

const PATTERN = /^[a-z_][a-z0-9_]{0,40}$/;

/** Throws unless the name can be used in statements without quotes. `option` names it in the error. */
export function ensureSchemaName(schema: string, option: string): void {
  if (PATTERN.test(schema)) return;
  throw new KitError(
    `elicit-kit: ${option} must be 1 to 41 lower-case letters, digits and underscores, with no digit first, but it is: ${schema}`,
  );
}
