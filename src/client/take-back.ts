import type { ClientContext } from "./client-context.ts";

/** Gives a form that somebody else decides back to this user. Resolves with whether the server has done it. */
export async function takeBack({ channel, store, signal }: ClientContext, id: string): Promise<boolean> {
  const { request } = store.getKnown(id);
  if (request.assignee?.takeBack !== true || channel.takeBack === undefined) return false;
  try {
    await channel.takeBack(id, { signal });
  } catch {
    return false;
  }
  // The stream says so as well, if there is one.
  store.dispatch(id, { type: "received", request: { ...store.getKnown(id).request, assignee: undefined } });
  return true;
}
