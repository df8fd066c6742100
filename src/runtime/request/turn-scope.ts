import type { User } from "../ports/index.ts";

/** What a request inherits from its turn. */
export interface TurnScope {
  readonly turnId: string;
  /** Kind of the surface that shows the request. @default "chat" */
  readonly surface?: string | undefined;
  readonly conversationId: string;
  readonly user: User;
  readonly chatOrigin?: string | undefined;
  readonly returnUrl?: string | undefined;
  /** Withdraws the request when it aborts. */
  readonly signal: AbortSignal;
}
