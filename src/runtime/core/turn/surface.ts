import type { ElicitationRequest, ElicitationResponse } from "../../../protocol/contract.ts";
import type { AnswerResult } from "../elicitation/answer-result.ts";
import type { SupportedModes } from "../elicitation/question.ts";
import type { TurnStreamEntry, User } from "../ports.ts";
import type { Full } from "./input-limit.ts";

/** Another protocol through which people reach the agent. Made by `runtime.surface`. */
export interface Surface {
  /** Starts a turn, and resolves before it has said anything. The same `startId` again: the turn that it started. */
  start(input: TurnStart): Promise<SurfaceTurn | Refusal>;
  /**
   * A turn of this surface and this person, whichever process runs it; one that has ended for as long as its log is kept
   * (`keepMs`). By `conversationId` the last one that was started there.
   */
  find(
    user: User,
    where: { turnId: string } | { conversationId: string } | { elicitationId: string },
  ): Promise<SurfaceTurn | undefined>;
}

/** What a turn is started from. Plain data: a durable runner keeps it. */
export interface TurnStart {
  /** Who the surface has authenticated. Absent: nothing is asked, and nobody can come back to the turn. */
  user: User | undefined;
  /**
   * Where the turn belongs: one is open per person and conversation. Ids of a protocol's own are part of it, such as
   * `team:channel:thread`, and so is the id of its client where there may be several.
   */
  conversationId: string;
  /** UI messages, the last of them the one to answer. */
  messages: readonly unknown[];
  /** What this surface gets answered, by means of its own or by a link. Fixed for the turn. */
  supports: SupportedModes;
  /**
   * What happens when a turn is open in the conversation.
   * @default "replace"
   */
  ifOpen?: "replace" | "refuse" | undefined;
  /** Of an event that may be sent to you twice: its id. One turn is started per person and id, while its log is kept. */
  startId?: string | undefined;
  /** The surface's own ids, to find on the turn later. They never change. At most 4 KiB as JSON. */
  ref?: Readonly<Record<string, unknown>> | undefined;
  /**
   * How long the log can be read after the turn has ended, in milliseconds.
   * @default 0
   */
  keepMs?: number | undefined;
  /**
   * How long the person may take for an answer, in milliseconds, unless the question says otherwise.
   * @default the runtime's `expiresInMs`
   */
  expiresInMs?: number | undefined;
  /** Origin of the page that asks, checked: where a hosted page may post its hints. */
  chatOrigin?: string | undefined;
  /** Where the person would like to come back to from a hosted page. */
  returnUrl?: string | undefined;
  /**
   * Who is counted for the limits of the runtime (`writesPerMinute`, `maxTurns`), such as an address.
   * @default the user; without one nobody is counted
   */
  limitKey?: string | undefined;
}

/** Why no turn was started. `retryAfter` in seconds. */
export type Refusal =
  /** The runtime is being closed. */
  | { readonly refused: "closed"; readonly retryAfter: number }
  /** `of`: the sender has sent, or has open, as much as they may, or the server holds as much as it can. */
  | { readonly refused: "limit"; readonly of: Full; readonly retryAfter: number }
  /** A turn is open in the conversation, and `ifOpen` says to refuse. */
  | { readonly refused: "busy"; readonly turnId: string };

/** An answer from a surface. */
export type SurfaceAnswer = ElicitationResponse & {
  /**
   * What an accept of a URL request says in the surface's protocol. `consent`: the person agreed to open the page, and
   * the request ends later, by what is done there.
   * @default what the request itself says
   */
  acceptMeans?: "consent" | undefined;
};

/** One turn, as a surface sees it. The turn may run in another process. */
export interface SurfaceTurn {
  readonly id: string;
  readonly conversationId: string;
  /** As it was given to `start`. */
  readonly ref: Readonly<Record<string, unknown>>;
  /**
   * The turn's log as it is: chunks of a UI message stream, requests and their ends among them. `seq` is the cursor for
   * `after`. With `live` it goes on to the end of the turn; without, it stops at the last entry there is. An abort ends
   * the reading, never the turn.
   */
  read(options: {
    after?: number | undefined;
    live: boolean;
    signal: AbortSignal;
  }): AsyncIterable<TurnStreamEntry>;
  /** What waits for the person now, oldest first. The log tells the order of things; this tells what holds. */
  open(): Promise<readonly ElicitationRequest[]>;
  /** Takes answers of the person, one after another. Requests of other turns are `unknown`. */
  answer(answers: readonly SurfaceAnswer[]): Promise<readonly AnswerResult[]>;
  /** Withdraws what it asks and aborts it, whichever process runs it. Resolves at its end, or after ten seconds. */
  stop(reason: string): Promise<void>;
}

export interface SurfaceOptions {
  /**
   * For clients that hold no connection: brings the turn to them until it has ended. Called in the process that runs the
   * turn, and again when it is run again, so it must be idempotent. What it rejects with goes to `onError`.
   */
  deliver?: ((turn: SurfaceTurn) => Promise<void>) | undefined;
}
