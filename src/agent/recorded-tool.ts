import type { Tool } from "ai";
import { KitError } from "../contract/kit-error.ts";
import { createDeferred } from "../base/deadlines.ts";
import { ToolFailure } from "../base/tool-failure.ts";
import type { Turn } from "../runtime/index.ts";
import { type CallChanges, type Called, type Rest, recordedCall } from "./call-changes.ts";

/** The tool call as the runner sees it. Its id is the same in every run of the turn. */
export function callOf(
  turn: Pick<Turn, "id">,
  name: string,
  toolCallId: string,
): { id: string; name: string } {
  return { id: `${turn.id}/${toolCallId}`, name };
}

/**
 * Wraps a tool so that the turn's runner makes and records its calls. A tool that streams its output (`async *execute`)
 * is returned unchanged, because a stream cannot be recorded as one result. `onError` gets the kit's own errors, such as
 * those of questions that need a key, because the AI SDK passes errors of tools only to the model. `changes`:
 * the accounts of the turn, if a call can change them.
 */
export function recordedTool(
  turn: Turn,
  name: string,
  {
    tool,
    changes,
    onError,
  }: {
    readonly tool: Tool;
    readonly changes?: CallChanges | undefined;
    readonly onError: (error: unknown) => void;
  },
): Tool {
  const { execute } = tool;
  if (execute === undefined || isGenerator(execute)) return tool;
  // Also copies non-enumerable properties, because the AI SDK stores data there.
  const copy: Tool = Object.defineProperties({ ...tool }, Object.getOwnPropertyDescriptors(tool));
  copy.execute = (input, options) => {
    let stream: AsyncIterable<unknown> | undefined;
    let isAwaited = false;
    const { toolCallId } = options;
    const call = callOf(turn, name, toolCallId);
    /** The result of a call that continues in the background. */
    const first = createDeferred<unknown>();
    const result = recordedCall(turn, { ...call, input }, changes, async () => {
      try {
        const output: unknown = execute(input, options);
        if (isAwaited || !isStream(output)) {
          const asked = await lastOf(await output);
          const rest = turn.background.of(toolCallId);
          if (rest === undefined) return { value: asked, rest: null };
          first.resolve(asked);
          // The call is recorded at its end. If the turn runs again before that, the call asks the same questions.
          return { value: asked, rest: await endOf(rest) };
        }
        stream = output;
        return { value: undefined, rest: null };
      } catch (error) {
        if (error instanceof KitError && !turn.signal.aborted) onError(error);
        throw error;
      }
    });
    // The in-memory runner has already called `execute`, so a stream can be passed on unchanged.
    isAwaited = true;
    return (
      stream ??
      Promise.race([
        first.promise,
        result.then((called) => firstOf(turn, { toolCallId, tool: name }, called)),
      ])
    );
  };
  return copy;
}

const endOf = (rest: Promise<unknown>): Promise<Rest> =>
  rest.then(
    (output) => ({ output }),
    (error: unknown) => ({ failure: String(error) }),
  );

/** The first result of a call. If the call ended in an earlier run of the turn, its end is ready again. */
function firstOf(
  turn: Turn,
  call: { toolCallId: string; tool: string },
  { value, rest }: Called<unknown>,
): unknown {
  if (rest !== null && turn.background.of(call.toolCallId) === undefined) {
    turn.background.run(call, async () => {
      if (rest.failure !== undefined) throw new ToolFailure(rest.failure);
      return rest.output;
    });
  }
  return value;
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
