import { ChannelError } from "./channel.ts";
import type { Clock } from "./clock.ts";

/** Longer than the deploys in which a proxy has no server and replies in its place. */
const MISSING_MS = 60_000;

/**
 * Returns a function that gets each error of a call, and returns it if the call may work later. It gets `undefined` after
 * a call that has worked. A server that seems to have no route for the call is tried for a minute.
 */
export function createRouteWatch(clock: Clock): (error: unknown) => ChannelError | undefined {
  let first = 0;
  /** When the last of several calls in a row found no route. */
  let last = Number.NEGATIVE_INFINITY;
  return (error) => {
    const isMissing = error instanceof ChannelError && error.notOffered;
    const now = clock.now();
    // A 404 of long ago is no sign that the route is missing now.
    if (now - last > MISSING_MS) first = now;
    last = isMissing ? now : Number.NEGATIVE_INFINITY;
    const isOver = isMissing && now - first >= MISSING_MS;
    return error instanceof ChannelError && error.retryable && !isOver ? error : undefined;
  };
}
