import { parseProblem } from "../contract/guard.ts";
import { dataOf } from "./hardened-stream.ts";
import { createSseSplitter } from "./sse-splitter.ts";

/** Parses the events of a hardened stream while reading. */
export function chunksOf<Chunk>(body: ReadableStream<Uint8Array>, onEnd?: () => void): ReadableStream<Chunk> {
  const reader = body.getReader();
  const splitter = createSseSplitter();
  const decoder = new TextDecoder();
  return new ReadableStream<Chunk>(
    {
      async pull(controller) {
        try {
          for (let isEmpty = true; isEmpty;) {
            const { done, value } = await reader.read();
            for (const event of done ? splitter.rest() : splitter.split(value)) {
              const data = dataOf(decoder.decode(event));
              if (data === undefined || data === "[DONE]") continue;
              controller.enqueue(JSON.parse(data));
              isEmpty = false;
            }
            if (!done) continue;
            onEnd?.();
            return controller.close();
          }
        } catch (error) {
          onEnd?.();
          throw error;
        }
      },
      async cancel(reason) {
        onEnd?.();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** The error when the server does not reply with a stream. Its `cause` is the server's refusal, if it has sent one. */
export async function refusalOf(url: string, response: Response): Promise<Error> {
  const problem = parseProblem(await response.json().catch(() => undefined));
  if (problem.ok) return new Error(problem.value.detail, { cause: problem.value });
  const what = response.ok ? "sent no event stream" : `answered ${response.status}`;
  return new Error(`elicit-kit: ${url} ${what}. Is \`api\` the base of the contract's routes?`);
}
