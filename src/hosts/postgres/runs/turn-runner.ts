import { type TurnRunner, SERVER_STOPPED } from "../../../runtime/internal.ts";
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
