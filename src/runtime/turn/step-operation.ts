import type { TurnOperation } from "../ports/index.ts";

/** What makes a step the same in two runs of a turn: its name, and its key if it has one. */
export function stepOperation(name: string, key: string | undefined): TurnOperation {
  const identity = JSON.stringify(key === undefined ? [name] : [name, key]);
  return { kind: "step", name, identity, shape: "", hasKey: key !== undefined };
}
