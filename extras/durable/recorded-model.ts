import { isObject } from "../../src/contract/json.ts";
import { KitError } from "../../src/contract/kit-error.ts";

/** Records the calls of a model. */
export interface ModelRecorder {
  /** The next call. Only streamed calls can appear in the log of the turn. `options`: what tells it from calls at once. */
  begin(kind: "stream" | "generate", options: unknown): ModelCall;
}

export interface ModelCall {
  /** The result of this call in an earlier run of the turn. */
  readonly known: { readonly value: unknown } | undefined;
  record(value: unknown): Promise<void>;
  /** The call failed or was cancelled. It frees its number. */
  fail(): void;
}

interface StreamResult {
  readonly stream: ReadableStream<unknown>;
}

/**
 * The methods of a language model of the AI SDK. They are found by name, so that this module depends on no version of the
 * SDK.
 */
interface Callable {
  doStream?(options: unknown): PromiseLike<StreamResult>;
  doGenerate?(options: unknown): PromiseLike<unknown>;
}

/** Wraps a language model of the AI SDK. Any other value, such as the name of a model, is returned unchanged. */
export function recordedModel<Model>(model: Model, recorder: () => ModelRecorder): Model {
  if (!isCallable(model)) return model;
  const calls: Callable = {
    doStream: (options) =>
      recordedStream(recorder().begin("stream", lasting(model, options)), async () =>
        model.doStream?.(options),
      ),
    doGenerate: (options) =>
      recordedResult(recorder().begin("generate", lasting(model, options)), async () =>
        model.doGenerate?.(options),
      ),
  };
  return new Proxy(model, {
    get(target, key) {
      if (key === "doStream" || key === "doGenerate") return calls[key];
      // Calls the method on the model itself, because a class with private fields fails behind a proxy.
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** What is the same when the turn runs again. Headers may have a token, or an id for each request. */
function lasting(model: object, options: unknown): unknown {
  const id = "modelId" in model ? model.modelId : undefined;
  if (!isObject(options)) return [id];
  const { abortSignal: _, headers: __, ...rest } = options;
  return [id, rest];
}

async function recordedResult(call: ModelCall, generate: () => Promise<unknown>): Promise<unknown> {
  if (call.known !== undefined) return call.known.value;
  try {
    const result = await generate();
    await call.record(result);
    return result;
  } catch (error) {
    call.fail();
    throw error;
  }
}

async function recordedStream(
  call: ModelCall,
  begin: () => Promise<StreamResult | undefined>,
): Promise<StreamResult> {
  if (call.known !== undefined) return { stream: streamOf(call.known.value) };
  try {
    const result = await begin();
    if (result === undefined) throw new KitError("elicit-kit: the model cannot stream.");
    return { ...result, stream: recording(result.stream, call) };
  } catch (error) {
    call.fail();
    throw error;
  }
}

/** Passes a stream on. Holds back its end and all tool calls until the stream is recorded. */
function recording(stream: ReadableStream<unknown>, call: ModelCall): ReadableStream<unknown> {
  const parts: unknown[] = [];
  const held: unknown[] = [];
  let isDone = false;
  let isComplete = false;
  const reader = stream.getReader();
  function fail(): void {
    if (!isDone) call.fail();
    isDone = true;
  }
  return new ReadableStream<unknown>(
    {
      async pull(controller) {
        try {
          for (;;) {
            const { done, value } = await reader.read();
            if (done) break;
            parts.push(value);
            const type = typeOf(value);
            isComplete ||= type === "finish";
            if (held.length > 0 || type === "tool-call" || type === "finish") {
              held.push(value);
            } else {
              controller.enqueue(value);
              return;
            }
          }
          if (isComplete && !parts.some((part) => typeOf(part) === "error")) await call.record(parts);
          else fail();
          isDone = true;
          for (const part of held) controller.enqueue(part);
          controller.close();
        } catch (error) {
          fail();
          throw error;
        }
      },
      async cancel(reason) {
        fail();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function streamOf(parts: unknown): ReadableStream<unknown> {
  return new ReadableStream<unknown>({
    start(controller) {
      for (const part of Array.isArray(parts) ? parts : []) controller.enqueue(part);
      controller.close();
    },
  });
}

function typeOf(part: unknown): unknown {
  return typeof part === "object" && part !== null && "type" in part ? part.type : undefined;
}

function isCallable<Model>(model: Model): model is Model & object & Callable {
  return typeof model === "object" && model !== null && ("doStream" in model || "doGenerate" in model);
}
