import type { Channel } from "./channel.ts";
import type { Clock } from "./clock.ts";
import type { ItemStore } from "./item-store.ts";
import type { RetryPauses } from "./retry-pauses.ts";

/** The state that the parts of one client share. */
export interface ClientContext {
  readonly channel: Channel;
  readonly clock: Clock;
  readonly store: ItemStore;
  readonly pauses: RetryPauses;
  readonly trustedOrigin: string | undefined;
  /** Aborts when the client is disposed of. */
  readonly signal: AbortSignal;
  /** Whether the live stream contained this request. If so, it will contain the outcome as well. */
  isOnLiveStream(id: string): boolean;
}
