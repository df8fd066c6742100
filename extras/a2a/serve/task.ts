import {
  type Artifact,
  type Message,
  type Part,
  Role,
  type StreamResponse,
  type Task,
  TaskState,
  type TaskStatus,
} from "@a2a-js/sdk";
import { type A2aExtended, writeWithdrawn } from "../../../src/a2a/wire/translate.ts";
import type { TaskLog } from "./task-log.ts";
import { type Asked, messageOf } from "./waiting.ts";

/** The ids of a task. The task id is the id of its turn. */
export interface TaskIds {
  readonly taskId: string;
  readonly contextId: string;
}

/** The current state of a task, for its status. */
export interface TaskNow extends TaskIds {
  readonly log: TaskLog;
  readonly hasEnded: boolean;
  readonly asked: readonly Asked[];
  /** Whether the client reads payloads of the extension. */
  readonly isExtended: boolean;
}

/** The id of a task's only artifact. */
const REPLY_ID = "reply";

/** Returns the status of a task. Readers with the same data get the same status, with the same message id. */
export function statusOf(now: TaskNow): TaskStatus {
  const { log, taskId } = now;
  const { state, says, key } = stateOf(now);
  const messageId = `${taskId}.${key}`;
  return {
    state,
    message: says && agentMessage(now, messageId, says),
    timestamp: log.at === undefined ? undefined : new Date(log.at).toISOString(),
  };
}

function stateOf({ log, hasEnded, asked, isExtended }: TaskNow): {
  state: TaskState;
  says?: A2aExtended | undefined;
  key: string;
} {
  const { failure, withdrawn } = log;
  const taken = isExtended && withdrawn.length > 0 ? writeWithdrawn(withdrawn) : undefined;
  const key = ["working", ...withdrawn].join("+");
  if (hasEnded) {
    if (log.isStopped) return { state: TaskState.TASK_STATE_CANCELED, key: "end" };
    const state = failure === undefined ? TaskState.TASK_STATE_COMPLETED : TaskState.TASK_STATE_FAILED;
    return { state, says: failure === undefined ? taken : inWords(failure), key: "end" };
  }
  const [first] = asked;
  if (first === undefined) return { state: TaskState.TASK_STATE_WORKING, says: taken, key };
  const state =
    first.question.mode === "form" ? TaskState.TASK_STATE_INPUT_REQUIRED : TaskState.TASK_STATE_AUTH_REQUIRED;
  const ids = asked.map(({ question }) => question.elicitationId);
  return { state, says: messageOf(asked, { isExtended, withdrawn }), key: ids.join("+") };
}

/** Returns the current state of a task. */
export function taskOf(now: TaskNow, history: readonly Message[]): Task {
  const { taskId: id, contextId, log } = now;
  return {
    id,
    contextId,
    status: statusOf(now),
    artifacts: log.text === "" ? [] : [replyOf(log.text)],
    history: [...history],
    metadata: undefined,
  };
}

/** The stream event that contains a status. */
export function statusUpdate({ taskId, contextId }: TaskIds, status: TaskStatus): StreamResponse {
  return { payload: { $case: "statusUpdate", value: { taskId, contextId, status, metadata: undefined } } };
}

/** The stream event that contains more text of the reply. */
export function replyUpdate({ taskId, contextId }: TaskIds, text: string, isFirst: boolean): StreamResponse {
  const value = {
    taskId,
    contextId,
    artifact: replyOf(text),
    append: !isFirst,
    lastChunk: false,
    metadata: undefined,
  };
  return { payload: { $case: "artifactUpdate", value } };
}

/** The status of a working task, as text. */
export function progressUpdate(ids: TaskIds, at: number, key: string, text: string): StreamResponse {
  return statusUpdate(ids, {
    state: TaskState.TASK_STATE_WORKING,
    message: agentMessage(ids, `${ids.taskId}.${key}`, inWords(text)),
    timestamp: new Date(at).toISOString(),
  });
}

function agentMessage({ taskId, contextId }: TaskIds, messageId: string, says: A2aExtended): Message {
  const { text, extensions, metadata } = says;
  return {
    messageId,
    taskId,
    contextId,
    role: Role.ROLE_AGENT,
    parts: [textPart(text)],
    extensions,
    metadata: extensions.length === 0 ? undefined : metadata,
    referenceTaskIds: [],
  };
}

function replyOf(text: string): Artifact {
  return {
    artifactId: REPLY_ID,
    name: "Reply",
    description: "",
    parts: [textPart(text)],
    metadata: undefined,
    extensions: [],
  };
}

export function textPart(value: string): Part {
  return { content: { $case: "text", value }, metadata: undefined, filename: "", mediaType: "text/plain" };
}

function inWords(text: string): A2aExtended {
  return { text, extensions: [], metadata: {} };
}
