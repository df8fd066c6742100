import type {
  Assignee,
  AssigneeList,
  ElicitationRequest,
  ElicitationResponse,
  FormElicitationRequest,
} from "../../contract/contract.ts";
import type { TextMessage } from "../../contract/message-parts.ts";
import type { AnswerResult, AssignResult, ExtendResult, RemindResult } from "../request/answer-result.ts";
import type { SupportedModes } from "../ask/question.ts";
import type { User } from "../../base/identity.ts";
import type { Settlement, TurnKey, TurnStreamEntry } from "../ports/index.ts";
import type { ReachedLimit } from "../../base/input-limit.ts";

/** Another protocol through which users reach the agent. Created by `runtime.surface`. */
export interface Surface {
  /** Starts a turn and resolves before its first chunk. A repeated `startId` returns the turn that it started before. */
  start(input: TurnStart): Promise<SurfaceTurn | Refusal>;
  /**
   * Finds a turn of this surface and user, in any process. An ended turn can be found while its log is kept (`keepMs`).
   * `conversationId` finds the last turn that was started in the conversation.
   */
  find(
    user: User,
    where: { turnId: string } | { conversationId: string } | { elicitationId: string },
  ): Promise<SurfaceTurn | undefined>;
  /** The turns of this surface and user that are kept after their end (`keepMs`), started in any process, newest first. */
  list(user: User, page: TurnPage): Promise<readonly SurfaceTurn[]>;
}

/** A page of {@link Surface.list}. */
export interface TurnPage {
  /** The id of a turn: returns only turns that were started before it. @default from the newest */
  before?: string | undefined;
  limit: number;
}

/** The input of a turn. Plain data, because a durable runner stores it. */
export interface TurnStart {
  /** The user, authenticated by the surface. Without one, the agent cannot ask and clients cannot reattach to the turn. */
  user: User | undefined;
  /**
   * The conversation of the turn. At most one turn is open per user and conversation. Build it from the ids of the
   * protocol, such as `team:channel:thread`, and include the client's id if there can be several clients.
   */
  conversationId: string;
  /** UI messages. The agent replies to the last one. */
  messages: readonly unknown[];
  /**
   * The request modes that users of this surface can answer, in the surface or through a link. With `secrets: false`, a
   * form that `refuseForm` of the surface refuses cannot reach them, and fails. Does not change during the turn.
   */
  supports: SupportedModes & { readonly secrets?: boolean | undefined };
  /**
   * What to do if a turn is already open in the conversation.
   * @default "replace"
   */
  ifOpen?: "replace" | "refuse" | undefined;
  /**
   * The id of the event that starts the turn, if it may arrive twice. It starts one turn per user and id while its log is
   * kept.
   */
  startId?: string | undefined;
  /** The surface's own ids, available later as `turn.ref`. They never change. At most 4,096 characters as JSON. */
  ref?: Readonly<Record<string, unknown>> | undefined;
  /**
   * How long the log can be read after the turn has ended, in milliseconds.
   * @default 0
   */
  keepMs?: number | undefined;
  /**
   * How long the user may take to answer, in milliseconds. A question can override it.
   * @default the runtime's `expiresInMs`
   */
  expiresInMs?: number | undefined;
  /**
   * How long the user may take with more time, in milliseconds, if that is less than `maxExpiresInMs` of the runtime's
   * `timeToAnswer`. `0`: they cannot get more, because the client waits no longer.
   */
  maxExpiresInMs?: number | undefined;
  /** The origin of the chat page, already checked. A hosted page may post messages to it. */
  chatOrigin?: string | undefined;
  /** The URL to which a hosted page should return the user. */
  returnUrl?: string | undefined;
  /**
   * Additional data from the client, for `turn.body`: plain data that a durable runner stores.
   * @default {}
   */
  body?: Readonly<Record<string, unknown>> | undefined;
  /** The user's languages as BCP 47 tags, best first. */
  languages?: readonly string[] | undefined;
  /**
   * Whether the client can be asked only over the connection that started the turn. Such a turn stays in its process, and
   * ends if the process crashes.
   * @default false
   */
  connectionBound?: boolean | undefined;
  /**
   * The key for the limits of the runtime (`limits.writesPerMinute`, `limits.turns`), such as an address.
   * @default the user; without a user there is no limit per sender
   */
  limitKey?: string | undefined;
}

/** Why no turn was started. `retryAfter` is in seconds. */
export type Refusal =
  /** The runtime is shutting down. */
  | { readonly refused: "closed"; readonly retryAfter: number }
  /** `of` names the limit: that of the sender, or that of the server. */
  | { readonly refused: "limit"; readonly of: ReachedLimit; readonly retryAfter: number }
  /** A turn is open in the conversation, and `ifOpen` is `refuse`. */
  | { readonly refused: "busy"; readonly turnId: string };

/** An answer from a surface. */
export type SurfaceAnswer = ElicitationResponse & {
  /**
   * The meaning of an accept in the surface's protocol. `consent`: the user agreed to open the page, and the request ends
   * later, when they have finished there.
   * @default `acceptMeans` of the request
   */
  acceptMeans?: "consent" | undefined;
  /**
   * Identifies the client's message, if it may arrive twice. The record that it ends keeps this id, so any process can
   * tell that the message was taken.
   */
  answerId?: string | undefined;
};

/** Nothing was done, because the user has made too many writes. `retryAfter` is in seconds. */
export type SurfaceLimited = { readonly kind: "limited"; readonly retryAfter: number };

/** The result of one answer. */
export type SurfaceAnswerResult = AnswerResult | SurfaceLimited;

/** A turn of a surface. It may run in another process. */
export interface SurfaceTurn {
  readonly id: string;
  readonly conversationId: string;
  /** The `ref` that was passed to `start`. */
  readonly ref: Readonly<Record<string, unknown>>;
  /** Whether the turn had ended when it was found. */
  readonly ended: boolean;
  /** When the last entry of its log was written, in milliseconds since the epoch. Only set for a turn of `list`. */
  readonly at?: number | undefined;
  /**
   * Reads the turn's log: chunks of a UI message stream, including requests and their outcomes. `seq` of an entry is the
   * cursor for `after`. With `live`, reads until the turn ends. Without it, stops at the last stored entry. Aborting
   * `signal` ends only the reading.
   */
  read(options: {
    after?: number | undefined;
    live: boolean;
    signal: AbortSignal;
  }): AsyncIterable<TurnStreamEntry>;
  /** The open requests, oldest first. Unlike the log, this is the current state. */
  open(): Promise<readonly ElicitationRequest[]>;
  /**
   * Handles answers of the user, in order. Each counts as one write (`limits.writesPerMinute`). The result for a request of
   * another turn is `unknown`.
   */
  answer(answers: readonly SurfaceAnswer[]): Promise<readonly SurfaceAnswerResult[]>;
  /**
   * Gives a form to another user or group, or with `to: undefined` back to the user of the turn. Counts as one write. The
   * rule `assign` of `createRuntime` decides whether they may.
   */
  assign(elicitationId: string, to: Assignee | undefined): Promise<AssignResult | SurfaceLimited>;
  /** To whom the user may give a form that they decide. */
  assignees(elicitationId: string): Promise<AssigneeList["assignees"]>;
  /** Sends the notice of a form again, to those for whom it waits. Counts as one write. */
  remind(elicitationId: string): Promise<RemindResult | SurfaceLimited>;
  /** Gives the user more time for a request. Counts as one write. */
  extend(elicitationId: string): Promise<ExtendResult | SurfaceLimited>;
  /**
   * Counts an invalid answer in the record of the request, and shows `problem` beside it. After the third one the request
   * ends as `failed`. Returns how many attempts are left, or `undefined` if the request is not open.
   */
  rejectAnswer(elicitationId: string, problem: string): Promise<number | undefined>;
  /** Ends an open request as `failed`, because its client cannot be asked. `reason` is for the model. */
  failRequest(elicitationId: string, reason: string): Promise<void>;
  /**
   * The outcome of a request of this turn, with the content of an accepted form. `undefined` while it is open. Waiters
   * keep content for about ten minutes, so abort `signal` when you have waited long enough. It then rejects.
   */
  settlement(elicitationId: string, options: { signal: AbortSignal }): Promise<Settlement | undefined>;
  /** Withdraws the requests of the turn and aborts it, in any process. Resolves at its end, or after ten seconds. */
  stop(reason: string): Promise<void>;
}

/** The content of a form. */
export type AskedForm = Pick<FormElicitationRequest, "message" | "requestedSchema">;

/** Options for a surface whose clients hold no connection. */
export interface SurfaceOptions {
  /**
   * Delivers the turn to clients without a connection, until it ends. Called in the process that runs the turn, and
   * called again if the turn runs again, so it must be idempotent. Rejections are passed to `onError`.
   */
  deliver?: ((turn: SurfaceTurn) => Promise<void>) | undefined;
  /**
   * Why clients of this surface must not show a form, for a turn with `supports.secrets: false`. The question then fails
   * with this reason. Called in the process that runs the turn, before the user is asked.
   */
  refuseForm?: ((form: AskedForm) => string | undefined) | undefined;
  /**
   * Whether users of this surface read for whom a request waits (`assignee`). Only then another user can decide a request
   * that came through it.
   * @default false
   */
  showsAssignee?: boolean | undefined;
  /**
   * The address of the surface, if there is only one. A surface of the same kind at another address is refused, because
   * clients would find each other's turns.
   */
  url?: string | undefined;
}

/**
 * Loads the UI messages for the agent, for surfaces whose clients send only the new message: the earlier messages of the
 * conversation, followed by `message`.
 */
export type LoadMessages = (input: {
  /** Absent for a service account that acts for many users. */
  readonly user: User | undefined;
  /** The id as the client knows it. The client chooses it, so load only messages that belong to `user`. */
  readonly conversationId: string;
  /** The new message. */
  readonly message: TextMessage;
}) => readonly unknown[] | Promise<readonly unknown[]>;

/** The input of a turn. Plain data: a runner may store it and run the turn again in another process. */
export interface TurnInput extends Omit<TurnStart, "startId" | "ifOpen" | "keepMs" | "limitKey"> {
  readonly surface: string;
}

/** Ends a turn, in any process. */
type StopTurn = (turn: TurnKey, reason: string) => Promise<void>;

/** The turns of all surfaces, and the functions of each kind of surface. */
export interface SurfaceTurns {
  /** Adds a kind of surface. */
  add(kind: string, options: SurfaceOptions): void;
  /** `lost` aborts when this process no longer runs the turn that it delivers. */
  turnOf(
    key: TurnKey & { readonly ended?: boolean; readonly at?: number },
    user: User | undefined,
    stop: StopTurn,
    lost?: AbortSignal,
  ): SurfaceTurn;
  /** Calls `refuseForm` of the surface. */
  refuseForm(kind: string, form: AskedForm): string | undefined;
  /** `showsAssignee` of the surface. */
  showsAssignee(kind: string): boolean;
  /** Calls `deliver` of the surface, in the process that runs the turn. Returns `undefined` if it has none. */
  deliver(id: string, input: TurnInput, lost: AbortSignal, stop: StopTurn): Promise<void> | undefined;
}
