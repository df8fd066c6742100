import { useState } from "react";

/**
 * Code that few users need, and a function that loads it. After a failure, the next call tries again. Define `fetchCode`
 * outside of the component, because React Compiler skips functions that contain `import()`.
 */
export function useLoaded<Code extends object>(fetchCode: () => Promise<Code>) {
  const [code, setCode] = useState<Code | "failed">();
  function load(): void {
    if (typeof code === "object") return;
    setCode(undefined);
    fetchCode().then(setCode, () => setCode("failed"));
  }
  return [code, load] as const;
}
