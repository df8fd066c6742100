import { isObject } from "../../contract/json.ts";
import { ElicitorError, KitError } from "../../contract/kit-error.ts";
import * as z from "zod/v4/core";
import { asJsonSchema } from "../../form/zod-form.ts";
import { ToolFailure } from "../../base/tool-failure.ts";
import { type Changes, differences, keepingChanges, withChanges } from "./changes.ts";
import type { Elicitor } from "./elicitor-interface.ts";

/** A tool of the AI SDK, of any version, or another object of this form. */
export interface ApprovableTool {
  readonly title?: string | undefined;
  /** A zod schema, or a schema of the AI SDK (`jsonSchema`). Others are shown by the names of the arguments. */
  readonly inputSchema?: unknown;
  readonly execute?: ((input: never, options: never) => unknown) | undefined;
  readonly toModelOutput?: ((given: never) => unknown) | undefined;
}

type InputOf<T> = T extends { execute?: ((input: infer Input, ...rest: never[]) => unknown) | undefined }
  ? Input
  : unknown;

/** The options of {@link askFirst}. */
export interface AskFirstOptions<Input> {
  /**
   * Whether this call needs approval. In a durable turn it must give the same result when the turn runs again.
   * @default every call
   */
  when?:
    | ((input: Input, options: { readonly toolCallId: string }) => boolean | PromiseLike<boolean>)
    | undefined;
  /** The arguments that the user may change. The others are rows to read. @default none */
  edit?: readonly (keyof Input & string)[] | undefined;
  /** Lets the user allow all calls of this tool in this conversation. @default false */
  remember?: boolean | undefined;
}

/**
 * Asks the user before a tool runs, on a card with its title and its arguments. What they approve is what runs: with
 * `edit`, as they have changed it, and the model reads what they changed. Otherwise `execute` is not called, and the model
 * reads why. Use the result as a tool of `createAgentTurn`. In your own `streamText`, call it with an elicitor:
 * `askFirst(refund)({ elicitor: (toolCallId) => createElicitor({ turn, tool: "refund", toolCallId }) })`.
 */
export function askFirst<T extends ApprovableTool>(
  tool: T,
  { when = () => true, edit = [], remember = false }: AskFirstOptions<InputOf<T>> = {},
): (context: { readonly elicitor: (toolCallId: string) => Pick<Elicitor, "review"> }) => T {
  const { execute, toModelOutput } = tool;
  if (execute === undefined) {
    throw new KitError(
      "elicit-kit: askFirst needs a tool with `execute`. A tool that runs in the browser asks there.",
    );
  }
  return ({ elicitor }) => {
    const approved = async (input: InputOf<T>, options: CallOptions): Promise<Approved> => {
      const { toolCallId, abortSignal: signal } = options;
      const draft: unknown = input;
      if (!(await when(input, options))) return { input, changed: undefined };
      const given = isObject(draft) ? draft : {};
      const schema = await jsonSchemaOf(tool.inputSchema);
      const asked = await elicitor(toolCallId).review(tool.title ?? "", given, schema, {
        edit,
        remember,
        signal,
      });
      if (asked.outcome !== "accepted") throw new ToolFailure(asked.text);
      if (asked.changed.length === 0) return { input, changed: undefined };
      const { value, changed } = asked;
      await checkArguments(tool.inputSchema, value);
      return { input: value, changed: differences(given, value, changed) };
    };
    const run = (input: unknown, options: unknown): unknown => Reflect.apply(execute, tool, [input, options]);
    const asking = isGenerator(execute)
      ? async function* askBefore(input: InputOf<T>, options: CallOptions) {
          const call = await approved(input, options);
          const output = run(call.input, options);
          if (!isStream(output)) return;
          for await (const part of output) yield withChanges(part, call.changed);
        }
      : async (input: InputOf<T>, options: CallOptions) => {
          const call = await approved(input, options);
          const output = run(call.input, options);
          return withChanges(isStream(output) ? await lastOf(output) : await output, call.changed);
        };
    // Also copies non-enumerable properties, because the AI SDK stores data there.
    const copy: T = Object.defineProperties({ ...tool }, Object.getOwnPropertyDescriptors(tool));
    const output = toModelOutput && {
      toModelOutput: keepingChanges((given) => Reflect.apply(toModelOutput, tool, [given])),
    };
    return Object.assign(copy, { execute: asking, ...output });
  };
}

interface CallOptions {
  readonly toolCallId: string;
  readonly abortSignal?: AbortSignal | undefined;
}

/** The call that was approved, and a note for the model about what the user has changed. */
interface Approved {
  readonly input: unknown;
  readonly changed: Changes | undefined;
}

/** The JSON Schema of a tool's arguments, as the AI SDK reads it. Empty if it cannot be known. */
async function jsonSchemaOf(inputSchema: unknown): Promise<Readonly<Record<string, unknown>>> {
  const schema = lazy(inputSchema);
  if (isZod(schema)) {
    try {
      return { ...asJsonSchema(schema) };
    } catch (error) {
      if (error instanceof ElicitorError) return {};
      throw error;
    }
  }
  const json: unknown = isObject(schema) ? await schema["jsonSchema"] : undefined;
  return isObject(json) ? json : {};
}

/** Checks what the user has changed with the schema of the tool. */
async function checkArguments(inputSchema: unknown, value: object): Promise<void> {
  const schema = lazy(inputSchema);
  const validate = isObject(schema) ? schema["validate"] : undefined;
  const checked: unknown = isZod(schema)
    ? await z.safeParseAsync(schema, value)
    : typeof validate === "function"
      ? await Reflect.apply(validate, schema, [value])
      : undefined;
  if (!isObject(checked) || checked["success"] !== false) return;
  throw new ToolFailure(
    "The user approved other values, but the tool does not accept them together. Nothing was done. Ask the user what they want.",
  );
}

/** `lazySchema` of the AI SDK is a function. */
function lazy(schema: unknown): unknown {
  return typeof schema === "function" ? Reflect.apply(schema, undefined, []) : schema;
}

/** By its mark, because an app may have another copy of zod. */
function isZod(schema: unknown): schema is z.$ZodType {
  return typeof schema === "object" && schema !== null && "_zod" in schema;
}

function isGenerator(execute: object): boolean {
  return Object.prototype.toString.call(execute) === "[object AsyncGeneratorFunction]";
}

function isStream(output: unknown): output is AsyncIterable<unknown> {
  return typeof output === "object" && output !== null && Symbol.asyncIterator in output;
}

async function lastOf(output: AsyncIterable<unknown>): Promise<unknown> {
  let last: unknown;
  for await (const value of output) last = value;
  return last;
}
