import type { ElicitationContent } from "../contract/contract.ts";

/** The server that is checked. */
export interface ConformanceTarget {
  /** Base of the contract's routes, absolute: `https://chat.example.com/run/api`. */
  api: string;
  /** @default the global `fetch` */
  fetch?: typeof globalThis.fetch | undefined;
  /** What the cases need to know about this server. A case whose hook is missing is not checked. */
  hooks?: ConformanceHooks | undefined;
  /**
   * How long the server may take for each step, in milliseconds, on top of the delays that the contract allows.
   * @default 5_000
   */
  patienceMs?: number | undefined;
}

/** A user that the server knows. */
export interface KnownPerson {
  /** The request headers that sign them in, such as `{ authorization: "Bearer …" }`. */
  headers: Readonly<Record<string, string>>;
  /** Their id on the server, to check that nobody becomes them by naming it. */
  userId?: string | undefined;
}

/** A form that the agent can be made to show, with answers to it. */
export interface KnownForm {
  /** The chat message that makes the agent show it. */
  message: string;
  /** Fits the form. With two properties or more their order is checked too. */
  fits: ElicitationContent;
  /** Fits as well, and differs from `fits`. */
  alsoFits: ElicitationContent;
  /** Does not fit: a value out of range, a missing property. */
  misfits: ElicitationContent;
}

/**
 * What only the owner of a server knows: its people, the messages that make its agent ask, and how to play the world
 * outside the chat. All are optional. A case whose hook is missing is reported as not checked, never as passed.
 */
export interface ConformanceHooks {
  /** Two different people. Nearly every case needs them. */
  people?: readonly [KnownPerson, KnownPerson] | undefined;
  /** The chat message for one request to connect an account: mode `url`, where an accept means completion. */
  connect?: string | undefined;
  /** The chat message for one request to open a page: mode `url` with `acceptMeans: "consent"`. */
  consent?: string | undefined;
  /** A form that is asked once. */
  form?: KnownForm | undefined;
  /** The chat message that opens two requests at the same time. */
  two?: string | undefined;
  /** The chat message that makes the agent call a tool that asks, and call it again whatever the answer is. */
  again?: string | undefined;
  /** A request that expires soon: its chat message, and the milliseconds until it expires. */
  expiring?: { message: string; afterMs: number } | undefined;
  /** Completes a URL request, as the provider does when the user is done. */
  completeOutside?: ((elicitationId: string) => Promise<void>) | undefined;
  /** Makes the provider refuse with `lastError`; the request stays open. */
  failOutside?: ((elicitationId: string, lastError: string) => Promise<void>) | undefined;
  /**
   * Milliseconds of silence after which the server sends a comment, when it was set up to do so sooner than the
   * contract's 15 seconds.
   */
  keepAliveMs?: number | undefined;
  /**
   * Milliseconds between two look-ups for a completion, when the server was set up to look more often than the
   * contract's 500 ms.
   */
  lookUpMs?: number | undefined;
  /** Headers that sign the first user in by cookie, and an origin on and one off the server's list. */
  cookie?:
    | { headers: Readonly<Record<string, string>>; allowedOrigin: string; foreignOrigin: string }
    | undefined;
  /** Writes that one user may make in a minute; the next one gets a 429. The second user makes them. */
  writesPerMinute?: number | undefined;
  /** Set when the chat can vouch for a hosted page (contract, section 6). */
  binding?: true | undefined;
  /**
   * The OpenAI-style route, when the server has one: its address, `https://chat.example.com/run/v1/chat/completions`,
   * and the chat message that makes the agent print a JSON object as its text.
   */
  completions?: { url: string; jsonMessage?: string | undefined } | undefined;
}
