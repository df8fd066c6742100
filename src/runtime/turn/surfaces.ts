import type { ElicitationService } from "../request/elicitation-service.ts";
import type { TurnKey, TurnStream, User } from "../ports/index.ts";
import { newId } from "../../base/ids.ts";
import { type InputLimit, RETRY_AFTER_S, type Sender } from "./input-limit.ts";
import type { Refusal, Surface, SurfaceOptions, SurfaceTurn, TurnStart } from "./surface.ts";
import type { TurnRegistry } from "./turn-registry.ts";
import { KitError } from "../../contract/kit-error.ts";
import { type Counted, type SurfaceTurns, keyOf } from "./surface-turns.ts";

/** What the runtime's own routes have already counted before `start`. */
export interface CountedStart {
  /** The write was counted before its body was read. */
  readonly isCounted: boolean;
  /** Length of the body. */
  readonly bytes: number;
}

export interface InternalSurface extends Surface {
  start(input: TurnStart, counted?: CountedStart): Promise<SurfaceTurn | Refusal>;
}

const MAX_REF_LENGTH = 4096;
/** Seconds until a server that shuts down is expected to be back. */
const RESTART_S = 5;

/** Returns the function that adds a surface. */
export function createSurfaces(options: {
  turns: SurfaceTurns;
  registry: TurnRegistry;
  stream: Pick<TurnStream, "get" | "find" | "list">;
  elicitations: Pick<ElicitationService, "find">;
  inputLimit: InputLimit;
  /** Counts one write. */
  countWrite: (sender: Sender) => Counted | Promise<Counted>;
}): (kind: string, options?: SurfaceOptions) => InternalSurface {
  const { turns, registry, stream, elicitations, inputLimit } = options;
  const turnOf = (
    key: TurnKey & { readonly ended?: boolean; readonly at?: number },
    user: User | undefined,
  ) => turns.turnOf(key, user, registry.stop);

  async function idOf(user: User, where: Parameters<Surface["find"]>[1]): Promise<string | undefined> {
    if ("turnId" in where) return where.turnId;
    if ("conversationId" in where) return stream.find(where.conversationId, user.id);
    return (await elicitations.find(where.elicitationId, user.id))?.turnId;
  }

  return function surface(kind, surfaceOptions = {}) {
    turns.add(kind, surfaceOptions);

    async function start(input: TurnStart, counted?: CountedStart): Promise<SurfaceTurn | Refusal> {
      const { user, conversationId, messages, ref, startId, ifOpen = "replace" } = input;
      if (registry.isClosed()) return { refused: "closed", retryAfter: RESTART_S };
      ensureSmall(ref);
      const sender = { user, key: input.limitKey ?? (user && keyOf(user)) };
      if (counted?.isCounted !== true) {
        const allowed = await options.countWrite(sender);
        if (!allowed.ok) return { refused: "limit", of: "sender", retryAfter: allowed.retryAfter };
      }
      const bytes =
        counted?.bytes ?? new TextEncoder().encode(JSON.stringify([messages, input.body])).byteLength;
      const hold = inputLimit.hold(sender, conversationId, bytes);
      if (!hold.ok) return { refused: "limit", of: hold.limit, retryAfter: RETRY_AFTER_S };

      const userId = user?.id;
      const { keepMs = 0, supports, expiresInMs, chatOrigin, returnUrl, connectionBound = false } = input;
      const { languages, body } = input;
      const key: TurnKey = { turnId: newId(), conversationId, userId, surface: kind, startId, ref, keepMs };
      const run = { surface: kind, conversationId, user, messages, supports, ref, expiresInMs, chatOrigin };
      try {
        const opening = await registry.start(
          key,
          { ...run, returnUrl, body, languages, connectionBound },
          { replace: ifOpen === "replace" },
        );
        void opening.ended.then(hold.release);
        if (opening.status === "busy") return { refused: "busy", turnId: opening.turn.turnId };
        return turnOf(opening.status === "opened" ? key : opening.turn, user);
      } catch (error) {
        hold.release();
        throw error;
      }
    }

    return {
      start,
      async find(user, where) {
        const turnId = await idOf(user, where);
        const turn = turnId === undefined ? undefined : await stream.get(turnId);
        return turn?.userId === user.id && turn.surface === kind ? turnOf(turn, user) : undefined;
      },
      async list(user, page) {
        const listed = await stream.list(user.id, kind, page);
        return listed.map((turn) => turnOf(turn, user));
      },
    };
  };
}

function ensureSmall(ref: TurnStart["ref"]): void {
  const { length } = JSON.stringify(ref ?? {});
  if (length <= MAX_REF_LENGTH) return;
  throw new KitError(
    `elicit-kit: the ref of a turn is ${length} characters long as JSON, but the limit is ${MAX_REF_LENGTH}. Keep only ids in it and store their data elsewhere.`,
  );
}
