import type { FormQuestion, RunTurn } from "../../../src/runtime/index.ts";
import { CONNECT, text } from "../test-runtime.ts";

/** A request to connect an account of a service with a name. */
export const SERVICE = { ...CONNECT, service: { name: "Tracker" } };

/** A turn that writes a text, asks, and writes the outcome. */
export function talking(question: typeof SERVICE | FormQuestion, before = "Let me look. "): RunTurn {
  return async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    yield* text(before);
    const { outcome } = await turn.ask(question);
    yield* text(`It was ${outcome}.`);
    yield { type: "finish" };
  };
}
