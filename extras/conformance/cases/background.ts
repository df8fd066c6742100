import type { ConformanceRule } from "../case.ts";
import type { Chunk } from "../chunk-stream.ts";
import { ensure } from "../reply.ts";
import {
  type Asked,
  SETTLE_MS,
  answer,
  ask,
  ensureGoesOn,
  ensureResolved,
  ensureSettled,
  ensureStatus,
  isRequestChunk,
  isToolInput,
} from "../steps.ts";
import type { TestContext } from "../test-context.ts";

/** Rules for questions that wait in the background. This feature is optional. */
export const backgroundCases: readonly ConformanceRule[] = [
  {
    id: "background/works-on",
    rule: "While a question waits in the background, the agent works on: its text follows the tool call while the request is open. The turn ends only after the answer, and continues with it on the same stream.",
    async run(context) {
      const asked = await askMeanwhile(context);
      const { stream } = asked.turn;
      const isLater = (chunk: Chunk) =>
        isText(chunk) && stream.chunks.indexOf(chunk) > stream.chunks.findIndex(isToolInput);
      await stream.until("text of the agent while the question is open", isLater);
      await stream.staysOpen(SETTLE_MS, ({ type }) => type !== "finish");
      await ensureStatus(asked, "pending");
      ensureSettled(await answer(asked, "accept", context.need("form").fits), asked, "accepted");
      await ensureContinued(asked, "accepted");
    },
  },
  {
    id: "background/declined",
    rule: "A decline of a question in the background ends the question, and the turn continues with it.",
    async run(context) {
      const asked = await askMeanwhile(context);
      ensureSettled(await answer(asked, "decline"), asked, "declined");
      await ensureContinued(asked, "declined");
    },
  },
];

async function askMeanwhile(context: TestContext): Promise<Asked> {
  const [person] = context.people();
  return ask(person, context.need("background"));
}

/** The outcome is on the stream, and the agent says something after it. */
async function ensureContinued(asked: Asked, outcome: "accepted" | "declined"): Promise<void> {
  await ensureResolved(asked, outcome);
  const chunks = await ensureGoesOn(asked.turn);
  const rest = chunks.slice(chunks.findLastIndex(isRequestChunk));
  ensure(rest.some(isText), "the agent should have gone on with the answer, but it wrote no text after it");
}

const isText = ({ type }: Chunk): boolean => type === "text-delta";
