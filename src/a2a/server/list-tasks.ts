import { type ListTasksRequest, type ListTasksResponse, TaskState } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import { type OpenTask, readTask, shown } from "./open-task.ts";
import type { Tasks } from "./tasks.ts";

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 100;
/** The newest tasks of a caller that are looked through. */
const MAX_LISTED = 1000;

/** A page of the caller's tasks, the newest first. */
export async function listTasks(
  tasks: Tasks,
  request: ListTasksRequest,
  signal: AbortSignal,
): Promise<ListTasksResponse> {
  const { contextId, pageSize = DEFAULT_PAGE_SIZE, pageToken, historyLength, includeArtifacts } = request;
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > MAX_PAGE_SIZE) {
    throw new RequestMalformedError(`pageSize must be from 1 to ${MAX_PAGE_SIZE}.`);
  }
  const fits = filterOf(request);
  const found: OpenTask[] = [];
  for await (const task of tasks.list(MAX_LISTED)) {
    if (contextId !== "" && task.contextId !== contextId) continue;
    if (fits === undefined || (await fits(task, signal))) found.push(task);
  }
  const from = pageToken === "" ? 0 : found.findIndex(({ taskId }) => taskId === pageToken) + 1;
  if (pageToken !== "" && from === 0) throw new RequestMalformedError("pageToken is not of this list.");
  const page = found.slice(from, from + pageSize);
  const listed = await Promise.all(
    page.map(async (task) => {
      const all = shown(task, await readTask(task, signal), historyLength);
      return includeArtifacts === true ? all : { ...all, artifacts: [] };
    }),
  );
  const hasMore = from + page.length < found.length;
  return {
    tasks: listed,
    nextPageToken: hasMore ? (page.at(-1)?.taskId ?? "") : "",
    pageSize,
    totalSize: found.length,
  };
}

/** Whether a task has the wanted status. `undefined`: every task has it, and none needs to be read. */
function filterOf({
  status,
  statusTimestampAfter,
}: ListTasksRequest): ((task: OpenTask, signal: AbortSignal) => Promise<boolean>) | undefined {
  const isAny = status === TaskState.TASK_STATE_UNSPECIFIED;
  if (TaskState[status] === undefined || status === TaskState.UNRECOGNIZED) {
    throw new RequestMalformedError("status is not a state of a task.");
  }
  const after = statusTimestampAfter === undefined ? -Infinity : Date.parse(statusTimestampAfter);
  if (Number.isNaN(after)) throw new RequestMalformedError("statusTimestampAfter must be a timestamp.");
  if (isAny && after === -Infinity) return undefined;
  return async (task, signal) => {
    const now = shown(task, await readTask(task, signal), 0).status;
    const at = now?.timestamp === undefined ? 0 : Date.parse(now.timestamp);
    return (isAny || now?.state === status) && at >= after;
  };
}
