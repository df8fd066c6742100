import type { Turn } from "../../runtime/index.ts";
import type { GatedServer } from "../mcp/mcp-server.ts";

export interface GatedCall {
  turn: Turn;
  server: GatedServer;
  /** Name of the tool for the model. */
  toolName: string;
  /** The title of the tool for users, from the server. */
  title?: string | undefined;
  input: unknown;
  toolCallId: string;
  /** Distinguishes the accounts of one call. @default the call uses one account */
  part?: string | undefined;
  /**
   * - `only`: the user's only account there
   * - `of-several`: one of several connected accounts
   * - `another`: an additional account that the user still has to connect
   * @default "only"
   */
  account?: "only" | "of-several" | "another" | undefined;
  /** The scopes of another account, which the user is asked for if the server names none. */
  scopes?: readonly string[] | undefined;
  signal: AbortSignal;
}
