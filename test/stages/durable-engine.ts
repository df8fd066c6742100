import { AsyncLocalStorage } from "node:async_hooks";
import { EventEmitter, on, once } from "node:events";
import { simulateReadableStream } from "ai";
import {
  type Settlement,
  type TurnOperation,
  type TurnKey,
  type TurnRunner,
  type TurnSignals,
  type TurnStream,
  type TurnStreamEntry,
  type Waiter,
  discardChunk,
  isDiscardable,
  stepOperation,
} from "../../src/runtime/internal.ts";
import { newId } from "../../src/base/ids.ts";
import { CallKeys, type RecordedOperation } from "../../extras/durable/call-keys.ts";

/** One of the processes that an engine runs turns in. */
export interface EngineProcess extends TurnRunner {
  /** Simulates a power cut: later actions have no effect. */
  die(): void;
  /** Runs the unfinished turns of other processes again. */
  recover(): Promise<void>;
}

/**
 * The behaviour of a durable engine, on one table of strings in memory: for tests of the runtime's requirements for an
 * engine.
 */
export interface DurableEngine {
  readonly waiter: Waiter;
  readonly stream: TurnStream;
  startProcess(): EngineProcess;
}

export function createDurableEngine(): DurableEngine {
  const settlements = new Map<string, string>();
  /** Lines by position. An empty line was discarded. */
  const logs = new Map<string, string[]>();
  const turns = new Map<string, string>();
  const lastTurns = new Map<string, string>();
  const fences = new Map<string, number>();
  const closed = new Set<string>();
  const results = new Map<string, string>();
  /** The steps and questions of each turn and tool call, in the order in which they were recorded. */
  const operations = new Map<string, RecordedOperation[]>();
  const unfinished = new Map<string, string>();
  /** Whether the process that runs a turn, or ran it last, is alive. */
  const owners = new Map<string, () => boolean>();
  const changes = new EventEmitter({ captureRejections: false }).setMaxListeners(0);

  const waiter: Waiter = {
    async wait(id, { signal }) {
      signal.throwIfAborted();
      if (!settlements.has(id)) {
        await once(changes, `settled ${id}`, { signal }).catch(() => signal.throwIfAborted());
      }
      const settlement: Settlement = JSON.parse(settlements.get(id) ?? "null");
      return settlement;
    },
    async settle(id, settlement) {
      if (settlements.has(id)) return;
      settlements.set(id, JSON.stringify(settlement));
      changes.emit(`settled ${id}`);
    },
    nudge: async (id) => void changes.emit(`nudge ${id}`),
    onNudge(id, listener) {
      changes.on(`nudge ${id}`, listener);
      return () => void changes.off(`nudge ${id}`, listener);
    },
  };

  function keyOf(turnId: string | undefined): TurnKey | undefined {
    return turnId === undefined ? undefined : JSON.parse(turns.get(turnId) ?? "null");
  }

  const stream: TurnStream = {
    async open(turn, { replace }) {
      const { turnId, conversationId, userId, startId, surface } = turn;
      for (const known of [...turns.keys()].map(keyOf)) {
        const isSame = startId !== undefined && known?.startId === startId && known.surface === surface;
        if (isSame && known.userId === userId) return { status: "started", turn: known };
      }
      const last = keyOf(lastTurns.get(`${userId} ${conversationId}`));
      const before = last === undefined || closed.has(last.turnId) ? undefined : last;
      if (before !== undefined && !replace) return { status: "busy", turn: before };
      turns.set(turnId, JSON.stringify(turn));
      logs.set(turnId, []);
      if (userId !== undefined) lastTurns.set(`${userId} ${conversationId}`, turnId);
      return { status: "opened", before };
    },
    async get(turnId) {
      const turn = keyOf(turnId);
      return turn && { ...turn, ended: closed.has(turnId) };
    },
    find: async (conversationId, userId) => {
      const turn = keyOf(lastTurns.get(`${userId} ${conversationId}`));
      return turn === undefined || (closed.has(turn.turnId) && turn.keepMs === 0) ? undefined : turn.turnId;
    },
    async list(userId, surface, { before, limit }) {
      const listed = [...turns.keys()].toReversed().flatMap((turnId) => {
        const turn = keyOf(turnId);
        const isListed = turn?.userId === userId && turn.surface === surface && turn.keepMs > 0;
        const last: Partial<TurnStreamEntry> = JSON.parse(logs.get(turnId)?.at(-1) ?? "{}");
        return isListed ? [{ ...turn, ended: closed.has(turnId), at: last.at ?? 0 }] : [];
      });
      const from = before === undefined ? 0 : listed.findIndex(({ turnId }) => turnId === before) + 1;
      return before !== undefined && from === 0 ? [] : listed.slice(from, from + limit);
    },
    async lease(turnId) {
      const fence = (fences.get(turnId) ?? 0) + 1;
      fences.set(turnId, fence);
      changes.emit(`lease ${turnId}`);
      const lost = new AbortController();
      changes.once(`lease ${turnId}`, () => lost.abort(new Error("another process has taken over")));
      return { fence, lost: lost.signal, ended: closed.has(turnId) };
    },
    async append(turnId, chunk, { fence }) {
      if (fences.get(turnId) !== fence) throw new Error("another process has taken over");
      if (closed.has(turnId)) return;
      const log = logs.get(turnId);
      log?.push(JSON.stringify({ seq: log.length, at: Date.now(), chunk }));
      changes.emit(`log ${turnId}`);
    },
    async discard(turnId, from, { fence }) {
      if (fences.get(turnId) !== fence) throw new Error("another process has taken over");
      const log = logs.get(turnId);
      if (log === undefined || closed.has(turnId)) return;
      const left = log.map((line, seq) =>
        seq < from || line === "" || !isDiscardable(JSON.parse(line).chunk) ? line : "",
      );
      const marker = JSON.stringify({ seq: log.length, at: Date.now(), chunk: discardChunk(from) });
      logs.set(turnId, [...left, marker]);
      changes.emit(`log ${turnId}`);
    },
    async *read(turnId, { after = -1, live, signal }) {
      // Listens before it reads, so that no change is missed.
      const news = on(changes, `log ${turnId}`, { signal });
      for (let seq = after + 1; !signal.aborted;) {
        const line = logs.get(turnId)?.[seq];
        if (line === "") seq += 1;
        else if (line !== undefined) {
          const entry: TurnStreamEntry = JSON.parse(line);
          yield entry;
          seq += 1;
        } else if (closed.has(turnId) || !live) return;
        else await news.next().catch(() => {});
      }
    },
    async close(turnId, { fence }) {
      if (fences.get(turnId) !== fence) return;
      closed.add(turnId);
      changes.emit(`log ${turnId}`);
    },
  };

  function startProcess(): EngineProcess {
    const scope = new AsyncLocalStorage<{ path: string; models: number; keys: CallKeys }>();
    const bodies: ((turnId: string, input: string, signals: TurnSignals) => Promise<void>)[] = [];
    const neverLetGo = new AbortController().signal;
    let isDead = false;
    const isAlive = () => !isDead;

    function unlessDead<T>(value: T): T | Promise<never> {
      return isDead ? new Promise<never>(() => {}) : value;
    }

    async function recorded<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
      await unlessDead(undefined);
      const known = results.get(key);
      if (known !== undefined) return JSON.parse(known);
      const result = await unlessDead(await work());
      results.set(key, JSON.stringify(result ?? null));
      return result;
    }

    function within<T>(path: string, work: () => T, parent?: CallKeys): T {
      const keys = new CallKeys({ recorded: operations.get(path), parent });
      return scope.run({ path, models: 0, keys }, work);
    }

    function here() {
      const found = scope.getStore();
      if (found === undefined) throw new Error("this is outside of any turn");
      return found;
    }

    async function operate<Result>(
      operation: TurnOperation,
      key: string,
      work: () => Promise<Result>,
    ): Promise<Result> {
      const { path } = here();
      const name = `${path} ${key}`;
      const isNew = !results.has(name);
      const result = await recorded(name, work);
      if (isNew) operations.set(path, [...(operations.get(path) ?? []), { ...operation, key }]);
      return result;
    }

    async function run(turnId: string): Promise<void> {
      owners.set(turnId, isAlive);
      const input = unfinished.get(turnId) ?? "null";
      const stop = new AbortController();
      const onStop = (order: { reason: string; isHeard: boolean }) => {
        if (isDead) return;
        order.isHeard = true;
        stop.abort(new DOMException(order.reason, "AbortError"));
      };
      changes.once(`stop ${turnId}`, onStop);
      await Promise.all(
        bodies.map((body) =>
          within(turnId, () => body(turnId, input, { stop: stop.signal, letGo: neverLetGo })),
        ),
      );
      changes.off(`stop ${turnId}`, onStop);
      await unlessDead(undefined);
      unfinished.delete(turnId);
    }

    return {
      die() {
        isDead = true;
      },
      async recover() {
        await Promise.all([...unfinished.keys()].filter((id) => owners.get(id) !== isAlive).map(run));
      },
      register(_name, body) {
        bodies.push((turnId, input, signals) => body(turnId, JSON.parse(input), signals));
        return (turnId, input) => {
          unfinished.set(turnId, JSON.stringify(input));
          return run(turnId);
        };
      },
      async stop(turnId, reason) {
        const order = { reason, isHeard: false };
        changes.emit(`stop ${turnId}`, order);
        if (!order.isHeard) unfinished.delete(turnId);
        return order.isHeard;
      },
      async wake(turnId) {
        if (isDead || owners.get(turnId)?.() === true || !unfinished.has(turnId)) return false;
        void run(turnId);
        return true;
      },
      release: async () => false,
      recorder: {
        ask: ({ elicitationId, ...question }, ask) =>
          elicitationId === undefined
            ? here().keys.run(question, async ({ key, isLive }) => {
                const isNew = !results.has(`${here().path} ${key}`);
                const id = await operate(question, key, async () => newId());
                return ask({ elicitationId: id, isNew, isOpen: isLive });
              })
            : here().keys.beside(() => ask({ elicitationId, isNew: true, isOpen() {} })),
        hold: (work) => work(),
        background: async (work) => work(),
        untilAnswered: (wait) => wait(),
        bind(callback) {
          const bound = scope.getStore();
          return (...args) =>
            bound === undefined ? callback(...args) : scope.run(bound, () => callback(...args));
        },
        tool: ({ id }, call) => recorded(id, () => within(id, call, here().keys)),
        step(name, work, { key } = {}) {
          const operation = stepOperation(name, key);
          return here().keys.run(operation, (begun) => operate(operation, begun.key, work));
        },
        async pump(turnId, chunks, { append }) {
          const seen = (logs.get(turnId) ?? [])
            .filter((line) => line !== "")
            .map((line) => JSON.stringify(JSON.parse(line).chunk));
          for await (const chunk of chunks) {
            await unlessDead(undefined);
            const at = seen.indexOf(JSON.stringify(chunk));
            if (at === -1) await append(chunk);
            else seen.splice(at, 1);
          }
        },
        model(model) {
          if (!canStream(model)) return model;
          return new Proxy(model, {
            get(target, key, receiver) {
              if (key !== "doStream") return Reflect.get(target, key, receiver);
              return async (options: unknown) => {
                const at = here();
                at.models += 1;
                const chunks = await recorded(`${at.path} model ${at.models}`, async () => {
                  const parts: unknown[] = [];
                  for await (const part of (await target.doStream(options)).stream) parts.push(part);
                  return parts;
                });
                return {
                  stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }),
                };
              };
            },
          });
        },
      },
    };
  }

  return { waiter, stream, startProcess };
}

function canStream<Model>(
  model: Model,
): model is Model & { doStream(options: unknown): PromiseLike<{ stream: ReadableStream<unknown> }> } {
  return typeof model === "object" && model !== null && "doStream" in model;
}
