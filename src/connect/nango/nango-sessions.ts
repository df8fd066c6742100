import type { ElicitationRecord, ElicitationService } from "../../runtime/internal.ts";
import type { NangoClient } from "./nango.ts";

const MAX_SESSIONS = 10_000;

/**
 * Nango sessions of open requests. A session is a bearer token, so it is ended as soon as it is not needed, at the latest
 * with its request.
 */
export interface NangoSessions {
  /** Starts a session and ends an earlier one of the same request. Returns the token. */
  start(client: NangoClient, record: ElicitationRecord): Promise<string>;
  end(elicitationId: string): Promise<void>;
}

export function createNangoSessions(
  { onEnd }: Pick<ElicitationService, "onEnd">,
  onError: (error: unknown) => void,
): NangoSessions {
  const open = new Map<string, { end: () => Promise<void> }>();

  async function end(elicitationId: string): Promise<void> {
    await open.get(elicitationId)?.end();
  }

  function add(client: NangoClient, token: string, record: ElicitationRecord): void {
    const { elicitationId } = record.request;
    let ended: Promise<void> | undefined;
    const session = {
      end() {
        stopListening();
        // If this fails, the session expires by itself, half an hour after its start.
        ended ??= client
          .endSession(token)
          .catch(onError)
          .finally(() => {
            if (open.get(elicitationId) === session) open.delete(elicitationId);
          });
        return ended;
      },
    };
    const stopListening = onEnd(record, () => {
      session.end().catch(onError);
    });
    open.set(elicitationId, session);
  }

  return {
    end,
    async start(client, record) {
      const { request, user } = record;
      const token = await client.startSession({ elicitationId: request.elicitationId, userId: user.id });
      const previous = open.get(request.elicitationId);
      add(client, token, record);
      await previous?.end();
      for (const [oldest] of open) {
        if (open.size <= MAX_SESSIONS) break;
        await end(oldest);
      }
      return token;
    },
  };
}
