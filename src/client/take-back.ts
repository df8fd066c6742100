import type { ClientContext } from "./client-context.ts";

/** Lets this user decide a form that another user was to decide. Resolves with whether the server has done it. */
export async function takeBack({ channel, store, signal }: ClientContext, id: string): Promise<boolean> {
  const { request } = store.getKnown(id);
  if (request.assignee?.takeBack !== true || channel.takeBack === undefined) return false;
  try {
    await channel.takeBack(id, { signal });
  } catch {
    return false;
  }
  // The stream, if there is one, contains the same event.
  store.dispatch(id, { type: "received", request: { ...store.getKnown(id).request, assignee: undefined } });
  return true;
}
