import type { Pattern } from "./field.ts";
import { type ParsedSchema, parseSchema } from "./parse-schema.ts";

/**
 * As `parseRequestedSchema`, for browsers: few forms have a pattern, so the check that patterns are linear is loaded with
 * the first one. Until then a pattern accepts any text, and the server decides, as it does for patterns that are not linear.
 */
export function parseOnDemand(schema: unknown): ParsedSchema {
  return parseSchema(schema, loadPattern);
}

function loadPattern(source: string): Pattern {
  let pattern: Pattern | undefined;
  async function load(): Promise<void> {
    const { compileLinear } = await import("./linear-pattern.ts");
    pattern = compileLinear(source);
  }
  // It may not load, for example offline: then the server checks it.
  load().catch(() => undefined);
  return { test: (text) => pattern?.test(text) ?? true };
}
