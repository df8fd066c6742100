import type { ServerContext } from "@modelcontextprotocol/server";
import type { Clock } from "../../../../base/clock.ts";

/** The options of `createEliciting`. */
export interface ElicitingOptions {
  /**
   * Encrypts what 2026 clients carry between rounds: 32 bytes, raw or as base64 (`openssl rand -base64 32`). Processes that
   * serve the same clients must share it.
   * @default random at each start
   */
  stateKey?: Uint8Array | string | undefined;
  /**
   * Identifies the user behind a call. A round belongs to them.
   * @default the subject of the token (`authInfo.extra.sub`), else the token itself
   */
  subjectOf?: ((ctx: ServerContext) => string | undefined) | undefined;
  /**
   * Takes a state for the one time that it may be used. `false`: it was used before. Several processes need a shared store.
   * @default a list in this process
   */
  takeState?: ((id: string, expiresAt: number) => boolean | Promise<boolean>) | undefined;
  /**
   * Whether the user has finished on the page of a question (`elicitor.url`), by the id that its `url` function
   * got. The question is answered only then.
   * @default () => true: consenting to open the page is the answer
   */
  isCompleted?: ((elicitationId: string) => boolean | Promise<boolean>) | undefined;
  /**
   * Asks in hosts that show MCP Apps but have no elicitation, such as claude.ai, or not in the mode of the question: it is a
   * card in the conversation, and the same call continues with the answer. Build servers with `eliciting.createServer`. With a `stateKey`,
   * `takeState` is required.
   * @default false
   */
  app?: boolean | ElicitingApp | undefined;
  /** How long a user may take, in milliseconds. @default 600_000 (10 minutes) */
  expiresInMs?: number | undefined;
  /** @default systemClock */
  clock?: Clock | undefined;
}

/** Which tools ask through the card in an MCP App. */
export interface ElicitingApp {
  /**
   * The tools that ask through the card. Name a tool with an app of its own if its view has the kit's channel (`elicit-kit/mcp/app`).
   * @default all wrapped tools that have no app
   */
  tools?: readonly string[] | undefined;
  /**
   * Tools whose questions approve something that cannot be undone, such as a payment. The card shows pages for them and no
   * forms, because no host proves that a user has pressed the button.
   * @default []
   */
  pagesOnly?: readonly string[] | undefined;
}
