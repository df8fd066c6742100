import { KitError } from "../../contract/kit-error.ts";
import { newId } from "../../base/ids.ts";
import type { Allowed } from "../../base/write-limit.ts";
import type { ElicitationService } from "../request/elicitations.ts";
import type { RecordWriter } from "../request/record-writer.ts";
import { currentRequest, isEnded } from "../request/record.ts";
import type { User } from "../../base/identity.ts";
import type { ElicitationRecord, TurnKey, TurnStream, TurnStreamEntry, Waiter } from "../ports/index.ts";
import { type InputLimit, RETRY_AFTER_S } from "../../base/input-limit.ts";
import type { Sender } from "../../base/identity.ts";
import type {
  Refusal,
  Surface,
  SurfaceAnswer,
  SurfaceAnswerResult,
  SurfaceLimited,
  SurfaceOptions,
  SurfaceTurn,
  SurfaceTurns,
  TurnStart,
} from "./surface.ts";
import type { TurnRegistry } from "./turn-registry.ts";

export function createSurfaceTurns(options: {
  stream: Pick<TurnStream, "read">;
  elicitations: Pick<
    ElicitationService,
    "answer" | "find" | "listOpen" | "assign" | "assigneesFor" | "remind" | "extend"
  >;
  writer: Pick<RecordWriter, "reject" | "end">;
  waiter: Pick<Waiter, "wait">;
  /** Tracks that a client shows the turn while it reads these entries. */
  whileShown: (
    turnId: string,
    entries: AsyncIterable<TurnStreamEntry>,
    signal: AbortSignal,
  ) => AsyncIterable<TurnStreamEntry>;
  countWrite: (sender: Sender) => Allowed | Promise<Allowed>;
  onError: (error: unknown) => void;
}): SurfaceTurns {
  const { stream, elicitations, writer, waiter, onError } = options;
  const kinds = new Map<string, SurfaceOptions>();

  const turnOf: SurfaceTurns["turnOf"] = (key, user, stop, lost) => {
    const { turnId, conversationId, surface: through, ended = false, at } = key;
    return {
      id: turnId,
      conversationId,
      ref: key.ref ?? {},
      ended,
      at,
      read({ signal, ...from }) {
        const until = lost === undefined ? signal : AbortSignal.any([signal, lost]);
        const entries = stream.read(turnId, { ...from, signal: until });
        return from.live ? options.whileShown(turnId, entries, until) : entries;
      },
      async open() {
        if (user === undefined) return [];
        const open = await elicitations.listOpen(conversationId, user.id);
        return open.filter((record) => record.turnId === turnId).map(currentRequest);
      },
      async answer(answers) {
        const results: SurfaceAnswerResult[] = [];
        for (const answer of answers) results.push(await answerOne(answer));
        return results;
      },
      assign: (elicitationId, to) =>
        act(elicitationId, (by) => elicitations.assign(elicitationId, by, to, { through })),
      async assignees(elicitationId) {
        const result = user && (await elicitations.assigneesFor(elicitationId, user.id));
        return result?.kind === "choices" ? result.choices : [];
      },
      remind: (elicitationId) =>
        act(elicitationId, ({ id }) => elicitations.remind(elicitationId, id, { through })),
      extend: (elicitationId) =>
        act(elicitationId, ({ id }) => elicitations.extend(elicitationId, id, { through })),
      async rejectAnswer(elicitationId, problem) {
        return (await recordOf(elicitationId)) && writer.reject(elicitationId, problem, through);
      },
      async failRequest(elicitationId, reason) {
        const record = await recordOf(elicitationId);
        if (record !== undefined) await writer.end(record, { outcome: "failed", reason });
      },
      async settlement(elicitationId, { signal }) {
        const record = await recordOf(elicitationId);
        return record !== undefined && isEnded(record) ? waiter.wait(elicitationId, { signal }) : undefined;
      },
      stop: (reason) => stop(key, reason),
    };

    async function recordOf(elicitationId: string): Promise<ElicitationRecord | undefined> {
      const record = user && (await elicitations.find(elicitationId, user.id));
      return record?.turnId === turnId ? record : undefined;
    }

    /** Does something with a request of this turn in the name of its user. Counts one write. */
    async function act<Result>(
      elicitationId: string,
      work: (by: User) => Promise<Result>,
    ): Promise<Result | SurfaceLimited | { kind: "unknown" }> {
      const allowed = await options.countWrite({ user, key: user && keyOf(user) });
      if (!allowed.ok) return { kind: "limited", retryAfter: allowed.retryAfter };
      if (user === undefined || (await recordOf(elicitationId)) === undefined) return { kind: "unknown" };
      return work(user);
    }

    function answerOne({ acceptMeans, answerId, ...answer }: SurfaceAnswer): Promise<SurfaceAnswerResult> {
      const how = { acceptMeans, through, answerId };
      return act(answer.elicitationId, ({ id }) =>
        elicitations.answer({ ...answer, conversationId }, id, how),
      );
    }
  };

  return {
    turnOf,
    add(kind, { deliver, refuseForm, showsAssignee, url }) {
      if (deliver !== undefined && kinds.has(kind)) {
        throw new KitError(
          `elicit-kit: the surface "${kind}" already exists. Call runtime.surface("${kind}", { deliver }) once and reuse the surface that it returns.`,
        );
      }
      const known = kinds.get(kind);
      const first = known?.url;
      if (first !== undefined && url !== undefined && first !== url) {
        throw new KitError(
          `elicit-kit: two surfaces of this runtime have the kind "${kind}": at ${first} and at ${url}. The clients of each would find the turns of the other. Give one of them a kind of its own, such as kind: "${kind}-2".`,
        );
      }
      kinds.set(kind, {
        deliver: known?.deliver ?? deliver,
        refuseForm: known?.refuseForm ?? refuseForm,
        showsAssignee: known?.showsAssignee ?? showsAssignee,
        url: first ?? url,
      });
    },
    refuseForm: (kind, form) => kinds.get(kind)?.refuseForm?.(form),
    showsAssignee: (kind) => kinds.get(kind)?.showsAssignee === true,
    deliver(id, { surface: kind, conversationId, user, ref }, lost, stop) {
      const deliver = kinds.get(kind)?.deliver;
      if (deliver === undefined) return undefined;
      const key = { turnId: id, conversationId, userId: user?.id, surface: kind, ref, keepMs: 0 };
      return Promise.resolve(turnOf(key, user, stop, lost))
        .then(deliver)
        .catch((error: unknown) => {
          if (!lost.aborted) onError(error);
        });
    },
  };
}

const keyOf = (user: User): string => `user ${user.id}`;

/** The counts that the runtime's own routes have already made before `start`. */
export interface CountedStart {
  /** Whether the write was counted before its body was read. */
  readonly isCounted: boolean;
  /** The length of the body. */
  readonly bytes: number;
  /** Aborts when the client disconnects. No turn is started after that. */
  readonly signal: AbortSignal;
}

export interface InternalSurface extends Surface {
  start(input: TurnStart, counted?: CountedStart): Promise<SurfaceTurn | Refusal>;
}

const MAX_REF_LENGTH = 4096;
/** The estimated seconds until a restarting server is back. */
const RESTART_S = 5;

/** Returns the function that adds a surface. */
export function createSurfaces(options: {
  turns: SurfaceTurns;
  registry: TurnRegistry;
  stream: Pick<TurnStream, "get" | "find" | "list">;
  elicitations: Pick<ElicitationService, "find">;
  inputLimit: InputLimit;
  countWrite: (sender: Sender) => Allowed | Promise<Allowed>;
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
      const { startId, ifOpen = "replace", keepMs = 0, limitKey, ...run } = input;
      const { user, conversationId, ref } = run;
      if (registry.isClosed()) return { refused: "closed", retryAfter: RESTART_S };
      ensureSmall(ref);
      const sender = { user, key: limitKey ?? (user && keyOf(user)) };
      if (counted?.isCounted !== true) {
        const allowed = await options.countWrite(sender);
        if (!allowed.ok) return { refused: "limit", of: "sender", retryAfter: allowed.retryAfter };
      }
      const bytes =
        counted?.bytes ?? new TextEncoder().encode(JSON.stringify([run.messages, run.body])).byteLength;
      const hold = inputLimit.hold(sender, conversationId, bytes);
      if (!hold.ok) return { refused: "limit", of: hold.limit, retryAfter: RETRY_AFTER_S };

      const key: TurnKey = {
        turnId: newId(),
        conversationId,
        userId: user?.id,
        surface: kind,
        startId,
        ref,
        keepMs,
      };
      try {
        const replace = ifOpen === "replace";
        const opening = await registry.start(
          key,
          { ...run, surface: kind },
          { replace, signal: counted?.signal },
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
