import type { Tool } from "ai";
import { KitError } from "../contract/kit-error.ts";
import type { Turn } from "../runtime/index.ts";

/** The tool call as the runner sees it. Its id is the same in every run of the turn. */
export function callOf(turn: Turn, name: string, toolCallId: string): { id: string; name: string } {
  return { id: `${turn.id}/${toolCallId}`, name };
}

/**
 * Wraps a tool so that the turn's runner makes and records its calls. A tool that streams its output (`async *execute`)
 * is returned unchanged, because a stream cannot be recorded as one result. `onError` gets the kit's own errors, such as
 * those of questions that need a key, because the AI SDK passes errors of tools only to the model.
 */
export function recordedTool(
  turn: Turn,
  name: string,
  { tool, onError }: { readonly tool: Tool; readonly onError: (error: unknown) => void },
): Tool {
  const { execute } = tool;
  if (execute === undefined || isGenerator(execute)) return tool;
  // Also copies non-enumerable properties, because the AI SDK stores data there.
  const copy: Tool = Object.defineProperties({ ...tool }, Object.getOwnPropertyDescriptors(tool));
  copy.execute = (input, options) => {
    let stream: AsyncIterable<unknown> | undefined;
    let isAwaited = false;
    const result = turn.runner.tool({ ...callOf(turn, name, options.toolCallId), input }, async () => {
      try {
        const output: unknown = execute(input, options);
        if (isAwaited || !isStream(output)) return await lastOf(await output);
        stream = output;
        return undefined;
      } catch (error) {
        if (error instanceof KitError && !turn.signal.aborted) onError(error);
        throw error;
      }
    });
    // The in-memory runner has already called `execute`, so a stream can be passed on unchanged.
    isAwaited = true;
    return stream ?? result;
  };
  return copy;
}

function isGenerator(execute: object): boolean {
  return Object.prototype.toString.call(execute) === "[object AsyncGeneratorFunction]";
}

/** Reads a stream to its end and returns its last output. */
async function lastOf(output: unknown): Promise<unknown> {
  if (!isStream(output)) return output;
  let last: unknown;
  for await (const value of output) last = value;
  return last;
}

function isStream(output: unknown): output is AsyncIterable<unknown> {
  return typeof output === "object" && output !== null && Symbol.asyncIterator in output;
}
