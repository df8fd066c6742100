import { firstCharacters } from "../../../src/contract/visible-text.ts";
import { type Message, Role } from "@a2a-js/sdk";
import { A2AError, RequestMalformedError, TaskNotFoundError } from "@a2a-js/sdk/errors";
import type { Runtime, User } from "../../../src/runtime/index.ts";
import {
  type LoadMessages,
  type Refusal,
  type SupportedModes,
  type Surface,
  type SurfaceTurn,
  supportsOf,
} from "../../../src/runtime/internal.ts";
import { type TextMessage, textMessage } from "../../../src/contract/message-parts.ts";
import type { Clock } from "../../../src/base/clock.ts";
import { limitKeyOf } from "../../../src/base/identity.ts";
import { newId } from "../../../src/base/ids.ts";
import { textOfParts } from "../../../src/a2a/wire/task-view.ts";
import { readModes } from "../../../src/a2a/wire/translate.ts";
import type { OpenTask } from "./open-task.ts";
import { createTaskLog } from "./task-log.ts";
import { textPart } from "./task.ts";
import { KitError } from "../../../src/contract/kit-error.ts";

export interface TasksOptions {
  readonly surface: Surface;
  readonly elicitations: Pick<Runtime["elicitations"], "get" | "linkFor">;
  readonly messagesFor: LoadMessages | undefined;
  readonly keepMs: number;
  readonly clock: Clock;
}

/** The HTTP request that sees the tasks. */
export interface TasksView {
  readonly caller: A2aCaller;
  /** Whether it has activated the extension. */
  readonly isExtended: boolean;
  /** The languages of the user of a new task. */
  readonly languages: readonly string[];
}

/** The caller's tasks, as one HTTP request sees them. */
export interface Tasks {
  /** Starts a task. A repeated message returns the task that it started. */
  start(message: Message): Promise<OpenTask>;
  /** Rejects with the protocol's error if the task is unknown, or belongs to another caller. */
  find(taskId: string): Promise<OpenTask>;
  /** The tasks of a context, newest first. */
  inContext(contextId: string): Promise<readonly OpenTask[]>;
  /** The tasks whose logs are kept, newest first, at most `limit`. */
  list(limit: number): AsyncIterable<OpenTask>;
}

/** The data that the `ref` of a turn keeps. */
interface TaskRef {
  readonly contextId: string;
  readonly modes: SupportedModes;
  readonly clientId: string | undefined;
  readonly messageId: string;
  /** The text of the message, or its beginning. */
  readonly said: string;
  readonly isWhole: boolean;
}

const BOTH: SupportedModes = { form: true, url: true };
/** A `ref` has at most 4,096 characters of JSON, and JSON needs up to six characters for one. */
const MAX_SAID_LENGTH = 400;
const MAX_SAID_JSON_LENGTH = 2400;
const LIST_PAGE = 100;
const MAX_LOOKED_THROUGH = 200;
/** The number of earlier tasks in a context whose messages the agent gets by default. */
const MAX_REMEMBERED = 20;
const MAX_ID_LENGTH = 256;

export function createTasks(
  { surface, elicitations, messagesFor, keepMs, clock }: TasksOptions,
  { caller, isExtended, languages }: TasksView,
): Tasks {
  const { user, clientId } = caller;
  const hasAnswerPage = elicitations.linkFor(newId()) !== undefined;

  function open(turn: SurfaceTurn): OpenTask | undefined {
    const ref = readRef(turn.ref);
    if (ref === undefined || ref.clientId !== clientId) return undefined;
    const { contextId, modes, messageId, said, isWhole } = ref;
    const taskId = turn.id;
    const history = isWhole ? [userMessage({ taskId, contextId, messageId, said })] : [];
    return {
      turn,
      taskId,
      contextId,
      modes,
      isExtended,
      history,
      startedBy: messageId,
      said,
      elicitations,
      clock,
    };
  }

  async function* list(limit: number): AsyncGenerator<OpenTask, void, undefined> {
    if (user === undefined) return;
    let before: string | undefined;
    for (let count = 0; count < limit;) {
      const page = await surface.list(user, { before, limit: Math.min(LIST_PAGE, limit - count) });
      yield* page.flatMap((turn) => open(turn) ?? []);
      before = page.at(-1)?.id;
      count += page.length;
      if (page.length < LIST_PAGE) return;
    }
  }

  /** Returns the messages of earlier tasks of a context. */
  async function earlierMessages(contextId: string): Promise<readonly TextMessage[]> {
    const tasks: OpenTask[] = [];
    for await (const task of list(MAX_LOOKED_THROUGH)) {
      if (task.contextId === contextId) tasks.unshift(task);
      if (tasks.length >= MAX_REMEMBERED) break;
    }
    const said = await Promise.all(tasks.map(messagesOf));
    return said.flat();
  }

  return {
    async start(message) {
      const { messageId } = message;
      const contextId = message.contextId === "" ? newId() : message.contextId;
      ensureId("message.messageId", messageId);
      ensureId("message.contextId", contextId);
      const modes = isExtended ? readModes(message) : BOTH;
      const text = textOfParts(message.parts);
      const asked = textMessage("user", messageId, text);
      const messages =
        messagesFor === undefined
          ? [...(message.contextId === "" ? [] : await earlierMessages(contextId)), asked]
          : await messagesFor({ user, conversationId: contextId, message: asked });
      const turn = await surface.start({
        user,
        conversationId: newId(),
        messages,
        supports: supportsOf(modes, { hasAnswerPage, showsLinks: false }),
        startId: JSON.stringify([clientId ?? null, messageId]),
        ref: { contextId, clientId, messageId, ...keptOf(text), ...modes },
        keepMs,
        languages,
        limitKey: limitKeyOf(caller),
      });
      if ("refused" in turn) throw refusedError(turn);
      const task = open(turn);
      if (task === undefined) throw new KitError("elicit-kit: an A2A task was started without its ids.");
      return task;
    },
    async find(taskId) {
      ensureId("The id of a task", taskId);
      const turn = user && (await surface.find(user, { turnId: taskId }));
      const task = turn && open(turn);
      if (task === undefined) throw new TaskNotFoundError(`Task not found: ${taskId}`);
      return task;
    },
    async inContext(contextId) {
      const tasks: OpenTask[] = [];
      if (contextId === "") return tasks;
      for await (const task of list(MAX_LOOKED_THROUGH)) {
        if (task.contextId === contextId) tasks.push(task);
      }
      return tasks;
    },
    list,
  };
}

/** Returns the beginning of a text, short enough for a `ref`. */
function keptOf(text: string): Pick<TaskRef, "said" | "isWhole"> {
  if (JSON.stringify(text).length <= MAX_SAID_JSON_LENGTH) return { said: text, isWhole: true };
  return { said: `${firstCharacters(text, MAX_SAID_LENGTH)} …`, isWhole: false };
}

async function messagesOf({ turn, taskId, said }: OpenTask): Promise<readonly TextMessage[]> {
  const log = createTaskLog();
  const { signal } = new AbortController();
  for await (const entry of turn.read({ live: false, signal })) log.see(entry);
  const asked = textMessage("user", `${taskId}.user`, said);
  return log.text === "" ? [asked] : [asked, textMessage("assistant", taskId, log.text)];
}

function readRef(ref: SurfaceTurn["ref"]): TaskRef | undefined {
  const { contextId, messageId, clientId, said, isWhole, form, url } = ref;
  if (typeof contextId !== "string" || typeof messageId !== "string") return undefined;
  return {
    contextId,
    messageId,
    modes: { form: form !== false, url: url !== false },
    clientId: typeof clientId === "string" ? clientId : undefined,
    said: typeof said === "string" ? said : "",
    isWhole: isWhole === true,
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

/** Transports of protocol 0.3 pass on any value that a client sends, whatever its type. */
function ensureId(name: string, id: unknown): void {
  // Measured as JSON, because a `ref` stores it as JSON.
  if (typeof id === "string" && id !== "" && JSON.stringify(id).length <= MAX_ID_LENGTH + 2) return;
  throw new RequestMalformedError(`${name} must be a text of 1 to ${MAX_ID_LENGTH} characters.`);
}

function refusedError(refusal: Refusal): A2AError {
  if (refusal.refused === "busy") return new A2AError("The task is already being started.");
  const what = refusal.refused === "closed" ? "The agent is restarting." : "Too many messages at once.";
  return new A2AError(`${what} Try again in ${refusal.retryAfter} seconds.`);
}

/** The sender of an HTTP request, as the operator's `authenticate` returns it. */
export interface A2aCaller {
  /**
   * The user behind the calling agent. Leave it out for a service account that acts for many users. The agent then asks
   * no questions, and its tasks can only be read in the reply to the message that started them.
   */
  readonly user?: User | undefined;
  /**
   * The client that the token was issued to. A task belongs to one client of one user. The limits of the runtime
   * (`limits.writesPerMinute`, `limits.turns`) identify a service account by this id. Without it, they do not apply to a
   * service account.
   */
  readonly clientId?: string | undefined;
}
