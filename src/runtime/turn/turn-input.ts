import type { User } from "../ports/index.ts";
import type { TurnStart } from "./surface.ts";

/** The input of a turn. Plain data: a runner may store it and run the turn again in another process. */
export interface TurnInput {
  readonly surface: string;
  readonly conversationId: string;
  readonly user: User | undefined;
  readonly messages: readonly unknown[];
  readonly supports: TurnStart["supports"];
  readonly ref: Readonly<Record<string, unknown>> | undefined;
  readonly expiresInMs: number | undefined;
  readonly chatOrigin: string | undefined;
  readonly returnUrl: string | undefined;
  readonly languages?: readonly string[] | undefined;
  readonly connectionBound: boolean;
}
