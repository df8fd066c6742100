import { type ListTasksRequest, type ListTasksResponse, TaskState } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import { isObject } from "../../../src/contract/json.ts";
import { type TaskNow, statusOf } from "./task.ts";
import { type OpenTask, askedNow, readTask, shown } from "./open-task.ts";
import type { Tasks } from "./tasks.ts";

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 100;
/** The largest number of a caller's tasks that a list searches, newest first. */
const MAX_LISTED = 1000;
/** The number of tasks that are read at the same time. */
const MAX_READS = 20;
/** How many logs one page may read without a match. They belong to ended tasks in another state than the wanted one. */
const MAX_MISSES = 20;

/** The final states. Only the log of a task says which one it has. */
const ENDED: ReadonlySet<TaskState> = new Set([
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
]);

/**
 * The position of a task in the list, which is sorted by the last change, newest first. Tasks with the same time are
 * ordered by id.
 */
interface Place {
  readonly at: number;
  readonly id: string;
}

interface Listed extends Place {
  readonly task: OpenTask;
}

/** The tasks of a page with the data from their logs, and the last position that was read. */
interface Page {
  readonly read: readonly { readonly task: OpenTask; readonly now: TaskNow }[];
  readonly last: Place | undefined;
}

/**
 * A page of the caller's tasks, those that have changed last first. A page begins after the place of the last task before
 * it, in any process. A task that changes between two pages moves to the front, so no task is on two pages.
 *
 * Reads only the logs of the page. The final state of a task is only in its log, so listing one final state reads a few
 * more logs. If too many of them do not match, the page is shorter and the next page continues there.
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
  const state = stateOf(request);
  const isOfEnded = state !== undefined && ENDED.has(state);
  const after = placeOf(request.pageToken);
  const listed: Listed[] = [];
  for await (const task of tasks.list(MAX_LISTED)) {
    const place = { at: task.turn.at ?? 0, id: task.taskId };
    const mayFit = state === undefined || task.turn.ended === isOfEnded;
    if (mayFit && (contextId === "" || task.contextId === contextId) && isInTime(place))
      listed.push({ ...place, task });
  }
  const found = state === undefined || isOfEnded ? listed : await thoseThatWait(listed, state);
  found.sort(byPlace);
  const rest = after === undefined ? found : found.filter((place) => byPlace(after, place) < 0);
  const { read, last } = await readPage(rest, { pageSize, state: isOfEnded ? state : undefined, signal });
  return {
    tasks: read.map(({ task, now }) => {
      const all = shown(task, now, historyLength);
      return includeArtifacts === true ? all : { ...all, artifacts: [] };
    }),
    nextPageToken: last !== undefined && last !== rest.at(-1) ? tokenOf(last) : "",
    pageSize,
    totalSize: found.length,
  };
}

/** The unfinished tasks in this state. Their requests show the state, so no log is read. */
async function thoseThatWait(listed: readonly Listed[], state: TaskState): Promise<Listed[]> {
  const fits = await inGroups(listed, async ({ task }) => statusOf(await askedNow(task)).state === state);
  return listed.filter((_, index) => fits[index]);
}

/** Reads tasks until the page is full. With `state`, skips tasks that ended in another state. */
async function readPage(
  rest: readonly Listed[],
  { pageSize, state, signal }: { pageSize: number; state: TaskState | undefined; signal: AbortSignal },
): Promise<Page> {
  const read: { task: OpenTask; now: TaskNow }[] = [];
  let looked = 0;
  for (;;) {
    const misses = looked - read.length;
    const count = Math.min(MAX_READS, pageSize - read.length, MAX_MISSES - misses);
    const group = rest.slice(looked, looked + count);
    if (group.length === 0) return { read, last: rest[looked - 1] };
    looked += group.length;
    const nows = await Promise.all(
      group.map(async ({ task }) => ({ task, now: await readTask(task, signal) })),
    );
    read.push(...nows.filter(({ now }) => state === undefined || statusOf(now).state === state));
  }
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
    // The token belongs to another list.
  }
  throw new RequestMalformedError("pageToken is not of this list.");
}

/** The wanted state. */
function stateOf({ status }: ListTasksRequest): TaskState | undefined {
  if (TaskState[status] === undefined || status === TaskState.UNRECOGNIZED) {
    throw new RequestMalformedError("status is not a state of a task.");
  }
  return status === TaskState.TASK_STATE_UNSPECIFIED ? undefined : status;
}

function timeFilterOf({ statusTimestampAfter }: ListTasksRequest): (place: Place) => boolean {
  const after = statusTimestampAfter === undefined ? -Infinity : Date.parse(statusTimestampAfter);
  if (Number.isNaN(after)) throw new RequestMalformedError("statusTimestampAfter must be a timestamp.");
  return ({ at }) => at >= after;
}
