import type { RequestedSchema } from "../../contract/contract.ts";
import type { RecordWriter } from "../request/record-writer.ts";
import type { ElicitationService } from "../request/elicitation-service.ts";
import { currentRequest, isEnded } from "../request/record.ts";
import type { ElicitationRecord, TurnKey, TurnStream, User, Waiter } from "../ports/index.ts";
import type { Sender } from "./input-limit.ts";
import type {
  SurfaceAnswer,
  SurfaceAnswerResult,
  SurfaceOptions,
  SurfaceTurn,
  TurnInput,
} from "./surface.ts";
import { KitError } from "../../contract/kit-error.ts";

/** Ends a turn, in any process. */
type StopTurn = (turn: TurnKey, reason: string) => Promise<void>;

/** The turns of all surfaces, and what each kind of surface does with its own. */
export interface SurfaceTurns {
  /** Adds a kind of surface. */
  add(kind: string, options: SurfaceOptions): void;
  /** `lost`: aborts when this process no longer runs the turn that it delivers. */
  turnOf(
    key: TurnKey & { readonly ended?: boolean; readonly at?: number },
    user: User | undefined,
    stop: StopTurn,
    lost?: AbortSignal,
  ): SurfaceTurn;
  /** Calls `refuseForm` of the surface. */
  refuseForm(kind: string, schema: RequestedSchema): string | undefined;
  /** Calls `deliver` of the surface, in the process that runs the turn. Returns `undefined` if it has none. */
  deliver(id: string, input: TurnInput, lost: AbortSignal, stop: StopTurn): Promise<void> | undefined;
}

export type Counted = { ok: true } | { ok: false; retryAfter: number };

export function createSurfaceTurns(options: {
  stream: Pick<TurnStream, "read">;
  elicitations: Pick<ElicitationService, "answer" | "find" | "listOpen">;
  writer: Pick<RecordWriter, "reject" | "end">;
  waiter: Pick<Waiter, "wait">;
  /** Counts one write. */
  countWrite: (sender: Sender) => Counted | Promise<Counted>;
  onError: (error: unknown) => void;
}): SurfaceTurns {
  const { stream, elicitations, writer, waiter, onError } = options;
  const kinds = new Map<string, SurfaceOptions>();

  const turnOf: SurfaceTurns["turnOf"] = (key, user, stop, lost) => {
    const { turnId, conversationId, ended = false, at } = key;
    return {
      id: turnId,
      conversationId,
      ref: key.ref ?? {},
      ended,
      at,
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
        const results: SurfaceAnswerResult[] = [];
        for (const answer of answers) results.push(await answerOne(answer));
        return results;
      },
      async rejectAnswer(elicitationId, problem) {
        return (await recordOf(elicitationId)) && writer.reject(elicitationId, problem);
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

    async function answerOne({ acceptMeans, ...answer }: SurfaceAnswer): Promise<SurfaceAnswerResult> {
      const allowed = await options.countWrite({ user, key: user && keyOf(user) });
      if (!allowed.ok) return { kind: "limited", retryAfter: allowed.retryAfter };
      if (user === undefined || (await recordOf(answer.elicitationId)) === undefined)
        return { kind: "unknown" };
      return elicitations.answer({ ...answer, conversationId }, user.id, { acceptMeans });
    }
  };

  return {
    turnOf,
    add(kind, { deliver, refuseForm, url }) {
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
        url: first ?? url,
      });
    },
    refuseForm: (kind, schema) => kinds.get(kind)?.refuseForm?.(schema),
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

export const keyOf = (user: User): string => `user ${user.id}`;
