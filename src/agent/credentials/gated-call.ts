import type { Turn } from "../../runtime/index.ts";
import type { GatedServer } from "../mcp/mcp-server.ts";

export interface GatedCall {
  turn: Turn;
  server: GatedServer;
  /** Name of the tool for the model. */
  toolName: string;
  /** Title of the tool for users, in the server's words. */
  title?: string | undefined;
  input: unknown;
  toolCallId: string;
  /** Tells apart the accounts that one call uses. @default the call uses one */
  part?: string | undefined;
  /**
   * - `only`: the user's only account there
   * - `of-several`: one of those that they have connected
   * - `another`: one that they are to connect besides
   * @default "only"
   */
  account?: "only" | "of-several" | "another" | undefined;
  signal: AbortSignal;
}
