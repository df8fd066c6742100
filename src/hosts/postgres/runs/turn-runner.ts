import { systemClock } from "../../../base/clock.ts";
import type { StepStore } from "../../../durable/engine.ts";
import { createRecordedRunner } from "../../../durable/recorded-runner.ts";
import type { Telemetry } from "../../../runtime/index.ts";
import { type TurnRunner, type TurnStream, SERVER_STOPPED } from "../../../runtime/internal.ts";
import type { TurnClaims } from "./claims.ts";

/**
 * Runs each turn once, in this process, and can stop turns of other processes. When a process dies, another process ends
 * its turns: it withdraws their requests and closes their logs.
 */
export function createPostgresTurnRunner(claims: TurnClaims): TurnRunner {
  return {
    register: (name, body) =>
      claims.register(name, ({ turnId, input, run, signals: { stop, letGo } }) => {
        const isLost = run > 1 && !stop.aborted;
        return body(turnId, input, {
          stop: isLost ? AbortSignal.abort(new Error(SERVER_STOPPED)) : stop,
          letGo,
          run,
        });
      }),
    stop: claims.stop,
    wake: async (turnId) => claims.isHere(turnId),
    release: async () => false,
    overview: claims.overview,
  };
}

/** How turns outlive their process. */
export interface DurableTurns {
  /**
   * How long a turn waits for the user before this process parks it, in milliseconds. An answer makes it run again.
   * `false`: never.
   * @default 60_000
   */
  parkAfterMs?: number | false | undefined;
  /**
   * How long `runtime.close` waits for steps that have begun, in milliseconds. A step that takes longer runs again in
   * another process. Set it to the time between the platform's SIGTERM and SIGKILL, less a few seconds for the rest of
   * the shutdown.
   * @default 25_000: 30 seconds, as in Kubernetes, less five
   */
  graceMs?: number | undefined;
  /** The `telemetry` of the runtime. Its meter counts the turns that are parked, and those that run again. */
  telemetry?: Pick<Telemetry, "meter"> | undefined;
}

/** Runs turns that outlive their process: another process continues them from their recorded steps. */
export function createDurableTurnRunner({
  claims,
  stream,
  steps,
  parkAfterMs = 60_000,
  graceMs = 25_000,
  telemetry,
  onError,
}: DurableTurns & {
  claims: TurnClaims;
  stream: TurnStream;
  steps: StepStore;
  onError: (error: unknown) => void;
}): TurnRunner {
  return createRecordedRunner({
    claims,
    stream,
    store: steps,
    parkAfterMs,
    graceMs,
    meter: telemetry?.meter,
    clock: systemClock,
    onError,
  });
}
