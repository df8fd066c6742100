import { ChannelError } from "./channel.ts";
import type { Clock } from "./clock.ts";

/** Longer than the deploys in which a proxy has no server and replies in its place. */
const MISSING_MS = 60_000;

/**
 * Returns a function that gets each error of a call, and returns it if the call may work later. A server that seems to
 * have no route for the call is tried for a minute.
 */
export function createRouteWatch(clock: Clock): (error: unknown) => ChannelError | undefined {
  let missingSince: number | undefined;
  return (error) => {
    if (!(error instanceof ChannelError)) return undefined;
    missingSince = error.notOffered ? (missingSince ?? clock.now()) : undefined;
    const isOver = missingSince !== undefined && clock.now() - missingSince >= MISSING_MS;
    return error.retryable && !isOver ? error : undefined;
  };
}
