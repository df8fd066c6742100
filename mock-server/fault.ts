import type { MockClock } from "./clock.ts";
import type { EndOutside, Outside } from "./outside.ts";
import type { RequestKind, SeenRequest } from "./requests.ts";

/** A fault between the chat and a correct server. */
export interface Fault {
  /** The kind of request that it affects. */
  readonly on: RequestKind;
  /** The number of such requests that it affects, starting now. */
  readonly times: number;
  /** Handles the request; `next` passes it on to the server. */
  apply(
    request: Request,
    next: (request: Request) => Promise<Response>,
    world: FaultWorld,
  ): Promise<Response>;
}

/** The parts of the server that a fault can use. */
export interface FaultWorld {
  /** Ends the requests that this answer is for, before the answer arrives. */
  end(outcome: EndOutside): Promise<void>;
  wait(ms: number): Promise<void>;
}

/** The faults of one mock server. */
export interface Faults {
  add(faults: readonly Fault[]): void;
  /** Passes a request through the faults that affect it, in order, and then to the server. */
  meet(
    seen: SeenRequest,
    request: Request,
    server: (request: Request) => Promise<Response>,
  ): Promise<Response>;
}

export function createFaults(
  initial: readonly Fault[],
  { outside, clock }: { outside: Outside; clock: MockClock },
): Faults {
  const armed: { fault: Fault; left: number }[] = [];
  const add = (faults: readonly Fault[]) => {
    armed.push(...faults.map((fault) => ({ fault, left: fault.times })));
  };
  add(initial);
  return {
    add,
    meet({ kind, answers }, request, server) {
      const met = armed.filter(({ fault, left }) => fault.on === kind && left > 0);
      for (const each of met) each.left -= 1;
      const world: FaultWorld = {
        wait: (ms) => new Promise((resolve) => clock.after(ms, resolve)),
        async end(outcome) {
          for (const { elicitationId } of answers) await outside.end(elicitationId, outcome);
        },
      };
      const behind = (index: number): ((request: Request) => Promise<Response>) => {
        const fault = met[index]?.fault;
        return fault === undefined ? server : (passed) => fault.apply(passed, behind(index + 1), world);
      };
      return behind(0)(request);
    },
  };
}
