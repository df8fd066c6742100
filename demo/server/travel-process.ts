import { fork } from "node:child_process";
import { once } from "node:events";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { TravelAgent } from "./travel-agent.ts";

/**
 * The program of the process. It is in the folder of this file, and also in the folder of the bundle that tests create.
 */
const PROGRAM = fileURLToPath(new URL(`travel-main${extname(import.meta.url)}`, import.meta.url));

/** Starts the travel agent in a separate process, which ends with this one. It is not restarted. */
export async function startTravelProcess({ port }: { port: number }): Promise<TravelAgent> {
  const child = fork(PROGRAM, [String(port)]);
  const ended = once(child, "exit");
  const failed = ended.then(([code]) => {
    throw new Error(`elicit-kit: the travel agent ended with ${code}. Its error is above.`);
  });
  // The promise may also reject later, when no code here awaits it.
  failed.catch(() => {});
  const [origin] = await Promise.race([once(child, "message"), failed]);
  return {
    origin: String(origin),
    async close() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
