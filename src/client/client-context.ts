import type { Channel } from "./channel.ts";
import type { Clock } from "./clock.ts";
import type { ItemStore } from "./item-store.ts";
import type { RetryPauses } from "./retry-pauses.ts";

/** What the parts of one client share. */
export interface ClientContext {
  readonly channel: Channel;
  readonly clock: Clock;
  readonly store: ItemStore;
  readonly pauses: RetryPauses;
  readonly trustedOrigin: string | undefined;
  /** Aborts when the client is disposed of. */
  readonly signal: AbortSignal;
  /** Whether the stream that is live has brought this request: then it also brings the end. */
  isOnLiveStream(id: string): boolean;
}
