import type { User } from "../../runtime/index.ts";
import type { ApiKeyPlace } from "../credentials/api-key.ts";

/** What every MCP server has, however it is reached. */
interface McpServerBase {
  /**
   * Prefix of its tools' names for the model (`tracker_create_issue`), and the id under which users' credentials are
   * stored. Letters, digits, `_` and `-`.
   */
  name: string;
  /** Its name for users: "Linear", "your calendar". */
  service: string;
  /** Its icon, for the card that asks to connect it: a `data:` URL of an image of at most 8 KiB. */
  iconDataUrl?: string | undefined;
  /**
   * Whether the server may ask the user during a call (MCP elicitation): by a form or a web page, as far as the chat can
   * show them.
   * @default true
   */
  elicitation?: boolean | undefined;
  /**
   * What becomes of a form that no chat can show, such as one with nested objects. `refuse`: the server gets an error.
   * `show`: the user gets a card that says why it cannot be answered.
   * @default "refuse"
   */
  unanswerableForms?: "refuse" | "show" | undefined;
  /**
   * The tools that the agent gets, by their names at the server.
   * @default all
   */
  tools?: readonly string[] | undefined;
}

/** An MCP server that is reached over HTTP (Streamable HTTP). */
export interface McpServer extends McpServerBase {
  url: string;
  /** `user`: acts for the user and needs their credential. `none`: needs no credential. */
  credentialScope: "user" | "none";
  /**
   * For a server that takes an API key of the user in place of a token: where the key goes. The user is asked for it on
   * the hosted page, which needs a provider with `apiKey` for this server.
   */
  apiKey?: ApiKeyPlace | undefined;
  /**
   * When the user is asked to connect their account. `first`: before the first call of a tool, so that no call is made
   * without their credential. `on-demand`: when the server refuses a call, so that what it says with the refusal decides
   * where they sign in and for which rights, and tools that need no account work without one. Choose it for servers that
   * you know only by their URL.
   * @default "first"
   */
  signIn?: "on-demand" | "first" | undefined;
  /**
   * Headers of every request to it: fixed, or made for the user of the turn. Tokens that users can connect and disconnect
   * belong into the agent's `credentials`.
   */
  headers?: PerUser | undefined;
  /** @default globalThis.fetch */
  fetch?: typeof globalThis.fetch | undefined;
  command?: undefined;
}

/** A server or agent whose calls may need a user's credential, as far as the credential gate knows it. */
export type GatedServer = Pick<McpServer, "name" | "service" | "iconDataUrl" | "url" | "apiKey" | "signIn">;

/**
 * An MCP server that is started as a process and spoken to over its standard input and output. Needs Node.js. Each user
 * has a process of their own, started at their first message; a user who is not signed in has one for each call.
 */
export interface McpStdioServer extends McpServerBase {
  /** The program. It is started without a shell. */
  command: string;
  args?: readonly string[] | undefined;
  /**
   * Its environment, besides `PATH`, `HOME` and the like: fixed, or made for the user whose process it is. Nothing else
   * of this process's environment reaches it.
   */
  env?: PerUser | undefined;
  /** @default the working directory of this process */
  cwd?: string | undefined;
  /**
   * What becomes of what it writes to its standard error output: `inherit` passes it to this process's.
   * @default "ignore"
   */
  stderr?: "inherit" | "ignore" | undefined;
  /**
   * How long a process without a call is kept, in milliseconds.
   * @default 300_000
   */
  idleMs?: number | undefined;
  credentialScope?: "none" | undefined;
  url?: undefined;
}

/** An MCP server whose tools the agent may call: over HTTP, or as a process. */
export type AgentMcpServer = McpServer | McpStdioServer;

/** Names and values, fixed or made for the user of a turn. */
export type PerUser =
  | Readonly<Record<string, string>>
  | ((
      user: User | undefined,
    ) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

/** What `values` are for this user. */
export async function valuesFor(
  values: PerUser | undefined,
  user: User | undefined,
): Promise<Readonly<Record<string, string>>> {
  return (typeof values === "function" ? await values(user) : values) ?? {};
}

/** Values that are secrets by their names, and tokens in them. */
export function secretsOf(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    /auth|cookie|key|secret|token|password/i.test(name) ? [value, ...value.split(/[\s;=,]+/)] : [],
  );
}
