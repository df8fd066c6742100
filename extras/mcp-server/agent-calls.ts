import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ElicitationRequest } from "../../src/contract/contract.ts";
import type { Runtime, User } from "../../src/runtime/index.ts";
import {
  type LoadMessages,
  type Refusal,
  type Surface,
  type SurfaceTurn,
  supportsOf,
} from "../../src/runtime/internal.ts";
import type { Clock } from "../../src/base/clock.ts";
import { limitKeyOf } from "../../src/base/identity.ts";
import { textMessage } from "../../src/contract/message-parts.ts";
import { newId } from "../../src/base/ids.ts";
import type { CardRun } from "./app/card-run.ts";
import type { Presenting } from "./presentation.ts";

/** The state that both ways of serving a call share. */
export interface AgentCalls {
  readonly surface: Surface;
  /** `linkFor` returns the answer page of a request, if the operator has one. */
  readonly elicitations: Pick<Runtime["elicitations"], "get" | "linkFor">;
  readonly toolName: string;
  readonly messagesFor: LoadMessages;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** One call of the tool. */
export interface AgentCall extends Presenting {
  readonly caller: McpCaller;
  readonly message: string | undefined;
  readonly conversationId: string | undefined;
  readonly signal: AbortSignal;
  /** Set when a card replaces the client's own form. */
  readonly card?: CardRun | undefined;
  /** Sends progress to the client, if it asked for progress. */
  progress(message: string): void;
}

/** A turn that a call belongs to, and the conversation as the client knows it. */
export interface JoinedTurn {
  readonly turn: SurfaceTurn;
  readonly conversationId: string;
}

/** How long a turn can be found after its end, and how long a state can be opened after its requests have expired. */
export const KEEP_MS = 15 * 60_000;

export async function startTurn(
  calls: AgentCalls,
  { caller, message = "", conversationId = newId(), modes }: AgentCall,
  { connectionBound = false }: { connectionBound?: boolean } = {},
): Promise<JoinedTurn | CallToolResult> {
  const { user } = caller;
  const messages = await calls.messagesFor({
    user,
    conversationId,
    message: textMessage("user", newId(), message),
  });
  const turn = await calls.surface.start({
    user,
    conversationId: conversationKey(caller, conversationId),
    messages,
    supports: supportsOf(modes, { hasAnswerPage: calls.elicitations.linkFor("any") !== undefined }),
    ref: { conversationId, startedAt: new Date(calls.clock.now()).toISOString() },
    keepMs: KEEP_MS,
    // A client has the time limit from the question, and cannot change it.
    maxExpiresInMs: 0,
    connectionBound,
    limitKey: limitKeyOf(caller),
  });
  return "refused" in turn ? refusedResult(turn) : { turn, conversationId };
}

/** Finds the turn that a call without a message continues. */
export async function findTurn(
  { surface }: AgentCalls,
  { user, clientId }: McpCaller,
  where: { conversationId: string } | { turnId: string },
): Promise<JoinedTurn | undefined> {
  if (user === undefined) return undefined;
  const turn = await surface.find(
    user,
    "turnId" in where ? where : { conversationId: conversationKey({ clientId }, where.conversationId) },
  );
  const conversationId = turn?.ref["conversationId"];
  if (turn === undefined || typeof conversationId !== "string") return undefined;
  if (turn.conversationId !== conversationKey({ clientId }, conversationId)) return undefined;
  return { turn, conversationId };
}

/** The conversation's id in the runtime. Its own part has no colon, so two clients cannot share a conversation. */
function conversationKey({ clientId = "" }: Pick<McpCaller, "clientId">, conversationId: string): string {
  return `${clientId}:${conversationId}`;
}

function refusedResult(refusal: Refusal): CallToolResult {
  if (refusal.refused === "busy")
    return errorResult("Another message of this conversation is being answered.");
  const what = refusal.refused === "closed" ? "The agent is restarting." : "Too many messages at once.";
  return errorResult(`${what} Try again in ${refusal.retryAfter} seconds.`);
}

export function errorResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

/** The turn is lost: its process has crashed, or its log is no longer kept. */
export function lostResult(toolName: string): CallToolResult {
  return errorResult(
    `The turn that waited for the user no longer exists, and nothing of it is left to continue. Call ${toolName} again with the message.`,
  );
}

/** The client cannot show the requests, so its model gets links for the user. */
export function linkResult(
  toolName: string,
  conversationId: string,
  asked: readonly { request: ElicitationRequest; url: string }[],
): CallToolResult {
  const links = asked.map(({ request, url }) => `- ${JSON.stringify(request.message)}: ${url}`);
  const text = [
    "The agent needs the user before it can go on. Give the user each link, and say what it is for:",
    ...links,
    `When the user has finished there, call ${toolName} again with only conversationId ${JSON.stringify(conversationId)}.`,
  ].join("\n");
  const urls = asked.map(({ request: { elicitationId, message }, url }) => ({ elicitationId, message, url }));
  return {
    content: [{ type: "text", text }],
    structuredContent: { conversationId, waitingFor: urls },
  };
}

/** The sender of an HTTP request, as the operator's `authenticate` returns it. */
export interface McpCaller {
  /** The user. Leave it out for a service account that acts for many users. The agent then asks no questions. */
  readonly user?: User | undefined;
  /**
   * The client that the token was issued to. Conversations and rounds belong to one client of one user. The limits of the
   * runtime (`limits.writesPerMinute`, `limits.turns`) identify a service account by this id. Without it, they do not
   * apply to a service account.
   */
  readonly clientId?: string | undefined;
}

/** Identifies the caller in one string, for comparisons. */
export function callerKey({ user, clientId }: McpCaller): string {
  return JSON.stringify([user?.id ?? null, clientId ?? null]);
}
