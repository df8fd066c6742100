/** One message of a session, as a UI message. */
export interface AcpMessage {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly parts: readonly (
    | { readonly type: "text"; readonly text: string }
    | { readonly type: "file"; readonly mediaType: string; readonly url: string }
  )[];
}

/** One ACP session. Plain data. */
export interface AcpSession {
  readonly sessionId: string;
  /** Only this user can load the session. `undefined`: it was opened without a user. */
  readonly userId: string | undefined;
  readonly messages: readonly AcpMessage[];
}

/** The store of sessions. It lets a client load a session again after its connection was lost. */
export interface AcpSessionStore {
  get(sessionId: string): Promise<AcpSession | undefined>;
  /** Stores the session, replacing the stored one with its id. */
  set(session: AcpSession): Promise<void>;
}

/** Options of {@link createMemoryAcpSessions}. */
export interface MemoryAcpSessionsOptions {
  /** How many sessions are kept. Beyond that, the least recently changed session is removed. @default 1000 */
  max?: number | undefined;
}

/** Keeps sessions in this process. The default of `createAcpSurface`. */
export function createMemoryAcpSessions({ max = 1000 }: MemoryAcpSessionsOptions = {}): AcpSessionStore {
  const sessions = new Map<string, AcpSession>();
  return {
    get: async (sessionId) => sessions.get(sessionId),
    async set(session) {
      sessions.delete(session.sessionId);
      sessions.set(session.sessionId, session);
      for (const oldest of sessions.keys()) {
        if (sessions.size <= max) return;
        sessions.delete(oldest);
      }
    },
  };
}
