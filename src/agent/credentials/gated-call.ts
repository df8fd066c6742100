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
  signal: AbortSignal;
}
