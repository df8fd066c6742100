/**
 * A connection that does not reply in this time has failed: one that is cut silently never reports an error. This leaves
 * time for three tries before a call is given up.
 */
export const REPLY_MS = 5000;
/** Longer than it takes to read a reply that has arrived. */
const LOOK_MS = 100;

/**
 * Rejects, as `pg` does, if a reply takes too long. `pg` itself would also reject if its process was too busy to read the
 * reply: its timer runs before the reply is read. Here, the reply is read before the second timer.
 */
export async function replied<T>(reply: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const silent = () => reject(new Error("Query read timeout"));
    timer = setTimeout(() => (timer = setTimeout(silent, LOOK_MS)), REPLY_MS);
  });
  try {
    return await Promise.race([reply, late]);
  } finally {
    clearTimeout(timer);
  }
}
