import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type InstrumentResult, Instrumenter } from "@stryker-mutator/instrumenter";

/** Files that hold all their mutants, of which one at a time is switched on. */
export interface Instrumented {
  /** By absolute path. */
  sources: Record<string, string>;
  mutants: InstrumentResult["mutants"];
}

/** @param files relative to `root` */
export async function instrument(root: string, files: readonly string[]): Promise<Instrumented> {
  const silent = () => undefined;
  const logger = {
    isTraceEnabled: () => false,
    isDebugEnabled: () => false,
    isInfoEnabled: () => false,
    isWarnEnabled: () => false,
    isErrorEnabled: () => false,
    isFatalEnabled: () => false,
    trace: silent,
    debug: silent,
    info: silent,
    warn: silent,
    error: silent,
    fatal: silent,
  };
  const result = await new Instrumenter(logger).instrument(
    files.map((file) => ({
      name: join(root, file),
      content: readFileSync(join(root, file), "utf8"),
      mutate: true,
    })),
    { plugins: null, excludedMutations: [], ignorers: [] },
  );
  const sources = Object.fromEntries(result.files.map(({ name, content }) => [name, content]));
  return { sources, mutants: result.mutants };
}
