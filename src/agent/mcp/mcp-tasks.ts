import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import type { StartedTask } from "../../mcp/relay/tasks.ts";
import { isObject } from "../../contract/json.ts";

/** The property that holds the task in a result that {@link withTask} has let through. */
const TASK = "elicit-kit/task";

/** Returns the task in a result, if there is one. */
export function taskIn(result: unknown): StartedTask | undefined {
  const task = isObject(result) ? result[TASK] : undefined;
  if (!isObject(task)) return undefined;
  const { era, about } = task;
  return era === "2025" || era === "2026" ? { era, about } : undefined;
}

/**
 * Lets a task result through. The SDK's client does not know it and would reject the call, so it gets a normal result with
 * the task inside.
 */
export function withTask(message: JSONRPCMessage): JSONRPCMessage {
  const task = "result" in message ? startedBy(message.result) : undefined;
  if (task === undefined) return message;
  // With `isError`, because the SDK requires structured content in other results.
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
