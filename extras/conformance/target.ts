import type { ElicitationContent } from "../../src/contract/contract.ts";

/** The server that is checked. */
export interface ConformanceTarget {
  /** Base of the contract's routes, absolute: `https://chat.example.com/run/api`. */
  api: string;
  /** @default the global `fetch` */
  fetch?: typeof globalThis.fetch | undefined;
  /** Information about this server that the cases need. A case whose hook is missing is not checked. */
  hooks?: ConformanceHooks | undefined;
  /**
   * How long the server may take for each step, in milliseconds, on top of the delays that the contract allows.
   * @default 5_000
   */
  patienceMs?: number | undefined;
}

/** A user of the server. */
export interface KnownPerson {
  /** The request headers that sign them in, such as `{ authorization: "Bearer …" }`. */
  headers: Readonly<Record<string, string>>;
  /** The user's id on the server, to check that other users cannot impersonate them with it. */
  userId?: string | undefined;
}

/** A form that the agent can be made to show, with answers to it. */
export interface KnownForm {
  /** The chat message that makes the agent show it. */
  message: string;
  /** Valid content. With two or more properties, their order is checked too. */
  fits: ElicitationContent;
  /** Other valid content, different from `fits`. */
  alsoFits: ElicitationContent;
  /** Invalid content: a value out of range, a missing property. */
  misfits: ElicitationContent;
}

/**
 * Information that only the owner of a server has: its users, the messages that make its agent ask, and functions that
 * simulate events outside the chat. All hooks are optional. A case whose hook is missing is reported as not checked,
 * never as passed.
 */
export interface ConformanceHooks {
  /** Two different users. Nearly every case needs them. */
  people?: readonly [KnownPerson, KnownPerson] | undefined;
  /** The chat message that causes one request to connect an account: mode `url`, where an accept means completion. */
  connect?: string | undefined;
  /** The chat message that causes one request to open a page: mode `url` with `acceptMeans: "consent"`. */
  consent?: string | undefined;
  /** A form that is asked once. */
  form?: KnownForm | undefined;
  /** The chat message that causes two requests at the same time. */
  two?: string | undefined;
  /** The chat message that makes the agent call a tool that asks, and call it again after any answer. */
  again?: string | undefined;
  /** The chat message that makes the agent of the first user ask a form that the second user decides (`assignee`). */
  assigned?: string | undefined;
  /** The chat message that causes a form with the content of `form`, which the user may leave to the agent (`delegate`). */
  delegable?: string | undefined;
  /** The chat message that causes a form with the content of `form` in the background: the agent writes on meanwhile. */
  background?: string | undefined;
  /**
   * The chat message that makes a tool ask for the approval of a draft (`context.review`), and other values for its
   * fields. The output of the tool has the values that it gets.
   */
  review?: { message: string; edited: ElicitationContent } | undefined;
  /** A request that expires soon: its chat message, and the milliseconds until it expires. */
  expiring?: { message: string; afterMs: number } | undefined;
  /** Completes a URL request, as the provider does when the user has finished. */
  completeOutside?: ((elicitationId: string) => Promise<void>) | undefined;
  /** Makes the provider report `lastError`. The request stays open. */
  failOutside?: ((elicitationId: string, lastError: string) => Promise<void>) | undefined;
  /**
   * Milliseconds of silence after which the server sends a comment, if it is configured to a shorter time than the 15
   * seconds of the contract.
   */
  keepAliveMs?: number | undefined;
  /**
   * Milliseconds between two checks for a completion, if the server is configured to check more often than every 500 ms.
   */
  lookUpMs?: number | undefined;
  /** Headers that sign the first user in by cookie, one origin on the server's list and one that is not. */
  cookie?:
    | { headers: Readonly<Record<string, string>>; allowedOrigin: string; foreignOrigin: string }
    | undefined;
  /** The number of writes that one user may make in a minute. The next one gets a 429. The second user makes them. */
  writesPerMinute?: number | undefined;
  /** Set if the chat can vouch for a hosted page (contract, section 6). */
  binding?: true | undefined;
  /**
   * The OpenAI-style route, if the server has one: its address, `https://chat.example.com/run/v1/chat/completions`, and
   * the chat message that makes the agent print a JSON object as its text.
   */
  completions?: { url: string; jsonMessage?: string | undefined } | undefined;
}
