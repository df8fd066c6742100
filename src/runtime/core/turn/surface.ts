import type { ElicitationRequest, ElicitationResponse } from "../../../protocol/contract.ts";
import type { AnswerResult } from "../elicitation/answer-result.ts";
import type { ElicitationService } from "../elicitation/elicitation-service.ts";
import type { SupportedModes } from "../elicitation/question.ts";
import { currentRequest } from "../elicitation/record.ts";
import type { TurnKey, TurnStream, TurnStreamEntry, User } from "../ports.ts";
import { newId } from "../shared/ids.ts";
import { type Full, type InputLimit, ROOM_S, type Sender } from "./input-limit.ts";
import type { TurnInput } from "./turn-body.ts";
import type { TurnRegistry } from "./turn-registry.ts";

/** Another protocol through which people reach the agent. Made by `runtime.surface`. */
export interface Surface {
  /** Starts a turn, and resolves before it has said anything. The same `startId` again: the turn that it started. */
  start(input: TurnStart): Promise<SurfaceTurn | Refusal>;
  /**
   * A turn of this surface and this person, whichever process runs it; one that has ended for as long as its log is kept
   * (`keepMs`). By `conversationId` the last one that was started there.
   */
  find(
    user: User,
    where: { turnId: string } | { conversationId: string } | { elicitationId: string },
  ): Promise<SurfaceTurn | undefined>;
}

/** What a turn is started from. Plain data: a durable runner keeps it. */
export interface TurnStart {
  /** Who the surface has authenticated. Absent: nothing is asked, and nobody can come back to the turn. */
  user: User | undefined;
  /**
   * Where the turn belongs: one is open per person and conversation. Ids of a protocol's own are part of it, such as
   * `team:channel:thread`, and so is the id of its client where there may be several.
   */
  conversationId: string;
  /** UI messages, the last of them the one to answer. */
  messages: readonly unknown[];
  /** What this surface gets answered, by means of its own or by a link. Fixed for the turn. */
  supports: SupportedModes;
  /**
   * What happens when a turn is open in the conversation.
   * @default "replace"
   */
  ifOpen?: "replace" | "refuse" | undefined;
  /** Of an event that may be sent to you twice: its id. One turn is started per person and id, while its log is kept. */
  startId?: string | undefined;
  /** The surface's own ids, to find on the turn later. They never change. At most 4 KiB as JSON. */
  ref?: Readonly<Record<string, unknown>> | undefined;
  /**
   * How long the log can be read after the turn has ended, in milliseconds.
   * @default 0
   */
  keepMs?: number | undefined;
  /**
   * How long the person may take for an answer, in milliseconds, unless the question says otherwise.
   * @default the runtime's `expiresInMs`
   */
  expiresInMs?: number | undefined;
  /** Origin of the page that asks, checked: where a hosted page may post its hints. */
  chatOrigin?: string | undefined;
  /** Where the person would like to come back to from a hosted page. */
  returnUrl?: string | undefined;
  /**
   * Who is counted for the limits of the runtime (`writesPerMinute`, `maxTurns`), such as an address.
   * @default the user; without one nobody is counted
   */
  limitKey?: string | undefined;
}

/** Why no turn was started. `retryAfter` in seconds. */
export type Refusal =
  /** The runtime is being closed. */
  | { readonly refused: "closed"; readonly retryAfter: number }
  /** `of`: the sender has sent, or has open, as much as they may, or the server holds as much as it can. */
  | { readonly refused: "limit"; readonly of: Full; readonly retryAfter: number }
  /** A turn is open in the conversation, and `ifOpen` says to refuse. */
  | { readonly refused: "busy"; readonly turnId: string };

/** An answer from a surface. */
export type SurfaceAnswer = ElicitationResponse & {
  /**
   * What an accept of a URL request says in the surface's protocol. `consent`: the person agreed to open the page, and
   * the request ends later, by what is done there.
   * @default what the request itself says
   */
  acceptMeans?: "consent" | undefined;
};

/** One turn, as a surface sees it. The turn may run in another process. */
export interface SurfaceTurn {
  readonly id: string;
  readonly conversationId: string;
  /** As it was given to `start`. */
  readonly ref: Readonly<Record<string, unknown>>;
  /**
   * The turn's log as it is: chunks of a UI message stream, requests and their ends among them. `seq` is the cursor for
   * `after`. With `live` it goes on to the end of the turn; without, it stops at the last entry there is. An abort ends
   * the reading, never the turn.
   */
  read(options: {
    after?: number | undefined;
    live: boolean;
    signal: AbortSignal;
  }): AsyncIterable<TurnStreamEntry>;
  /** What waits for the person now, oldest first. The log tells the order of things; this tells what holds. */
  open(): Promise<readonly ElicitationRequest[]>;
  /** Takes answers of the person, one after another. Requests of other turns are `unknown`. */
  answer(answers: readonly SurfaceAnswer[]): Promise<readonly AnswerResult[]>;
  /** Withdraws what it asks and aborts it, whichever process runs it. Resolves at its end, or after ten seconds. */
  stop(reason: string): Promise<void>;
}

export interface SurfaceOptions {
  /**
   * For clients that hold no connection: brings the turn to them until it has ended. Called in the process that runs the
   * turn, and again when it is run again, so it must be idempotent. What it rejects with goes to `onError`.
   */
  deliver?: ((turn: SurfaceTurn) => Promise<void>) | undefined;
}

/** What the routes of the runtime itself have done before a start. */
export interface CountedStart {
  /** The write was counted before its body was read. */
  readonly isCounted: boolean;
  /** How long the body was. */
  readonly bytes: number;
}

export interface InternalSurface extends Surface {
  start(input: TurnStart, counted?: CountedStart): Promise<SurfaceTurn | Refusal>;
}

export interface Surfaces {
  surface(kind: string, options?: SurfaceOptions): InternalSurface;
  /** For the process that runs a turn. `undefined`: nothing is to be delivered. */
  deliver(id: string, input: TurnInput, lost: AbortSignal): Promise<void> | undefined;
}

const MAX_REF_LENGTH = 4096;
/** When a server that shuts down is expected back, in seconds. */
const RESTART_S = 5;

export function createSurfaces(options: {
  registry: () => TurnRegistry;
  stream: Pick<TurnStream, "get" | "find" | "read">;
  elicitations: Pick<ElicitationService, "answer" | "find" | "listOpen">;
  inputLimit: InputLimit;
  /** Counts one write. */
  countWrite: (sender: Sender) => { ok: true } | { ok: false; retryAfter: number };
  onError: (error: unknown) => void;
}): Surfaces {
  const { stream, elicitations, inputLimit, onError } = options;
  const kinds = new Map<string, SurfaceOptions>();

  function turnOf(key: TurnKey, user: User | undefined, lost?: AbortSignal): SurfaceTurn {
    const { turnId, conversationId } = key;
    return {
      id: turnId,
      conversationId,
      ref: key.ref ?? {},
      read({ signal, ...from }) {
        const until = lost === undefined ? signal : AbortSignal.any([signal, lost]);
        return stream.read(turnId, { ...from, signal: until });
      },
      async open() {
        if (user === undefined) return [];
        const open = await elicitations.listOpen(conversationId, user.id);
        return open.filter((record) => record.turnId === turnId).map(currentRequest);
      },
      async answer(answers) {
        const results: AnswerResult[] = [];
        for (const answer of answers) results.push(await answerOne(answer));
        return results;
      },
      stop: (reason) => options.registry().stop(key, reason),
    };

    async function answerOne({ acceptMeans, ...answer }: SurfaceAnswer): Promise<AnswerResult> {
      const record = user && (await elicitations.find(answer.elicitationId, user.id));
      if (user === undefined || record?.turnId !== turnId) return { kind: "unknown" };
      return elicitations.answer({ ...answer, conversationId }, user.id, { acceptMeans });
    }
  }

  async function idOf(user: User, where: Parameters<Surface["find"]>[1]): Promise<string | undefined> {
    if ("turnId" in where) return where.turnId;
    if ("conversationId" in where) return stream.find(where.conversationId, user.id);
    return (await elicitations.find(where.elicitationId, user.id))?.turnId;
  }

  function surface(kind: string, { deliver }: SurfaceOptions = {}): InternalSurface {
    if (deliver !== undefined && kinds.has(kind)) {
      throw new Error(
        `elicit-kit: the surface "${kind}" is there already. Call runtime.surface("${kind}", { deliver }) once, and use what it returns.`,
      );
    }
    if (!kinds.has(kind)) kinds.set(kind, { deliver });

    async function start(input: TurnStart, counted?: CountedStart): Promise<SurfaceTurn | Refusal> {
      const { user, conversationId, messages, ref, startId, ifOpen = "replace" } = input;
      const registry = options.registry();
      if (registry.isClosed()) return { refused: "closed", retryAfter: RESTART_S };
      ensureSmall(ref);
      const sender = { user, key: input.limitKey ?? (user && `user ${user.id}`) };
      if (counted?.isCounted !== true) {
        const allowed = options.countWrite(sender);
        if (!allowed.ok) return { refused: "limit", of: "sender", retryAfter: allowed.retryAfter };
      }
      const bytes = counted?.bytes ?? JSON.stringify(messages).length;
      const room = inputLimit.hold(sender, conversationId, bytes);
      if (!room.ok) return { refused: "limit", of: room.isFull, retryAfter: ROOM_S };

      const userId = user?.id;
      const { keepMs = 0, supports, expiresInMs, chatOrigin, returnUrl } = input;
      const key: TurnKey = { turnId: newId(), conversationId, userId, surface: kind, startId, ref, keepMs };
      const run = { surface: kind, conversationId, user, messages, supports, ref, expiresInMs, chatOrigin };
      try {
        const opening = await registry.start(key, { ...run, returnUrl }, { replace: ifOpen === "replace" });
        void opening.ended.then(room.leave);
        if (opening.status === "busy") return { refused: "busy", turnId: opening.turn.turnId };
        return turnOf(opening.status === "opened" ? key : opening.turn, user);
      } catch (error) {
        room.leave();
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
    };
  }

  return {
    surface,
    deliver(id, { surface: kind, conversationId, user, ref }, lost) {
      const deliver = kinds.get(kind)?.deliver;
      if (deliver === undefined) return undefined;
      const key = { turnId: id, conversationId, userId: user?.id, surface: kind, ref, keepMs: 0 };
      const turn = turnOf(key, user, lost);
      return Promise.resolve(turn)
        .then(deliver)
        .catch((error: unknown) => {
          if (!lost.aborted) onError(error);
        });
    },
  };
}

function ensureSmall(ref: TurnStart["ref"]): void {
  const { length } = JSON.stringify(ref ?? {});
  if (length <= MAX_REF_LENGTH) return;
  throw new Error(
    `elicit-kit: the ref of a turn is ${length} characters long as JSON, and may be ${MAX_REF_LENGTH}. Keep ids in it, and what belongs to them elsewhere.`,
  );
}
