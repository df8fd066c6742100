import { isObject } from "../contract/json.ts";
import { withoutParts } from "../contract/message-parts.ts";

interface Part {
  readonly type: string;
  readonly id?: unknown;
  readonly toolCallId?: unknown;
}

interface Streaming {
  doStream(options: unknown): PromiseLike<{ readonly stream: ReadableStream<Part> }>;
}

/**
 * Wraps the model of one turn. Some providers give each call of a tool the id of an earlier one, such as `call_0` in
 * every answer. Later calls get a number, because otherwise a call would get the record, the refusal and the place in the
 * chat of another one. `counts` stores how many calls had an id. The models of one turn share it. Any other value than a
 * model, such as its name, is returned unchanged.
 */
export function withUniqueCallIds<Model>(model: Model, counts: Map<string, number> = new Map()): Model {
  if (!isStreaming(model)) return model;
  const doStream: Streaming["doStream"] = async (options) => {
    const result = await model.doStream(options);
    return { ...result, stream: result.stream.pipeThrough(renaming(counts)) };
  };
  return new Proxy(model, {
    get(target, key) {
      if (key === "doStream") return doStream;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function renaming(counts: Map<string, number>): TransformStream<Part, Part> {
  /** The calls of this answer, by the provider's id. */
  const names = new Map<string, string>();
  /** The calls whose input is complete. */
  const complete = new Set<string>();

  function nameOf(id: string, isCall: boolean): string {
    const known = names.get(id);
    if (known !== undefined && !(isCall && complete.has(id))) return known;
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    const name = count === 1 ? id : `${id}_${count}`;
    names.set(id, name);
    complete.delete(id);
    return name;
  }

  return new TransformStream({
    transform(part, controller) {
      const { type, id, toolCallId } = part;
      const isCall = type === "tool-input-start" || type === "tool-call";
      if (typeof toolCallId === "string") {
        controller.enqueue({ ...part, toolCallId: nameOf(toolCallId, isCall) });
        if (type === "tool-call") complete.add(toolCallId);
      } else if (type.startsWith("tool-input-") && typeof id === "string") {
        controller.enqueue({ ...part, id: nameOf(id, isCall) });
      } else {
        controller.enqueue(part);
      }
    },
  });
}

function isStreaming<Model>(model: Model): model is Model & object & Streaming {
  return typeof model === "object" && model !== null && "doStream" in model;
}

/**
 * Removes tool calls that wait for an approval, or are said to have it. The agent asks for approvals within the turn, so
 * only a client can have written them. The AI SDK would run an approved one with the client's input, although no model
 * made the call. Some of its versions keep a waiting one without a result, which model providers refuse.
 */
export function withoutApprovals(messages: readonly unknown[]): unknown[] {
  return withoutParts(messages, (part) => isObject(part) && APPROVAL_STATES.has(part["state"]));
}

const APPROVAL_STATES: ReadonlySet<unknown> = new Set(["approval-requested", "approval-responded"]);
