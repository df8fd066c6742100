import type { ElicitationResult, Question, SupportedModes } from "../elicitation/question.ts";
import type { StreamChunk, TurnRunner, User } from "../ports.ts";

/** One run of an agent: what {@link RunTurn} gets to work with. */
export interface Turn {
  readonly id: string;
  /** The turn whose stream the person reads: this one, or the one that has delegated. What events are published by. */
  readonly streamRequestId: string;
  /** Kind of the surface that the person uses: `chat`, `openai`, or one of {@link Runtime.surface}. */
  readonly surface: string;
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
   * Asks several things at once. Those that get a card are one round (`request.round`): the chat sends their answers
   * together. The results stand in the order of the questions. Never rejects.
   */
  askRound(questions: readonly Question[]): Promise<readonly ElicitationResult[]>;
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
 * The agent: answers one turn with the chunks of a UI message stream, `start` to `finish`. A `finish` that it leaves out
 * is added. What it throws ends the turn with an `error` chunk that does not carry the message.
 */
export type RunTurn = (
  turn: Turn,
) =>
  | AsyncIterable<StreamChunk>
  | ReadableStream<StreamChunk>
  | Promise<AsyncIterable<StreamChunk> | ReadableStream<StreamChunk>>;
