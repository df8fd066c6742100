import type { ModelMessage, UIMessageChunk, streamText } from "ai";
import type { Turn } from "../runtime/index.ts";

type Result = Pick<ReturnType<typeof streamText>, "stream" | "responseMessages">;

/** The parts of an agent's loop. */
interface Loop<Run extends Result> {
  readonly messages: readonly ModelMessage[];
  /** Runs the model and its tools until the model has nothing else to do. */
  readonly run: (messages: ModelMessage[]) => Run;
  readonly chunksOf: (run: Run) => ReadableStream<UIMessageChunk>;
}

/**
 * Runs the loop again with each answer of a question in the background, until none is open. For the client this is one
 * message with one beginning and one end.
 */
export async function* untilNothingIsOpen<Run extends Result>(
  turn: Pick<Turn, "background">,
  { messages, run, chunksOf }: Loop<Run>,
): AsyncGenerator<UIMessageChunk> {
  const said = [...messages];
  for (let isFirst = true; ; isFirst = false) {
    const result = run([...said]);
    let finish: UIMessageChunk | undefined;
    let hasFailed = false;
    for await (const chunk of chunksOf(result)) {
      hasFailed ||= chunk.type === "error" || chunk.type === "abort";
      if (chunk.type === "finish") finish = chunk;
      else if (isFirst || chunk.type !== "start") yield chunk;
    }
    const ended = hasFailed ? [] : await turn.background.next();
    if (ended.length === 0) {
      if (finish !== undefined) yield finish;
      return;
    }
    said.push(...(await result.responseMessages));
    for (const { text } of ended) said.push({ role: "user", content: text });
  }
}
