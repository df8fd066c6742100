import type { ApproveA2aTool } from "../../a2a/relay/tool-call.ts";
import type { ApiKeyPlace } from "../credentials/api-key.ts";
import type { PerUser } from "../mcp/mcp-server.ts";

/** An A2A agent that your agent may call, over JSON-RPC or HTTP+JSON. */
export interface A2aAgent {
  /**
   * The name of its tool for the model (`travel`), and the id under which users' credentials are stored. Letters, digits,
   * `_` and `-`. No MCP server may have the same name.
   */
  name: string;
  /** Its name for users: "Contoso Travel", "the travel agent". */
  service: string;
  /**
   * The base URL of its agent card (`/.well-known/agent-card.json`), or the URL of the card if it ends in `.json`. The
   * agent itself must be on this origin, or on one of `origins`.
   */
  url: string;
  /** Further origins that the agent may use, such as `https://api.example.com`. A card that names another is refused. */
  origins?: readonly string[] | undefined;
  /**
   * Describes the agent to the model. The description in the agent's own card is not used, because it could contain
   * instructions from a third party.
   */
  description: string;
  /**
   * `user`: acts for the user and needs their credential. `none`: needs no credential.
   * @default "none"
   */
  credentialScope?: "user" | "none" | undefined;
  /** Its icon, for the card that asks to connect it: a `data:` URL of an image of at most 8 KiB. */
  iconDataUrl?: string | undefined;
  /** For an agent that takes an API key of the user instead of a token: where the key is sent. */
  apiKey?: ApiKeyPlace | undefined;
  /**
   * When the user is asked to connect their account: when the agent refuses a call, or before the first one.
   * @default "on-demand"; "first" for an agent with `apiKey`
   */
  signIn?: "on-demand" | "first" | undefined;
  /**
   * Headers of every HTTP request to it: fixed, or computed for the user of the turn. `accept-language` has the user's
   * languages if you set no other.
   */
  headers?: PerUser | undefined;
  /**
   * The transport that is tried first, if the card has several.
   * @default the first one of the card
   */
  transport?: "JSONRPC" | "HTTP+JSON" | undefined;
  /**
   * Decides whether the agent may call one of its own tools, when it asks with kagent's extension. Called once for each
   * tool call. The chat and subscribers get it as an approval of the turn ({@link Runtime.publishApproval}). A permission
   * is not an elicitation, so show your own dialog. A decision may take 10 minutes; if it takes longer, is missing or
   * throws, the call is rejected.
   * @default each call is rejected
   */
  approveTool?: ApproveA2aTool | undefined;
  /**
   * How long the agent may be silent while no user thinks, in milliseconds.
   * @default 300_000
   */
  silenceMs?: number | undefined;
  /** @default the global `fetch`, without the limit of 300 seconds that Node sets for a silent server */
  fetch?: typeof globalThis.fetch | undefined;
}
