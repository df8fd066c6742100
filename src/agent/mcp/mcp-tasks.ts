import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { StartedTask } from "../../protocols/mcp/relay/tasks.ts";
import { isObject } from "../../contract/json.ts";

/** The member that holds the task in a result that {@link passTasks} has let through. */
const TASK = "elicit-kit/task";

/**
 * Lets results through that are tasks. The SDK's client knows no such result and would reject the call, so it is given a
 * finished one with the task inside.
 */
export function passTasks(transport: Transport): void {
  let receive = transport.onmessage;
  Object.defineProperty(transport, "onmessage", {
    configurable: true,
    enumerable: true,
    get: () => receive,
    set(next: Transport["onmessage"]) {
      receive = next && ((message, extra) => next(withTask(message), extra));
    },
  });
}

/** The task in a result, if it is one. */
export function taskIn(result: unknown): StartedTask | undefined {
  const task = isObject(result) ? result[TASK] : undefined;
  if (!isObject(task)) return undefined;
  const { era, about } = task;
  return era === "2025" || era === "2026" ? { era, about } : undefined;
}

function withTask(message: JSONRPCMessage): JSONRPCMessage {
  const task = "result" in message ? startedBy(message.result) : undefined;
  if (task === undefined) return message;
  // `isError`, because the SDK demands structured content of other results.
  const result = { content: [], isError: true, [TASK]: task };
  return { ...message, result: task.era === "2026" ? { ...result, resultType: "complete" } : result };
}

function startedBy({
  resultType,
  task,
  content,
  ...rest
}: Readonly<Record<string, unknown>>): StartedTask | undefined {
  if (resultType === "task") return { era: "2026", about: rest };
  const isTask = resultType === undefined && content === undefined && isObject(task) && "taskId" in task;
  return isTask ? { era: "2025", about: task } : undefined;
}
