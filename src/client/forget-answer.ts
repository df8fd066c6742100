import type { ClientContext } from "./client-context.ts";

/** Deletes the remembered answer that was used for a request. Resolves with whether the server has done it. */
export async function forgetAnswer({ channel, store, signal }: ClientContext, id: string): Promise<boolean> {
  const { remembered } = store.getKnown(id).request.resolution ?? {};
  if (remembered === undefined || channel.forget === undefined) return false;
  try {
    await channel.forget(remembered, { signal });
    return true;
  } catch {
    return false;
  }
}
