import type { NangoClient } from "./nango.ts";

const MAX_SESSIONS = 10_000;

/** Nango sessions of requests that are open. A session is a bearer token: it is ended as soon as it is not needed. */
export interface NangoSessions {
  /** Starts one, in place of an earlier one of the same request. */
  start(client: NangoClient, owner: { elicitationId: string; userId: string }): Promise<string>;
  end(elicitationId: string): Promise<void>;
}

export function createNangoSessions(onError: (error: unknown) => void): NangoSessions {
  const open = new Map<string, { client: NangoClient; token: string }>();

  async function end(elicitationId: string): Promise<void> {
    const session = open.get(elicitationId);
    open.delete(elicitationId);
    // One that cannot be ended ends by itself, half an hour after its start.
    await session?.client.endSession(session.token).catch(onError);
  }

  return {
    end,
    async start(client, owner) {
      await end(owner.elicitationId);
      const token = await client.startSession(owner);
      open.set(owner.elicitationId, { client, token });
      for (const [oldest] of open) {
        if (open.size <= MAX_SESSIONS) break;
        await end(oldest);
      }
      return token;
    },
  };
}
