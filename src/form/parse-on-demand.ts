import type { Pattern } from "./field.ts";
import { type ParsedSchema, parseSchema } from "./parse-schema.ts";

/**
 * A version of `parseRequestedSchema` for browsers. Few forms have a pattern, so the check that patterns are linear is
 * loaded with the first one. Until then a pattern accepts any text, and only the server checks it.
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
  // Loading may fail, for example offline. The server then checks the pattern.
  load().catch(() => undefined);
  return { test: (text) => pattern?.test(text) ?? true };
}
