import type {
  ElicitationContent,
  ElicitationRequest,
  RequestedSchema,
  UrlElicitationRequest,
} from "../../../protocol/contract.ts";
import type { StreamChunk, ToolRef, TurnRunner, User } from "../ports.ts";

interface QuestionBase {
  /** Why the person is asked. Plain text. */
  message: string;
  /** What asks. After a no, a dismissal or an expiry the same tool gets that result again in this turn, unasked. */
  tool?: ToolRef | undefined;
  /** Links the card to its tool part. */
  toolCallId?: string | undefined;
  requester?: ElicitationRequest["requester"];
  context?: ElicitationRequest["context"];
  round?: ElicitationRequest["round"];
  /**
   * How long the person may take.
   * @default the runtime's `expiresInMs`
   */
  expiresInMs?: number | undefined;
  /**
   * The id of the request, for a turn that is run again after a crash and must find the answer it already has.
   * @default 128 bits from a CSPRNG
   */
  elicitationId?: string | undefined;
  /** Withdraws the request when it aborts. The end of the turn does so anyway. */
  signal?: AbortSignal | undefined;
}

/** Asks the person to do something on a web page, such as connecting an account. */
export interface UrlQuestion extends QuestionBase {
  mode: "url";
  /** Absolute URL, or what makes one of the elicitation's id. */
  url: string | ((elicitationId: string) => string);
  /**
   * What the person's accept stands for. `completion`: only the server's own word ends the request
   * (`elicitations.complete`, a credential that is there). `consent`: the person agrees to open the page; completion
   * follows.
   * @default "completion"
   */
  acceptMeans?: UrlElicitationRequest["acceptMeans"];
}

/** Asks the person for a few facts. */
export interface FormQuestion extends QuestionBase {
  mode: "form";
  requestedSchema: RequestedSchema;
  /** What is taken as the answer when nobody can be asked. */
  fallback?: ElicitationContent | undefined;
}

/**
 * What a tool asks: the part of a request that is the asker's to say. The runtime adds id, round and expiry.
 */
export type Question = UrlQuestion | FormQuestion;

/** How asking ended, for the one who asked. None of these is an error. */
export type ElicitationResult =
  /** `content` is empty for a URL request, and never carries what the person left untouched. */
  | { readonly outcome: "accepted"; readonly content: ElicitationContent }
  | { readonly outcome: "declined" }
  | { readonly outcome: "cancelled" }
  | { readonly outcome: "withdrawn" }
  | { readonly outcome: "expired"; readonly afterMs: number }
  | { readonly outcome: "failed"; readonly reason: string }
  /** This chat cannot show such a request, or nobody is signed in. Nothing was asked. */
  | { readonly outcome: "unsupported" };

/** Which modes can be asked for in this turn. */
export type SupportedModes = Readonly<Record<"url" | "form", boolean>>;

/** One run of an agent: what {@link RunTurn} gets to work with. */
export interface Turn {
  readonly id: string;
  /** The turn whose stream the person reads: this one, or the one that has delegated. What events are published by. */
  readonly streamRequestId: string;
  readonly conversationId: string;
  /** Absent for an anonymous chat: nothing can be asked then. */
  readonly user?: User | undefined;
  /** UI messages as the client sent them. Not checked. */
  readonly messages: readonly unknown[];
  /** Aborts when the person stops the turn, starts another one in this conversation, or the server shuts down. */
  readonly signal: AbortSignal;
  readonly supports: SupportedModes;
  /**
   * Asks the person and waits. May be called many times, in parallel too; two questions for the same connection share
   * one card. Never rejects: see {@link ElicitationResult}.
   */
  ask(question: Question): Promise<ElicitationResult>;
  /**
   * A turn for an agent that this one has delegated to, at any depth. It asks the same person on the same stream, and
   * what the person has refused stays refused. Its own chunks go to whoever runs it.
   */
  delegate(input: DelegateInput): Turn;
  /**
   * What runs this turn. An effect that must not happen twice, such as a booking, belongs into a `step` of it, for the
   * day when an engine runs turns again whose process has died. The default only calls.
   */
  readonly runner: Pick<TurnRunner, "tool" | "step" | "model">;
}

/** What another agent gets to work on, inside of this turn. */
export interface DelegateInput {
  /**
   * Names the delegation, once in this turn, and the same when the turn runs again: the id of the tool call that
   * delegates. The calls of the delegated agent are recorded by it.
   */
  id: string;
  /** UI messages for the other agent. */
  messages: readonly unknown[];
  /** Aborts the delegated turn and withdraws what it has asked. The end of the turn above does so anyway. */
  signal?: AbortSignal | undefined;
}

/**
 * The agent: answers one turn with the chunks of a UI message stream, `start` to `finish`. What it throws ends the turn
 * with an `error` chunk that does not carry the message.
 */
export type RunTurn = (
  turn: Turn,
) =>
  | AsyncIterable<StreamChunk>
  | ReadableStream<StreamChunk>
  | Promise<AsyncIterable<StreamChunk> | ReadableStream<StreamChunk>>;
