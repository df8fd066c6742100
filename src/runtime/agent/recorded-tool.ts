import type { Tool } from "ai";
import type { Turn } from "../core/index.ts";

/** A call of a tool, by an id that is the same whenever its turn runs. */
export function callOf(turn: Turn, name: string, toolCallId: string): { id: string; name: string } {
  return { id: `${turn.id}/${toolCallId}`, name };
}

/**
 * The same tool, with each of its calls made by what runs the turn. One that streams its output (`async *execute`) stays
 * as it is: what it says on its way cannot be recorded as one result.
 */
export function recordedTool(turn: Turn, name: string, tool: Tool): Tool {
  const { execute } = tool;
  if (execute === undefined || isGenerator(execute)) return tool;
  // With what the AI SDK keeps on a tool besides its enumerable properties.
  const copy: Tool = Object.defineProperties({ ...tool }, Object.getOwnPropertyDescriptors(tool));
  copy.execute = (input, options) => {
    let stream: AsyncIterable<unknown> | undefined;
    let isAwaited = false;
    const result = turn.runner.tool(callOf(turn, name, options.toolCallId), async () => {
      const output: unknown = execute(input, options);
      if (isAwaited || !isStream(output)) return lastOf(await output);
      stream = output;
      return undefined;
    });
    // A runner that only calls has called by now: what the tool says on its way goes on as it comes.
    isAwaited = true;
    return stream ?? result;
  };
  return copy;
}

function isGenerator(execute: object): boolean {
  return Object.prototype.toString.call(execute) === "[object AsyncGeneratorFunction]";
}

/** Of a stream of outputs that is made when nobody can take it as one any more, the last one counts. */
async function lastOf(output: unknown): Promise<unknown> {
  if (!isStream(output)) return output;
  let last: unknown;
  for await (const value of output) last = value;
  return last;
}

function isStream(output: unknown): output is AsyncIterable<unknown> {
  return typeof output === "object" && output !== null && Symbol.asyncIterator in output;
}
