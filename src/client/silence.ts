import type { Clock } from "./clock.ts";

/** The longest pause between two comments of a server (contract, section 3). */
const LONGEST_PAUSE_MS = 15_000;

/**
 * Reads on in a stream whose server writes comments while it has nothing else to write. Throws after a silence in which
 * three of them are missing: a network that is gone does not close a connection.
 */
export async function readUnlessSilent(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  clock: Clock,
): Promise<ReadableStreamReadResult<Uint8Array>> {
  let isSilent = false;
  let stop = clock.after(2 * LONGEST_PAUSE_MS, () => {
    // A page that was frozen has not read what has come since.
    stop = clock.after(LONGEST_PAUSE_MS, () => {
      isSilent = true;
      // Ends the read.
      reader.cancel().catch(() => undefined);
    });
  });
  const result = await reader.read().finally(() => stop());
  if (isSilent) throw new Error("elicit-kit: the connection was lost, because the server has become silent.");
  return result;
}
