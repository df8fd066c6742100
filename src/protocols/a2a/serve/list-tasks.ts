import { type ListTasksRequest, type ListTasksResponse, TaskState } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import { isObject } from "../../../contract/json.ts";
import type { TaskNow } from "./task.ts";
import { type OpenTask, askedNow, readTask, shown } from "./open-task.ts";
import type { Tasks } from "./tasks.ts";

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 100;
/** The newest tasks of a caller that are looked through. */
const MAX_LISTED = 1000;
/** Tasks that are read at the same time. */
const MAX_READS = 20;

/** States of a task that has ended. Only its log says which one. */
const ENDED: ReadonlySet<TaskState> = new Set([
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
]);

/** Where a task is in the list: the last change first. Two tasks that changed together are ordered by their ids. */
interface Place {
  readonly at: number;
  readonly id: string;
}

interface Listed extends Place {
  readonly task: OpenTask;
  /** As far as its log has been read. */
  now?: TaskNow;
}

/**
 * A page of the caller's tasks, those that have changed last first. A page begins after the place of the last task before
 * it, in any process. A task that changes between two pages moves to the front, so no task is on two pages.
 *
 * Reads the logs of the page alone, or of all tasks that have ended if the request asks for a state of those.
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
  const isInTime = timeFilterOf(request);
  const hasState = stateFilterOf(request, signal);
  const after = placeOf(request.pageToken);
  const listed: Listed[] = [];
  for await (const task of tasks.list(MAX_LISTED)) {
    const place = { at: task.turn.at ?? 0, id: task.taskId };
    if ((contextId === "" || task.contextId === contextId) && isInTime(place))
      listed.push({ ...place, task });
  }
  const fits = await inGroups(listed, hasState);
  const found = listed.filter((_, index) => fits[index]).toSorted(byPlace);
  const rest = after === undefined ? found : found.filter((place) => byPlace(after, place) < 0);
  const page = rest.slice(0, pageSize);
  const last = page.at(-1);
  return {
    tasks: await inGroups(page, async ({ task, now }) => {
      const all = shown(task, now ?? (await readTask(task, signal)), historyLength);
      return includeArtifacts === true ? all : { ...all, artifacts: [] };
    }),
    nextPageToken: last !== undefined && page.length < rest.length ? tokenOf(last) : "",
    pageSize,
    totalSize: found.length,
  };
}

/** Works on `MAX_READS` tasks at the same time. */
async function inGroups<T>(listed: readonly Listed[], work: (one: Listed) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let from = 0; from < listed.length; from += MAX_READS) {
    results.push(...(await Promise.all(listed.slice(from, from + MAX_READS).map(work))));
  }
  return results;
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

/** Whether a task has the wanted state. */
function stateFilterOf(
  { status }: ListTasksRequest,
  signal: AbortSignal,
): (listed: Listed) => Promise<boolean> {
  if (TaskState[status] === undefined || status === TaskState.UNRECOGNIZED) {
    throw new RequestMalformedError("status is not a state of a task.");
  }
  if (status === TaskState.TASK_STATE_UNSPECIFIED) return async () => true;
  const isOfEnded = ENDED.has(status);
  return async (listed) => {
    const { task } = listed;
    if (task.turn.ended !== isOfEnded) return false;
    if (isOfEnded) listed.now = await readTask(task, signal);
    return shown(task, listed.now ?? (await askedNow(task)), 0).status?.state === status;
  };
}

function timeFilterOf({ statusTimestampAfter }: ListTasksRequest): (place: Place) => boolean {
  const after = statusTimestampAfter === undefined ? -Infinity : Date.parse(statusTimestampAfter);
  if (Number.isNaN(after)) throw new RequestMalformedError("statusTimestampAfter must be a timestamp.");
  return ({ at }) => at >= after;
}
