import type { ElicitationResult, Question, SupportedModes } from "../ask/question.ts";
import type { User } from "../../base/identity.ts";
import type { StreamChunk, TurnRecorder } from "../ports/index.ts";
import type { ToolApprovalEvent } from "./turn-writer.ts";
import { type Background, BackgroundWork, type BackgroundOptions } from "./background.ts";

/** One run of the agent for one message. The argument of {@link RunTurn}. */
export interface Turn {
  readonly id: string;
  /**
   * The id of the turn whose stream the user reads: this turn, or the one that delegated. Events are published under it.
   */
  readonly streamRequestId: string;
  /** Kind of the surface that the user chats through: `chat`, `openai`, or one of {@link Runtime.surface}. */
  readonly surface: string;
  readonly conversationId: string;
  /** Absent for an anonymous chat. The agent then cannot ask. */
  readonly user?: User | undefined;
  /** UI messages from the client, not validated. */
  readonly messages: readonly unknown[];
  /** Aborts when the user stops the turn or sends a new message in this conversation, or when the server shuts down. */
  readonly signal: AbortSignal;
  readonly supports: SupportedModes;
  /**
   * The user's languages as BCP 47 tags, best first: from the chat's `Accept-Language`, or from the surface. Empty if they
   * are unknown.
   */
  readonly languages: readonly string[];
  /**
   * Additional members of the chat's HTTP request, such as the `body` option of `useElicitation`: plain data, not
   * validated. It is untrusted: use it to choose among your models or modes, not as a model name. A durable runner stores
   * it, so it must not contain tokens. It is empty on other surfaces than the chat route. Delegated turns have it too.
   */
  readonly body: Readonly<Record<string, unknown>>;
  /**
   * Asks the user and waits for the result. May be called many times, also in parallel. Two questions for the same
   * connection share one card. Rejects only with `ElicitorError`, if the question needs a `key`: see
   * {@link ElicitationResult}.
   */
  ask(question: Question): Promise<ElicitationResult>;
  /**
   * Asks several questions at once. Those that get a card form one round (`request.round`), and the chat sends their
   * answers together. Results are in the order of the questions. Rejects only with `ElicitorError`, like `ask`.
   */
  askRound(questions: readonly Question[]): Promise<readonly ElicitationResult[]>;
  /**
   * Writes to the stream that a tool call needs approval, or that it was decided, and notifies subscribers: see {@link
   * Runtime.publishApproval}. A permission is not an elicitation: no question is asked, and the application decides.
   */
  publishApproval(event: ToolApprovalEvent): void;
  /**
   * The tool calls that continue while the agent does other work: {@link Elicitor.later}. An agent with a loop of its own
   * calls `background.next()` when its model has nothing else to do.
   */
  readonly background: Background;
  /**
   * Creates a turn for an agent that this turn delegates to, at any depth. It asks the same user on the same stream, and
   * refusals apply to it too. Its chunks are not written to the stream: the delegating agent consumes them.
   */
  delegate(input: DelegateInput): Turn;
  /**
   * Runs the steps of this turn. Wrap an effect that must not happen twice, such as a booking, in a `step`: a durable
   * engine runs a turn again after a crash. Wrap work that needs an open connection in `hold`. The default runner only
   * calls the functions.
   */
  readonly runner: Pick<TurnRecorder, "tool" | "step" | "model" | "hold" | "bind">;
}

/** The input of {@link Turn.delegate}. */
export interface DelegateInput {
  /**
   * Id of the delegation: unique in this turn and the same when the turn runs again, such as the id of the tool call that
   * delegates. The calls of the delegated agent are recorded under this id.
   */
  id: string;
  /** UI messages for the other agent. */
  messages: readonly unknown[];
  /** Aborts the delegated turn and withdraws its requests. The end of the parent turn always does that. */
  signal?: AbortSignal | undefined;
}

/**
 * The agent: returns the chunks of a UI message stream for one turn, from `start` to `finish`. A missing `finish` is
 * added. If it throws, the turn ends with an `error` chunk that does not contain the error's message.
 */
export interface RunTurn {
  (
    turn: Turn,
  ):
    | AsyncIterable<StreamChunk>
    | ReadableStream<StreamChunk>
    | Promise<AsyncIterable<StreamChunk> | ReadableStream<StreamChunk>>;
  /**
   * The version of the agent, for example the commit. During a deployment, a turn is left to processes of its own
   * version.
   */
  readonly version?: string | undefined;
  /**
   * Releases the resources that the agent keeps between turns. Called by `runtime.close()`, after the last turn has
   * ended.
   */
  close?(): Promise<void>;
}

/**
 * Adds `delegate` to a turn. A delegated turn inherits everything except the messages, and is aborted with its parent.
 * The caller provides its id. A counter would not be stable: when a turn runs again, recorded calls do not delegate
 * again.
 */
export function withDelegation(
  parent: Omit<Turn, "delegate">,
  work: Pick<BackgroundOptions, "recorder" | "onError">,
): Turn {
  return {
    ...parent,
    delegate({ id, messages, signal: delegated }) {
      const signal = delegated === undefined ? parent.signal : AbortSignal.any([parent.signal, delegated]);
      const within = (question: Question): Question => ({
        ...question,
        signal: question.signal === undefined ? signal : AbortSignal.any([signal, question.signal]),
      });
      const turnId = `${parent.id}.${id}`;
      return withDelegation(
        {
          ...parent,
          id: turnId,
          messages,
          signal,
          ask: (question) => parent.ask(within(question)),
          askRound: (questions) => parent.askRound(questions.map(within)),
          background: new BackgroundWork({ ...work, id: turnId, signal, write: undefined }),
        },
        work,
      );
    },
  };
}
