import type { ClientContext } from "./client-context.ts";

/** Deletes the remembered answer to the question of a request. Resolves with whether the server has done it. */
export async function forgetAnswer({ channel, store, signal }: ClientContext, id: string): Promise<boolean> {
  if (store.getKnown(id).canRemember !== true || channel.forget === undefined) return false;
  try {
    await channel.forget(id, { signal });
    return true;
  } catch {
    return false;
  }
}
