import { AsyncLocalStorage } from "node:async_hooks";
import { EventEmitter, on, once } from "node:events";
import { simulateReadableStream } from "ai";
import type { Settlement, TurnRunner, TurnStream, TurnStreamEntry, Waiter } from "../core/index.ts";

/** One of the processes that an engine runs turns in. */
export interface EngineProcess extends TurnRunner {
  /** As by a power cut: whatever it does from now on comes to nothing. */
  die(): void;
  /** Runs the turns of other processes again that have not ended. */
  recover(): Promise<void>;
}

/** What a durable engine does, over one table of strings in memory: for tests of what the runtime asks of one. */
export interface DurableEngine {
  readonly waiter: Waiter;
  readonly stream: TurnStream;
  startProcess(): EngineProcess;
}

export function createDurableEngine(): DurableEngine {
  const settlements = new Map<string, string>();
  const logs = new Map<string, string[]>();
  const openTurns = new Map<string, string>();
  const closed = new Set<string>();
  const results = new Map<string, string>();
  const unfinished = new Map<string, string>();
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
  };

  const stream: TurnStream = {
    async open({ turnId, conversationId, userId }) {
      logs.set(turnId, []);
      if (userId !== undefined) openTurns.set(`${userId} ${conversationId}`, turnId);
    },
    find: async (conversationId, userId) => {
      const turnId = openTurns.get(`${userId} ${conversationId}`);
      return turnId === undefined || closed.has(turnId) ? undefined : turnId;
    },
    async append(turnId, chunk) {
      const log = logs.get(turnId);
      log?.push(JSON.stringify({ seq: log.length, at: Date.now(), chunk }));
      changes.emit(`log ${turnId}`);
    },
    async *read(turnId, { after = -1, live, signal }) {
      // Listens before it looks, so that nothing is missed between the two.
      const news = on(changes, `log ${turnId}`, { signal });
      for (let seq = after + 1; !signal.aborted;) {
        const line = logs.get(turnId)?.[seq];
        if (line !== undefined) {
          const entry: TurnStreamEntry = JSON.parse(line);
          yield entry;
          seq += 1;
        } else if (closed.has(turnId) || !live) return;
        else await news.next().catch(() => {});
      }
    },
    async close(turnId) {
      closed.add(turnId);
      changes.emit(`log ${turnId}`);
    },
  };

  function startProcess(): EngineProcess {
    const scope = new AsyncLocalStorage<{ path: string; steps: number }>();
    const bodies: ((turnId: string, input: string) => Promise<void>)[] = [];
    const running = new Set<string>();
    let isDead = false;

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

    function within<T>(path: string, work: () => T): T {
      return scope.run({ path, steps: 0 }, work);
    }

    function nextStep(name: string): string {
      const here = scope.getStore();
      if (here === undefined) throw new Error(`the step "${name}" is outside of any turn`);
      here.steps += 1;
      return `${here.path} ${here.steps} ${name}`;
    }

    async function run(turnId: string): Promise<void> {
      running.add(turnId);
      const input = unfinished.get(turnId) ?? "null";
      await Promise.all(bodies.map((body) => within(turnId, () => body(turnId, input))));
      await unlessDead(undefined);
      unfinished.delete(turnId);
    }

    return {
      die() {
        isDead = true;
      },
      async recover() {
        await Promise.all([...unfinished.keys()].filter((id) => !running.has(id)).map(run));
      },
      register(_name, body) {
        bodies.push((turnId, input) => body(turnId, JSON.parse(input)));
        return (turnId, input) => {
          unfinished.set(turnId, JSON.stringify(input));
          return run(turnId);
        };
      },
      tool: ({ id }, call) => recorded(id, () => within(id, call)),
      step: (name, work) => recorded(nextStep(name), work),
      async pump(turnId, chunks, append) {
        const seen = (logs.get(turnId) ?? []).map((line) => JSON.stringify(JSON.parse(line).chunk));
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
              const chunks = await recorded(nextStep("model"), async () => {
                const said: unknown[] = [];
                for await (const part of (await target.doStream(options)).stream) said.push(part);
                return said;
              });
              return {
                stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }),
              };
            };
          },
        });
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
