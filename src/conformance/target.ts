import type { ElicitationContent } from "../protocol/contract.ts";

/** The server that is checked. */
export interface ConformanceTarget {
  /** Base of the contract's routes, absolute: `https://chat.example.com/run/api`. */
  api: string;
  /** @default the global `fetch` */
  fetch?: typeof globalThis.fetch | undefined;
  /** What the cases need to know about this server. A case whose hook is missing is not checked. */
  hooks?: ConformanceHooks | undefined;
  /**
   * Milliseconds the server may take to do what it must do, on top of delays that the contract itself allows.
   * @default 5_000
   */
  patienceMs?: number | undefined;
}

/** Somebody the server knows. */
export interface KnownPerson {
  /** The request headers that sign them in, such as `{ authorization: "Bearer …" }`. */
  headers: Readonly<Record<string, string>>;
  /** Their id on the server, to check that nobody becomes them by naming it. */
  userId?: string | undefined;
}

/** A form that the agent can be made to show, with answers to it. */
export interface KnownForm {
  /** What the person says to be asked. */
  say: string;
  /** Fits the form. With two properties or more their order is checked too. */
  fits: ElicitationContent;
  /** Fits as well, and says something else. */
  alsoFits: ElicitationContent;
  /** Does not fit: a value out of range, a missing property. */
  misfits: ElicitationContent;
}

/**
 * What only the owner of a server can tell: who there is, what to say so that the agent asks, and how the world outside
 * the chat moves. All optional: what is missing is reported as not checked, never as passed.
 */
export interface ConformanceHooks {
  /** Two different people. Nearly every case needs them. */
  people?: readonly [KnownPerson, KnownPerson] | undefined;
  /** What the person says to be asked, once, to connect an account: mode `url`, where an accept means completion. */
  connect?: string | undefined;
  /** What the person says to be asked, once, to open a page: mode `url` with `acceptMeans: "consent"`. */
  consent?: string | undefined;
  /** A form that is asked once. */
  form?: KnownForm | undefined;
  /** What the person says so that two requests are open at the same time. */
  two?: string | undefined;
  /** What the person says so that the agent calls a tool that asks, and calls it again whatever comes of it. */
  again?: string | undefined;
  /** A request that expires soon, and the milliseconds until then. */
  expiring?: { say: string; afterMs: number } | undefined;
  /** Finishes what a URL request asks for, as the provider does once the person is through. */
  completeOutside?: ((elicitationId: string) => Promise<void>) | undefined;
  /** Lets the provider refuse with `lastError`; the request stays open. */
  failOutside?: ((elicitationId: string, lastError: string) => Promise<void>) | undefined;
  /**
   * Milliseconds of silence after which the server sends a comment, when it was set up to do so sooner than the
   * contract's 15 seconds.
   */
  keepAliveMs?: number | undefined;
  /** The first person, signed in by what browsers send unasked, and origins on and off the server's list. */
  cookie?:
    | { headers: Readonly<Record<string, string>>; allowedOrigin: string; foreignOrigin: string }
    | undefined;
  /** Writes per person and minute that are let through; the next one gets a 429. The second person is used up. */
  writesPerMinute?: number | undefined;
  /** Set when the hosted page binds people by a challenge (contract, section 6). */
  binding?: true | undefined;
  /**
   * The OpenAI-style route, when the server has one: its address, `https://chat.example.com/run/v1/chat/completions`,
   * and what the person says so that the agent prints a JSON object as its text.
   */
  completions?: { url: string; sayJson?: string | undefined } | undefined;
}
