import type { User, Turn } from "../../runtime/index.ts";
import type { ApiKeyPlace } from "../credentials/api-key.ts";

/** `2025-11-25` stands for all revisions before 2026. */
export type CallRevision = "2025-11-25" | "2026-07-28";

/** The options that every MCP server has. */
interface McpServerBase {
  /**
   * The prefix of its tool names for the model (`tracker_create_issue`), and the id under which users' credentials are
   * stored. Letters, digits, `_` and `-`.
   */
  name: string;
  /** Its name for users: "Linear", "your calendar". */
  service: string;
  /** Its icon, for the card that asks to connect it: a `data:` URL of an image of at most 8 KiB. */
  iconDataUrl?: string | undefined;
  /**
   * Whether the server may ask the user during a call (MCP elicitation), with a form or a web page that the chat can
   * show.
   * @default true
   */
  elicitation?: boolean | undefined;
  /**
   * The MCP revision of its connections. By default it is the newest that both sides support. If a tool then fails
   * because it cannot ask in that revision, it begins again in the older one, and the server is called in the older one
   * from then on. So a tool may reach its first question twice. Set `2025-11-25` for a server whose tools do something
   * before they ask and asked this way in the past; `2026-07-28` never calls a tool again. `2025-11-25` also stands for
   * the revisions before it.
   */
  revision?: CallRevision | undefined;
  /**
   * What happens to a form that no chat can show, such as one with nested objects. `refuse`: the server gets an error.
   * `show`: the user gets a card that says why it cannot be answered.
   * @default "refuse"
   */
  unanswerableForms?: "refuse" | "show" | undefined;
  /**
   * The tools that the agent gets, by their names at the server.
   * @default all tools
   */
  tools?: readonly string[] | undefined;
  /**
   * The calls that the user must approve, on a card with their arguments. `destructive`: those of tools that do not say that
   * they only read (`readOnlyHint`) or destroy nothing (`destructiveHint: false`). These are words of the server, so use
   * `all` for one that you do not trust. The user can allow a tool for the rest of the conversation.
   * @default none, and `destructive` while a key of `toolApproval` names a tool that the server does not list
   */
  askFirst?: "destructive" | "all" | undefined;
}

/** An MCP server that is reached over HTTP (Streamable HTTP). */
export interface McpServer extends McpServerBase {
  url: string;
  /** `user`: acts for the user and needs their credential. `none`: needs no credential. */
  credentialScope: "user" | "none";
  /**
   * For a server that takes an API key of the user instead of a token: where the key is sent. The user is asked for it on
   * the hosted page, which needs a provider with `apiKey` for this server.
   */
  apiKey?: ApiKeyPlace | undefined;
  /**
   * When the user is asked to connect their account. `first`: before the first call of a tool, so that no call is made
   * without their credential. `on-demand`: when the server refuses a call. Its refusal says where the user signs in and
   * for which scopes, and tools that need no account work without one. Choose it for servers that you know only by their
   * URL.
   * @default "first"
   */
  signIn?: "on-demand" | "first" | undefined;
  /**
   * Lets a user connect up to five accounts. If they have several, a card asks which one to use, once in a turn, and the
   * model gets a tool with which the user takes another one. Only with `credentialScope: "user"`.
   * @default false
   */
  several?: boolean | undefined;
  /**
   * Headers of every HTTP request to it: fixed, or computed for the user of the turn. Keep tokens that users can connect
   * and disconnect in the agent's `credentials`.
   */
  headers?: PerUser | undefined;
  /** @default the global `fetch`, without the limit of 300 seconds that Node sets for a silent server */
  fetch?: typeof globalThis.fetch | undefined;
  command?: undefined;
}

/** A server or agent whose calls may need a user's credential: the fields that the credential gate uses. */
export type GatedServer = Pick<McpServer, "name" | "service" | "iconDataUrl" | "url" | "apiKey" | "signIn">;

/**
 * An MCP server that runs as a process and communicates over its standard input and output. Needs Node.js. Each user has
 * a separate process, started at their first message. A user who is not signed in gets a new process for each call.
 */
export interface McpStdioServer extends McpServerBase {
  /** The program. It is started without a shell. */
  command: string;
  args?: readonly string[] | undefined;
  /**
   * Environment variables, besides `PATH`, `HOME` and the like: fixed, or computed for the user of the process. The
   * process inherits no other variable.
   */
  env?: PerUser | undefined;
  /** @default the working directory of this process */
  cwd?: string | undefined;
  /**
   * What happens to its standard error output. `inherit` passes it to that of this process.
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

/** Names and values, fixed or computed for the user of a turn. */
export type PerUser =
  | Readonly<Record<string, string>>
  | ((
      user: User | undefined,
    ) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

/** Returns `values` for this user. */
export async function valuesFor(
  values: PerUser | undefined,
  user: User | undefined,
): Promise<Readonly<Record<string, string>>> {
  return (typeof values === "function" ? await values(user) : values) ?? {};
}

/** Names of secrets. `AUTHOR` and `AUTHORITY` are none. */
const SECRET_NAME = /auth(?!or(?!i[sz]))|cookie|key|secret|token|password/i;
/** Names of settings of a secret, such as `AUTH_TYPE`. Their values are ordinary words. */
const SETTING_NAME = /[_-](?:type|mode)$/i;

/** Returns values whose names mark them as secrets, and tokens inside them. */
export function secretsOf(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    SECRET_NAME.test(name) && !SETTING_NAME.test(name) ? [value, ...value.split(/[\s;=,]+/)] : [],
  );
}

/** What an account needs of a turn. A route of your own has it from `createRouteElicitor`. */
export type AccountTurn = Pick<Turn, "id" | "user" | "signal" | "languages" | "ask"> & {
  readonly runner: Pick<Turn["runner"], "tool">;
};

export interface GatedCall {
  turn: AccountTurn;
  server: GatedServer;
  /** Name of the tool for the model. */
  toolName: string;
  /** Its name at its server, if the model has another one. */
  ownName?: string | undefined;
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
  /** Whether this call has chosen the account, not a call beside it. */
  isOwnChoice?: boolean | undefined;
  /** Called when a request to connect the account ends, and the user has not connected it. */
  onRefused?: (() => void) | undefined;
  /** The scopes of another account, which the user is asked for if the server names none. */
  scopes?: readonly string[] | undefined;
  signal: AbortSignal;
}
