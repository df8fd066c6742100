import { type Mutant, dataOf, isRequest, onChunk } from "./mutant.ts";

/** Servers that break a rule for questions in the background. */
export const backgroundMutants: readonly Mutant[] = [
  {
    wrong: "says nothing while a question waits in the background",
    caughtBy: ["background/works-on"],
    hooks: { background: "Book a hotel." },
  },
  {
    wrong: "ends a question in the background without its outcome",
    caughtBy: ["background/works-on", "background/declined"],
    break: onChunk((chunk) =>
      isRequest(chunk) ? { ...chunk, data: { ...dataOf(chunk), resolution: undefined } } : chunk,
    ),
  },
];
