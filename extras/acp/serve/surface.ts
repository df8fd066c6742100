import {
  type AgentApp,
  type AgentContext,
  PROTOCOL_VERSION,
  RequestError,
  agent,
} from "@agentclientprotocol/sdk";
import type { Runtime, User } from "../../../src/runtime/index.ts";
import { type SupportedModes, refuseSecrets, supportsOf } from "../../../src/runtime/internal.ts";
import { type Clock, systemClock } from "../../../src/base/clock.ts";
import { createPeerErrors } from "../../../src/base/peer-errors.ts";
import { newId } from "../../../src/base/ids.ts";
import { safeLog } from "../../../src/base/foreign-error.ts";
import { supportedByClient } from "../wire/translate.ts";
import type { AcpApproval } from "./permissions.ts";
import { type EndedPrompt, busyError, runPrompt } from "./prompt-turn.ts";
import { reached } from "./client-requests.ts";
import { partsOf, replayOf } from "./session-updates.ts";
import {
  type AcpMessage,
  type AcpSession,
  type AcpSessionStore,
  createMemoryAcpSessions,
} from "./sessions.ts";
import { KitError } from "../../../src/contract/kit-error.ts";

/** The options of {@link createAcpSurface}. */
export interface AcpSurfaceOptions {
  runtime: Pick<Runtime, "surface" | "subscribe" | "elicitations">;
  /** The name of the agent, for programs. */
  name: string;
  /** The name of the agent for users. @default name */
  title?: string | undefined;
  /** @default "1.0.0" */
  version?: string | undefined;
  /**
   * Keeps sessions for `session/load`.
   * @default createMemoryAcpSessions()
   */
  sessions?: AcpSessionStore | undefined;
  /**
   * Called with users' decisions on tool calls. With it, `runtime.publishApproval` sends `session/request_permission` to
   * the client.
   */
  onApproval?: ((approval: AcpApproval) => void | Promise<void>) | undefined;
  /** Called with internal errors, for the log. Clients get no details. */
  onError: (error: unknown) => void;
  /**
   * The kind of the surface, which `runTurn` gets as `turn.surface`. Use a different kind for each ACP surface of a
   * runtime. @default "acp"
   */
  kind?: string | undefined;
  /** @default systemClock */
  clock?: Clock | undefined;
}

/** The ACP surface of an agent. Create one for each runtime. */
export interface AcpSurface {
  /**
   * Creates the agent for one connection, for `connect` of the SDK. `user` is the user at its other end, whom you have
   * authenticated: over stdio the owner of the process, over WebSocket the sender of the upgrade request. Without a user
   * the agent asks no questions, and the limits of the runtime apply to the connection.
   */
  agentFor(user: User | undefined): AgentApp;
}

const NONE: SupportedModes = { form: false, url: false };

/**
 * Lets ACP v1 clients (editors, terminals, web pages) reach the agent of a runtime. Each `session/prompt` is a turn. The
 * client gets its questions as `elicitation/create`, if it has declared the mode.
 *
 * @example
 * const acp = createAcpSurface({ runtime, name: "coder", onError: console.error });
 * acp.agentFor({ id: userInfo().username }).connect(ndJsonStream(output, input));
 */
export function createAcpSurface(options: AcpSurfaceOptions): AcpSurface {
  const { runtime, name, title = name, version = "1.0.0", onApproval, clock = systemClock } = options;
  const onError = safeLog(options.onError);
  const { guard } = createPeerErrors({
    isOfProtocol: (error) => error instanceof RequestError,
    internal: () => RequestError.internalError({ reason: "The agent failed to handle the request." }),
    onError,
  });
  const { sessions = createMemoryAcpSessions() } = options;
  const surface = runtime.surface(options.kind ?? "acp", { refuseForm: refuseSecrets });

  const { linkFor } = runtime.elicitations;
  const hasAnswerPage = linkFor(newId()) !== undefined;

  function agentFor(user: User | undefined): AgentApp {
    const limitKey = user === undefined ? `connection ${newId()}` : undefined;
    let declared = NONE;
    let isConnected = false;
    const prompts = new Map<string, AbortController>();

    async function sessionOf(sessionId: string): Promise<AcpSession> {
      const session = await sessions.get(sessionId);
      if (session === undefined || session.userId !== user?.id) throw RequestError.sessionNotFound(sessionId);
      return session;
    }

    async function prompt(
      session: AcpSession,
      parts: AcpMessage["parts"],
      { client, signal }: { client: AgentContext; signal: AbortSignal },
    ): Promise<{ stopReason: EndedPrompt["stopReason"] }> {
      const { sessionId } = session;
      const promptId = newId();
      const messages = [...session.messages, { id: `user-${promptId}`, role: "user" as const, parts }];
      const { stopReason, texts } = await runPrompt({
        surface,
        runtime,
        client,
        user,
        limitKey,
        sessionId,
        messages,
        declared,
        linkFor,
        supports: supportsOf(declared, { hasAnswerPage }),
        signal,
        onApproval,
        clock,
        onError,
      });
      const reply = replyOf(promptId, texts);
      await sessions.set({ ...session, messages: reply === undefined ? messages : [...messages, reply] });
      return { stopReason };
    }

    return agent({ name })
      .onConnect(({ closed }) => {
        if (isConnected) {
          throw new KitError(
            "elicit-kit: this ACP agent is already connected. Call agentFor for each connection, since each has its own user and capabilities.",
          );
        }
        isConnected = true;
        void closed.then(() => (isConnected = false));
      })
      .onRequest("initialize", ({ params }) => {
        declared = supportedByClient(params.clientCapabilities);
        return {
          protocolVersion: PROTOCOL_VERSION,
          agentCapabilities: {
            loadSession: true,
            promptCapabilities: { image: true, embeddedContext: true },
          },
          agentInfo: { name, title, version },
          authMethods: [],
        };
      })
      .onRequest("session/new", () =>
        guard(async () => {
          const sessionId = newId();
          await sessions.set({ sessionId, userId: user?.id, messages: [] });
          return { sessionId };
        }),
      )
      .onRequest("session/load", ({ params: { sessionId }, client }) =>
        guard(async () => {
          const { messages } = await sessionOf(sessionId);
          for (const update of messages.flatMap(replayOf)) {
            await reached(client.notify("session/update", { sessionId, update }));
          }
          return {};
        }),
      )
      .onNotification("session/cancel", ({ params }) => prompts.get(params.sessionId)?.abort())
      .onRequest("session/prompt", ({ params: { sessionId, prompt: blocks }, client, signal }) =>
        guard(async () => {
          if (prompts.has(sessionId)) throw busyError();
          const cancel = new AbortController();
          // The client may cancel while the session is being read.
          prompts.set(sessionId, cancel);
          try {
            const session = await sessionOf(sessionId);
            const parts = partsOf(blocks);
            if (parts === undefined)
              throw RequestError.invalidParams({ reason: "prompt: unknown kind of content" });
            const either = AbortSignal.any([signal, cancel.signal]);
            return await prompt(session, parts, { client, signal: either });
          } finally {
            prompts.delete(sessionId);
          }
        }),
      );
  }

  return { agentFor };
}

function replyOf(promptId: string, texts: readonly string[]): AcpMessage | undefined {
  if (texts.length === 0) return undefined;
  return { id: `chat-${promptId}`, role: "assistant", parts: texts.map((text) => ({ type: "text", text })) };
}
