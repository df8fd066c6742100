import { type ListTasksRequest, type ListTasksResponse, TaskState } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import { isObject } from "../../../contract/json.ts";
import { type OpenTask, readTask, shown } from "./open-task.ts";
import type { TaskNow } from "./task.ts";
import type { Tasks } from "./tasks.ts";

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 100;
/** The newest tasks of a caller that are looked through. */
const MAX_LISTED = 1000;
/** Logs that are read at the same time. */
const MAX_READS = 20;

/** Where a task is in the list: the last change first. Two tasks that changed together are ordered by their ids. */
interface Place {
  readonly at: number;
  readonly id: string;
}

interface Listed extends Place {
  readonly task: OpenTask;
  readonly now: TaskNow;
}

/**
 * A page of the caller's tasks, those that have changed last first. A page begins after the place of the last task before
 * it, in any process. A task that changes between two pages moves to the front, so no task is on two pages.
 */
export async function listTasks(
  tasks: Tasks,
  request: ListTasksRequest,
  signal: AbortSignal,
): Promise<ListTasksResponse> {
  const { contextId, pageSize = DEFAULT_PAGE_SIZE, historyLength, includeArtifacts } = request;
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > MAX_PAGE_SIZE) {
    throw new RequestMalformedError(`pageSize must be from 1 to ${MAX_PAGE_SIZE}.`);
  }
  if (historyLength !== undefined && !(Number.isInteger(historyLength) && historyLength >= 0)) {
    throw new RequestMalformedError("historyLength must be a whole number, 0 or more.");
  }
  const fits = filterOf(request);
  const after = placeOf(request.pageToken);
  const opened: OpenTask[] = [];
  for await (const task of tasks.list(MAX_LISTED)) {
    if (contextId === "" || task.contextId === contextId) opened.push(task);
  }
  const found = (await readAll(opened, signal)).filter(fits).toSorted(byPlace);
  const rest = after === undefined ? found : found.filter((place) => byPlace(after, place) < 0);
  const page = rest.slice(0, pageSize);
  const last = page.at(-1);
  return {
    tasks: page.map(({ task, now }) => {
      const all = shown(task, now, historyLength);
      return includeArtifacts === true ? all : { ...all, artifacts: [] };
    }),
    nextPageToken: last !== undefined && page.length < rest.length ? tokenOf(last) : "",
    pageSize,
    totalSize: found.length,
  };
}

async function readAll(tasks: readonly OpenTask[], signal: AbortSignal): Promise<Listed[]> {
  const listed: Listed[] = [];
  for (let from = 0; from < tasks.length; from += MAX_READS) {
    const read = tasks.slice(from, from + MAX_READS).map(async (task): Promise<Listed> => {
      const now = await readTask(task, signal);
      return { task, now, id: task.taskId, at: now.log.at ?? 0 };
    });
    listed.push(...(await Promise.all(read)));
  }
  return listed;
}

function byPlace(one: Place, other: Place): number {
  if (one.at !== other.at) return other.at - one.at;
  if (one.id === other.id) return 0;
  return one.id > other.id ? -1 : 1;
}

function tokenOf({ at, id }: Place): string {
  return btoa(JSON.stringify({ at, id }));
}

function placeOf(token: string): Place | undefined {
  if (token === "") return undefined;
  try {
    const place: unknown = JSON.parse(atob(token));
    const { at, id } = isObject(place) ? place : {};
    if (typeof at === "number" && typeof id === "string") return { at, id };
  } catch {
    // Not a token of this list.
  }
  throw new RequestMalformedError("pageToken is not of this list.");
}

/** Whether a task has the wanted status. */
function filterOf({ status, statusTimestampAfter }: ListTasksRequest): (listed: Listed) => boolean {
  if (TaskState[status] === undefined || status === TaskState.UNRECOGNIZED) {
    throw new RequestMalformedError("status is not a state of a task.");
  }
  const isAny = status === TaskState.TASK_STATE_UNSPECIFIED;
  const after = statusTimestampAfter === undefined ? -Infinity : Date.parse(statusTimestampAfter);
  if (Number.isNaN(after)) throw new RequestMalformedError("statusTimestampAfter must be a timestamp.");
  return ({ task, now, at }) => at >= after && (isAny || shown(task, now, 0).status?.state === status);
}
