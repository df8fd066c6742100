import { serve } from "elicit-kit/node";
import type { RuntimeOptions } from "elicit-kit/runtime";
import { type ContractRuntime, createContractRuntime } from "./contract-runtime.ts";

export interface ServedContractRuntime extends Omit<ContractRuntime, "fetch"> {
  readonly url: string;
  close(): Promise<void>;
}

/** The runtime of the conformance cases over HTTP, on a free port of Node.js. */
export async function startContractRuntime(
  ports: Partial<RuntimeOptions> = {},
): Promise<ServedContractRuntime> {
  const { runtime, errors, fetch } = createContractRuntime(ports);
  const served = await serve({ fetch });
  return {
    runtime,
    errors,
    url: served.url,
    async close() {
      await runtime.close();
      await served.close();
    },
  };
}
