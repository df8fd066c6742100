/**
 * The state of an agent's task, built from the SDK's snapshots and events. Pure. Events may arrive twice, late, or
 * for another task, and their content is untrusted.
 */
import type { Message, Part, StreamResponse, Task, TaskStatus } from "@a2a-js/sdk";
import type { A2aTaskState } from "./translate.ts";

/** A task, or the message of an agent that created no task. */
export interface TaskView {
  /** Increases with each change that matters to the relay. */
  readonly revision: number;
  readonly taskId: string | undefined;
  readonly contextId: string | undefined;
  readonly state: A2aTaskState;
  /** The message of the status, or the agent's whole reply if it created no task. */
  readonly message: Message | undefined;
  /** Equal for two equal statuses. */
  readonly statusKey: string;
  /** When the agent wrote the status, in milliseconds since the epoch. */
  readonly at: number | undefined;
  /** The texts of the task's artifacts, by id. */
  readonly artifacts: ReadonlyMap<string, string>;
}

export const NEW_TASK: TaskView = {
  revision: 0,
  taskId: undefined,
  contextId: undefined,
  state: "submitted",
  message: undefined,
  statusKey: "",
  at: undefined,
  artifacts: new Map(),
};

/** The names for the SDK's numbers, as in `TaskState` of the protocol. */
const STATES: Readonly<Record<number, A2aTaskState>> = {
  1: "submitted",
  2: "working",
  3: "completed",
  4: "failed",
  5: "canceled",
  6: "input-required",
  7: "rejected",
  8: "auth-required",
};
const TERMINAL: ReadonlySet<A2aTaskState> = new Set(["completed", "failed", "canceled", "rejected"]);
const MAX_ARTIFACTS = 100;
/** The limit for one artifact and for one message, in characters. The relay's own limit for the result is lower. */
const MAX_TEXT_LENGTH = 512 * 1024;

/** Whether the task is in a final state. */
export function hasEnded({ state }: Pick<TaskView, "state">): boolean {
  return TERMINAL.has(state);
}

/** Whether the task waits for its client. */
export function isInterrupted({ state }: Pick<TaskView, "state">): boolean {
  return state === "input-required" || state === "auth-required";
}

/** Applies an event of a stream. */
export function foldEvent(view: TaskView, event: StreamResponse): TaskView {
  const { payload } = event;
  switch (payload?.$case) {
    case "task":
      return foldTask(view, payload.value);
    case "message":
      return foldMessage(view, payload.value);
    case "statusUpdate": {
      const { taskId, contextId, status } = payload.value;
      return isOther(view, taskId) ? view : foldStatus(named(view, taskId, contextId), status);
    }
    case "artifactUpdate": {
      const { taskId, artifact, append } = payload.value;
      if (isOther(view, taskId) || artifact === undefined || hasEnded(view)) return view;
      const before = append ? (view.artifacts.get(artifact.artifactId) ?? "") : "";
      return withArtifact(view, artifact.artifactId, before + textOfParts(artifact.parts));
    }
    default:
      return view;
  }
}

/** Applies a snapshot. */
export function foldTask(view: TaskView, task: Task): TaskView {
  if (isOther(view, task.id) || task.id === "") return view;
  let next = named(view, task.id, task.contextId);
  if (!hasEnded(view)) {
    for (const artifact of (task.artifacts ?? []).slice(0, MAX_ARTIFACTS)) {
      next = withArtifact(next, artifact.artifactId, textOfParts(artifact.parts));
    }
  }
  return foldStatus(next, task.status);
}

/** Applies the message of an agent that answers without a task. */
export function foldMessage(view: TaskView, message: Message): TaskView {
  if (view.taskId !== undefined || hasEnded(view)) return view;
  return {
    ...named(view, undefined, message.contextId),
    revision: view.revision + 1,
    state: "completed",
    message,
  };
}

/** Returns the result of a finished task: its artifacts, or else its last message. */
export function resultText({ artifacts, message }: Pick<TaskView, "artifacts" | "message">): string {
  const made = [...artifacts.values()].filter((text) => text !== "");
  return made.length === 0 ? textOfParts(message?.parts) : made.join("\n\n");
}

/** The text of a message or an artifact. Files appear by name only: their content is not fetched. */
export function textOfParts(parts: readonly Part[] | undefined): string {
  return (parts ?? [])
    .map(({ content, filename }) => {
      if (content?.$case === "text") return content.value;
      if (content?.$case === "data") return JSON.stringify(content.value) ?? "";
      return content === undefined ? "" : `[file ${filename}]`;
    })
    .join("\n")
    .slice(0, MAX_TEXT_LENGTH);
}

function foldStatus(view: TaskView, status: TaskStatus | undefined): TaskView {
  const state = STATES[status?.state ?? 0];
  // A state from a later protocol version is unknown and ignored.
  if (status === undefined || state === undefined || hasEnded(view)) return view;
  const { message } = status;
  const at = status.timestamp === undefined ? Number.NaN : Date.parse(status.timestamp);
  // This status is older than the known one.
  if (view.at !== undefined && at < view.at) return view;
  const payload = message && [
    message.messageId,
    message.extensions,
    message.metadata,
    textOfParts(message.parts),
  ];
  const statusKey = JSON.stringify([state, payload]);
  if (statusKey === view.statusKey) return view;
  return {
    ...view,
    revision: view.revision + 1,
    state,
    message,
    statusKey,
    at: Number.isNaN(at) ? view.at : at,
  };
}

function withArtifact(view: TaskView, id: string, text: string): TaskView {
  const isNew = !view.artifacts.has(id);
  if (isNew && view.artifacts.size >= MAX_ARTIFACTS) return view;
  const artifacts = new Map(view.artifacts).set(id, text.slice(0, MAX_TEXT_LENGTH));
  return { ...view, artifacts };
}

function named(view: TaskView, taskId: string | undefined, contextId: string): TaskView {
  return {
    ...view,
    taskId: view.taskId ?? taskId,
    contextId: view.contextId ?? (contextId === "" ? undefined : contextId),
  };
}

function isOther(view: TaskView, taskId: string): boolean {
  return view.taskId !== undefined && view.taskId !== taskId;
}

/** `ROLE_USER` of the SDK. The enum itself is loaded only where it is used. */
const ROLE_USER = 1;

/** A message of the client, as an object of the SDK. */
export function messageWith(parts: {
  text: string;
  messageId: string;
  taskId?: string | undefined;
  contextId?: string | undefined;
  extensions?: string[] | undefined;
  metadata?: Record<string, unknown> | undefined;
}): Message {
  const { text, messageId, taskId = "", contextId = "", extensions = [], metadata } = parts;
  return {
    messageId,
    taskId,
    contextId,
    role: ROLE_USER,
    parts: [
      { content: { $case: "text", value: text }, metadata: undefined, filename: "", mediaType: "text/plain" },
    ],
    extensions,
    metadata,
    referenceTaskIds: [],
  };
}
