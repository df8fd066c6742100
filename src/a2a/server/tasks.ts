import { type Message, Role } from "@a2a-js/sdk";
import { A2AError, RequestMalformedError, TaskNotFoundError } from "@a2a-js/sdk/errors";
import type {
  Clock,
  Refusal,
  Runtime,
  SupportedModes,
  Surface,
  SurfaceTurn,
  User,
} from "../../runtime/core/index.ts";
import { newId } from "../../runtime/core/internal.ts";
import { textOfParts } from "../task-view.ts";
import { readModes } from "../translate.ts";
import type { A2aCaller } from "./caller.ts";
import type { OpenTask } from "./open-task.ts";
import { textPart } from "./task.ts";

/** The UI messages that the agent gets for a message that starts a task. */
export type A2aMessagesFor = (input: {
  readonly user: User | undefined;
  /** Groups the tasks of one conversation. */
  readonly contextId: string;
  /** The new message, as a UI message. */
  readonly message: object;
}) => readonly unknown[] | Promise<readonly unknown[]>;

export interface TasksOptions {
  readonly surface: Surface;
  readonly elicitations: Pick<Runtime["elicitations"], "get" | "linkFor" | "fail">;
  readonly messagesFor: A2aMessagesFor;
  readonly keepMs: number;
  readonly clock: Clock;
}

/** The tasks of one request: those of its caller. */
export interface Tasks {
  /** Starts a task. The same message again gives the task that it has started. */
  start(message: Message): Promise<OpenTask>;
  /** Rejects with the protocol's error if the task is unknown, or belongs to somebody else. */
  find(taskId: string): Promise<OpenTask>;
}

/** What the `ref` of a turn keeps. */
interface TaskRef {
  readonly contextId: string;
  readonly modes: SupportedModes;
  readonly clientId: string | undefined;
  readonly messageId: string;
  /** The text of the message, if it is short. */
  readonly said: string | undefined;
}

const BOTH: SupportedModes = { form: true, url: true };
/** A `ref` has at most 4,096 characters as JSON. */
const MAX_SAID_LENGTH = 2048;
const MAX_ID_LENGTH = 256;

export function createTasks(
  { surface, elicitations, messagesFor, keepMs, clock }: TasksOptions,
  { user, clientId }: A2aCaller,
  isExtended: boolean,
): Tasks {
  const hasAnswerPage = elicitations.linkFor(newId()) !== undefined;

  function open(turn: SurfaceTurn): OpenTask | undefined {
    const ref = readRef(turn.ref);
    if (ref === undefined || ref.clientId !== clientId) return undefined;
    const { contextId, modes, messageId, said } = ref;
    const taskId = turn.id;
    const history = said === undefined ? [] : [userMessage({ taskId, contextId, messageId, said })];
    return { turn, taskId, contextId, modes, isExtended, history, elicitations, clock };
  }

  return {
    async start(message) {
      const { messageId } = message;
      const contextId = message.contextId === "" ? newId() : message.contextId;
      ensureId("message.messageId", messageId);
      ensureId("message.contextId", contextId);
      const modes = isExtended ? readModes(message) : BOTH;
      const text = textOfParts(message.parts);
      const said = JSON.stringify(text).length <= MAX_SAID_LENGTH ? text : undefined;
      const uiMessage = { id: messageId, role: "user", parts: [{ type: "text", text }] };
      const turn = await surface.start({
        user,
        conversationId: newId(),
        messages: await messagesFor({ user, contextId, message: uiMessage }),
        supports: { url: modes.url, form: modes.form || (modes.url && hasAnswerPage) },
        startId: JSON.stringify([clientId ?? null, messageId]),
        ref: { contextId, clientId, messageId, said, ...modes },
        keepMs,
      });
      if ("refused" in turn) throw refusedError(turn);
      const task = open(turn);
      if (task === undefined) throw new Error("elicit-kit: an A2A task was started without its ids.");
      return task;
    },
    async find(taskId) {
      const turn = user && (await surface.find(user, { turnId: taskId }));
      const task = turn && open(turn);
      if (task === undefined)
        throw new TaskNotFoundError(`Task not found: ${taskId.slice(0, MAX_ID_LENGTH)}`);
      return task;
    },
  };
}

function readRef(ref: SurfaceTurn["ref"]): TaskRef | undefined {
  const { contextId, messageId, clientId, said, form, url } = ref;
  if (typeof contextId !== "string" || typeof messageId !== "string") return undefined;
  return {
    contextId,
    messageId,
    modes: { form: form !== false, url: url !== false },
    clientId: typeof clientId === "string" ? clientId : undefined,
    said: typeof said === "string" ? said : undefined,
  };
}

function userMessage(said: { taskId: string; contextId: string; messageId: string; said: string }): Message {
  const { taskId, contextId, messageId } = said;
  return {
    messageId,
    taskId,
    contextId,
    role: Role.ROLE_USER,
    parts: [textPart(said.said)],
    extensions: [],
    metadata: undefined,
    referenceTaskIds: [],
  };
}

function ensureId(name: string, id: string): void {
  if (id !== "" && id.length <= MAX_ID_LENGTH) return;
  throw new RequestMalformedError(`${name} must have 1 to ${MAX_ID_LENGTH} characters.`);
}

function refusedError(refusal: Refusal): A2AError {
  if (refusal.refused === "busy") return new A2AError("The task is already being started.");
  const what = refusal.refused === "closed" ? "The agent is restarting." : "Too many messages at once.";
  return new A2AError(`${what} Try again in ${refusal.retryAfter} seconds.`);
}
