import type { ServerContext, AuthInfo } from "@modelcontextprotocol/server";
import type { Clock } from "../../../src/base/clock.ts";

/** The options of `createEliciting`. */
export interface ElicitingOptions {
  /**
   * Encrypts the state that 2026 clients carry between rounds: 32 bytes, raw or as base64 (`openssl rand -base64 32`).
   * Processes that serve the same clients must share it.
   * @default random at each start
   */
  stateKey?: Uint8Array | string | undefined;
  /**
   * Identifies the user behind a call. A round belongs to them.
   * @default the subject of the token (`authInfo.extra.sub`), else the token itself
   */
  subjectOf?: ((ctx: ServerContext) => string | undefined) | undefined;
  /**
   * Marks a state as used. `false`: it was used before. Several processes need a shared store.
   * @default a list in this process
   */
  takeState?: ((id: string, expiresAt: number) => boolean | Promise<boolean>) | undefined;
  /**
   * Whether the user has finished on the page of a question (`elicitor.url`), by the id that its `url` function got. The
   * question is answered only when this returns true.
   * @default () => true: the consent to open the page is the answer
   */
  isCompleted?: ((elicitationId: string) => boolean | Promise<boolean>) | undefined;
  /**
   * Shows questions as cards in hosts that support MCP Apps but not elicitation, such as claude.ai, or not the mode of
   * the question. The same call continues with the answer. Build servers with `eliciting.createServer`. With a
   * `stateKey`, `takeState` is required.
   * @default false
   */
  app?: boolean | ElicitingApp | undefined;
  /** How long a user may take, in milliseconds. @default 600_000 (10 minutes) */
  expiresInMs?: number | undefined;
  /** @default systemClock */
  clock?: Clock | undefined;
}

/** Which tools ask through the card of an MCP App. */
export interface ElicitingApp {
  /**
   * The tools that ask through the card. List a tool that has its own app if its view uses the kit's channel
   * (`elicit-kit/mcp/app`).
   * @default all wrapped tools that have no app
   */
  tools?: readonly string[] | undefined;
  /**
   * Tools whose questions approve something irreversible, such as a payment. Their card shows only pages, because hosts
   * do not prove that a user pressed the button.
   * @default []
   */
  pagesOnly?: readonly string[] | undefined;
}

/** The user behind a token: its subject if the verifier provides one, else the token itself. */
export function subjectOfAuth(authInfo: AuthInfo | undefined): string | undefined {
  const { sub } = authInfo?.extra ?? {};
  return typeof sub === "string" ? sub : authInfo?.token;
}

/** The headers that pages of allowed origins may send to an MCP endpoint, and read from its replies. */
export const MCP_HEADERS = {
  methods: "GET, POST, DELETE",
  sent: "authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id",
  read: "mcp-session-id, www-authenticate",
};
