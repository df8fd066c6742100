import { useState } from "react";
import { createScript, type Script, type ScriptOptions } from "../src/client/testing/scripted-client.ts";

export interface ScriptProps extends ScriptOptions {
  /** Runs once, before the first render. */
  start?: ((script: Script) => void) | undefined;
}

/** The scripted client of a story, the same in every render. */
export function useScript({ start, ...options }: ScriptProps): Script {
  const [script] = useState(() => {
    const made = createScript(options);
    start?.(made);
    return made;
  });
  return script;
}
