import type { RouteChat } from "./http/read-chat.ts";
import type { ElicitationService } from "./request/elicitations.ts";
import type { ElicitationResult, Question, TurnScope } from "./ask/question.ts";
import type { RequestEvent } from "./request/record-notifier.ts";
import type { Surface, SurfaceOptions } from "./turn/surface.ts";
import type { ToolApprovalEvent } from "./turn/turn-writer.ts";

/** An event of a turn's requests or approvals. */
export type TurnEvent = RequestEvent | ToolApprovalEvent;

/** A server of the contract, to mount in your own server. Created by `createRuntime`. */
export interface Runtime {
  /** Serves the routes of the contract under `basePath`. All other paths get 404. */
  fetch: (request: Request) => Promise<Response>;
  /** For the hosted page and other server code that ends requests. */
  elicitations: ElicitationService;
  /**
   * Reads a chat message for your own route, with the checks of the chat route: identity, origin, rate, size and format.
   * If it returns a `Response`, send it as your reply: it is a refusal, or the result of answers in the message.
   */
  readChat(request: Request): Promise<RouteChat | Response>;
  /**
   * Asks from your own route and waits (see `createRouteElicitor` of `elicit-kit/agent`). {@link Runtime.subscribe}
   * to `scope.turnId` for the request and its progress. Rejects if the request cannot be created.
   */
  ask(scope: TurnScope, question: Question): Promise<ElicitationResult>;
  /**
   * Adds another protocol through which users reach the agent, under a name of your choice. Its clients show the requests
   * of its turns. Call it right after `createRuntime`, before a durable runner runs turns again.
   */
  surface(kind: string, options?: SurfaceOptions): Surface;
  /**
   * Subscribes to the requests of a turn, in the process that runs it: each request, its progress and its end, and the
   * approvals of {@link Runtime.publishApproval}. `turnId` is `turn.streamRequestId`, or the `turnId` of
   * {@link Runtime.ask}. Errors of listeners go to `onError`. Returns a function that ends the subscription.
   */
  subscribe(turnId: string, listener: (event: TurnEvent) => void): () => void;
  /**
   * Writes to a turn's stream, as the AI SDK's own chunks, that a tool call needs approval, or that it was decided. The
   * application itself asks for the approval and decides.
   */
  publishApproval(turnId: string, event: ToolApprovalEvent): void;
  /**
   * Withdraws open requests, aborts running turns, ends the streams of the inbox, and closes the agent. Resolves when all
   * have ended. From then on, messages are refused (503) and no new questions are asked. Answers and reads of requests
   * are still served.
   */
  close(): Promise<void>;
}
