import type { ClientContext } from "./client-options.ts";
import type { StatusReader } from "./status.ts";

/** Asks the server for more time for a request and its round. Resolves with whether the server has given it. */
export async function extendRequest(
  { channel, store, signal }: ClientContext,
  status: Pick<StatusReader, "read">,
  id: string,
): Promise<boolean> {
  store.getKnown(id);
  if (channel.extend === undefined) return false;
  try {
    await channel.extend(id, { signal });
  } catch {
    return false;
  }
  // The conversation may have no stream that reports the new end.
  await Promise.all(store.roundOf(id).map((item) => status.read(item.id)));
  return true;
}
