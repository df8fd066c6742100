import { serve } from "../../src/node/index.ts";
import type { Runtime } from "../../src/runtime/runtime-interface.ts";

/** Serves the runtime of this process and prints its address. On SIGTERM, closes it and then what its turns use. */
export async function serveUntilStopped(
  runtime: Runtime,
  ports: { close(): Promise<void> },
  effects?: { end(): Promise<void> },
): Promise<void> {
  const server = await serve({ fetch: runtime.fetch });
  process.on("SIGTERM", () => void shutDown());
  console.log(server.url);

  async function shutDown(): Promise<void> {
    await runtime.close();
    await server.close();
    await ports.close();
    await effects?.end();
  }
}
