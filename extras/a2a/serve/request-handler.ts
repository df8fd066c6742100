import type { AgentCard, Message, SendMessageRequest, StreamResponse } from "@a2a-js/sdk";
import {
  A2AError,
  PushNotificationNotSupportedError,
  RequestMalformedError,
  TaskNotCancelableError,
  UnsupportedOperationError,
} from "@a2a-js/sdk/errors";
import type { A2ARequestHandler } from "@a2a-js/sdk/server";
import { createPeerErrors } from "../../../src/base/peer-errors.ts";
import { hasTaken, takeMessage } from "./answers.ts";
import { followTask } from "./follow-task.ts";
import { listTasks } from "./list-tasks.ts";
import { type OpenTask, readTask, readUntilPause, shown } from "./open-task.ts";
import type { TakenMessages } from "./taken-messages.ts";
import type { Tasks } from "./tasks.ts";
import { questionsOf } from "./waiting.ts";

export interface RequestHandlerOptions {
  readonly card: AgentCard;
  readonly tasks: Tasks;
  readonly taken: TakenMessages;
  /** Aborts when the client disconnects. Its tasks continue. */
  readonly signal: AbortSignal;
  /** Called when the transport has read the request. */
  readonly onServe: () => void;
  readonly onError: (error: unknown) => void;
}

const STOPPED = "The client has cancelled the task.";
const INTERNAL = "The agent failed to handle the request.";

/** Handles one HTTP request of a client through the surface API, below the transports of the SDK. */
export function createRequestHandler(options: RequestHandlerOptions): A2ARequestHandler {
  const { card, tasks, taken, signal, onServe, onError } = options;
  const { guard, outward } = createPeerErrors({
    isOfProtocol: (error) => error instanceof A2AError,
    internal: () => new A2AError(INTERNAL),
    onError,
  });

  /** Returns the task that a message starts or answers. */
  async function take(request: SendMessageRequest): Promise<OpenTask> {
    const message = checked(request);
    if (message.taskId === "") {
      const inContext = await tasks.inContext(message.contextId);
      const asking = await askingTask(inContext, message);
      const [newest] = inContext;
      // Each message that starts a task in the context comes by here, so only one log is read.
      if (newest !== undefined && newest !== asking && (await isRepeated(newest, message))) return newest;
      if (asking === undefined) return tasks.start(message);
      await answer(asking, message);
      return asking;
    }
    const task = await tasks.find(message.taskId);
    if (message.contextId !== "" && message.contextId !== task.contextId) {
      throw new RequestMalformedError("message.contextId is not the context of the task.");
    }
    if (!task.turn.ended) await answer(task, message);
    else if (!(await isRepeated(task, message))) throw endedError("takes no more messages");
    return task;
  }

  const answer = (task: OpenTask, message: Message) =>
    taken.once(task.taskId, message.messageId, () => takeMessage(task, message));

  /** Whether this or another process has taken the message before. */
  async function isRepeated(task: OpenTask, message: Message): Promise<boolean> {
    if (!taken.has(task.taskId, message.messageId)) return hasTaken(task, message);
    // This process may still be taking it.
    await answer(task, message);
    return true;
  }

  function guarded<Result>(run: () => Promise<Result>): Promise<Result> {
    onServe();
    return guard(run);
  }

  async function* guardedStream(
    run: () => Promise<AsyncGenerator<StreamResponse, void, undefined>>,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    try {
      yield* await run();
    } catch (error) {
      throw outward(error);
    }
  }

  return {
    getAgentCard: async () => card,
    async getAuthenticatedExtendedAgentCard() {
      throw new UnsupportedOperationError("The agent has no extended card.");
    },
    sendMessage: (request) =>
      guarded(async () => {
        const task = await take(request);
        const { returnImmediately = false, historyLength } = request.configuration ?? {};
        const read = returnImmediately ? readTask : readUntilPause;
        return shown(task, await read(task, signal), historyLength);
      }),
    sendMessageStream: (request) =>
      guardedStream(async () =>
        followTask(await take(request), {
          signal,
          endsAtInput: true,
          historyLength: request.configuration?.historyLength,
        }),
      ),
    getTask: ({ id, historyLength }) =>
      guarded(async () => {
        const task = await tasks.find(id);
        return shown(task, await readTask(task, signal), historyLength);
      }),
    cancelTask: ({ id }) =>
      guarded(async () => {
        const task = await tasks.find(id);
        if (task.turn.ended) throw new TaskNotCancelableError("The task has ended.");
        await task.turn.stop(STOPPED);
        const stopped = await tasks.find(id);
        return shown(stopped, await readTask(stopped, signal), undefined);
      }),
    resubscribe: ({ id }) =>
      guardedStream(async () => {
        const task = await tasks.find(id);
        if (task.turn.ended) throw endedError("cannot be subscribed to");
        return followTask(task, { signal, endsAtInput: false });
      }),
    listTasks: (request) => guarded(() => listTasks(tasks, request, signal)),
    createTaskPushNotificationConfig: refusePush,
    getTaskPushNotificationConfig: refusePush,
    listTaskPushNotificationConfigs: refusePush,
    deleteTaskPushNotificationConfig: refusePush,
  };
}

/**
 * The task that a message without `taskId` answers: some clients, such as Google ADK, know only the context. The
 * context must have exactly one open question. Clients of the extension name the task.
 */
async function askingTask(
  inContext: readonly OpenTask[],
  { messageId }: Message,
): Promise<OpenTask | undefined> {
  const running = inContext.filter(({ turn }) => !turn.ended);
  // A repeated first message of a task is not an answer to it.
  if (running.some(({ startedBy, isExtended }) => isExtended || startedBy === messageId)) return undefined;
  const asked = await Promise.all(running.map(async (task) => ({ task, ...(await questionsOf(task)) })));
  const [first, other] = asked.flatMap(({ task, asked: questions }) =>
    questions.map(({ question }) => ({ task, mode: question.mode })),
  );
  return other === undefined && first?.mode === "form" ? first.task : undefined;
}

async function refusePush(): Promise<never> {
  throw new PushNotificationNotSupportedError();
}

function checked({ message, configuration }: SendMessageRequest): Message {
  if (message === undefined) throw new RequestMalformedError("message is required.");
  if (message.messageId === "") throw new RequestMalformedError("message.messageId is required.");
  if (message.parts.length === 0) throw new RequestMalformedError("message.parts must not be empty.");
  if (configuration?.taskPushNotificationConfig !== undefined) throw new PushNotificationNotSupportedError();
  return message;
}

function endedError(what: string): UnsupportedOperationError {
  return new UnsupportedOperationError(`The task has ended and ${what}.`);
}
