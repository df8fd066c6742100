import type { Random } from "./random.ts";

/** One action of a tool. Its parts run in parallel, or one after another, or it is a single action. */
export type Act =
  | { readonly kind: "ask"; readonly message: string; readonly mode: "form" | "url"; readonly forMs: number }
  | { readonly kind: "round"; readonly messages: readonly string[]; readonly forMs: number }
  | { readonly kind: "step"; readonly name: string; readonly ms: number }
  | { readonly kind: "think"; readonly ms: number }
  | { readonly kind: "progress" }
  | { readonly kind: "die" };

export interface Call {
  readonly id: string;
  readonly name: string;
  /** The lanes run in parallel. The acts of a lane run one after another. */
  readonly lanes: readonly (readonly Act[])[];
  /** Whether the agent continues while the call asks. */
  readonly isLater?: boolean;
}

/** The actions of an agent in a turn: for each model call, the tools that are called in parallel. */
export interface Program {
  readonly rounds: readonly (readonly Call[])[];
  /** Whether it kills every process that runs it. */
  readonly isDeadly: boolean;
}

const HOUR = 3_600_000;
/** The usual duration of steps. It can be at most twice as long. */
const STEP_MS = [5, 5, 5, 5, 2000, 6000];

/** An agent that asks forms and pages, also in parallel, in lanes with steps and in loops. */
export function drawProgram(random: Random): Program {
  let asked = 0;
  const isDeadly = random.chance(0.04);
  const time = () => (random.chance(0.2) ? random.between(500, 20_000) : HOUR);

  function drawAct(lane: string): Act {
    const kind = random.below(10);
    asked += 1;
    if (kind < 4) {
      const mode = random.chance(0.2) ? "url" : "form";
      return { kind: "ask", message: `What is ${lane}.${asked}?`, mode, forMs: time() };
    }
    if (kind < 7) return { kind: "step", name: `${lane} does ${asked}`, ms: random.pick(STEP_MS) };
    if (kind < 8) {
      const messages = [`Which is ${lane}.${asked}?`, `And which is ${lane}.${asked}?`];
      return { kind: "round", messages, forMs: time() };
    }
    if (kind < 9) return { kind: "think", ms: random.chance(0.3) ? 1000 : 10 };
    return { kind: "progress" };
  }

  function drawLane(lane: string): readonly Act[] {
    const acts = Array.from({ length: 1 + random.below(3) }, () => drawAct(lane));
    if (!random.chance(0.15)) return acts;
    // A loop asks the same question each time.
    const again: Act = { kind: "ask", message: `Another one for ${lane}?`, mode: "form", forMs: HOUR };
    const book: Act = { kind: "step", name: `${lane} adds one`, ms: 5 };
    return [...acts.slice(1), again, book, again, book];
  }

  function drawCall(round: number, index: number): Call {
    const id = `call_${round}_${index}`;
    const count = random.chance(0.35) ? 2 : 1;
    const lanes = Array.from({ length: count }, (_, lane) => drawLane(`${id}/${lane}`));
    return { id, name: `tool_${round}_${index}`, lanes, isLater: random.chance(0.2) };
  }

  const rounds = Array.from({ length: random.chance(0.3) ? 2 : 1 }, (_, round) =>
    Array.from({ length: random.pick([1, 1, 2, 2, 3]) }, (_call, index) => drawCall(round, index)),
  );
  if (!isDeadly) return { rounds, isDeadly };
  const deadly: Call = { id: "call_deadly", name: "deadly", lanes: [[{ kind: "die" }]] };
  return { rounds: [...rounds, [deadly]], isDeadly };
}

/** The program after an update of the application, which changes one act. */
export function updateProgram(program: Program, random: Random): Program {
  const round = random.below(program.rounds.length);
  const calls = program.rounds[round] ?? [];
  const target = random.below(calls.length);
  const change = random.below(5);
  const rounds = program.rounds.map((same, index) =>
    index === round ? same.map((call, at) => (at === target ? updateCall(call, change) : call)) : same,
  );
  return { ...program, rounds };
}

function updateCall(call: Call, change: number): Call {
  const [lane = [], ...others] = call.lanes;
  const [first, ...rest] = lane;
  const added: Act = { kind: "ask", message: "Delete the database?", mode: "form", forMs: HOUR };
  switch (change) {
    case 0:
      return { ...call, lanes: [[added, ...lane], ...others] };
    case 1:
      return { ...call, name: `${call.name}_renamed` };
    case 2:
      return { ...call, lanes: [[...lane, added], ...others] };
    case 3:
      return { ...call, lanes: [rest, ...others] };
    default:
      return {
        ...call,
        lanes: [
          first?.kind === "ask" ? [{ ...first, message: `${first.message} Really?` }, ...rest] : lane,
          ...others,
        ],
      };
  }
}
