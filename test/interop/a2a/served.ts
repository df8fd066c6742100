/** Our runtime behind A2A, and clients of the official SDK that reach it in process. */
import {
  type AgentCard,
  type Message,
  Role,
  type SendMessageConfiguration,
  type SendMessageRequest,
  type StreamResponse,
  type Task,
  TaskState,
} from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  type RequestOptions,
  RestTransportFactory,
  ServiceParameters,
  withA2AExtensions,
} from "@a2a-js/sdk/client";
import { type A2aSurface, createA2aSurface } from "elicit-kit/a2a/server";
import type { A2aSurfaceOptions } from "../../../extras/a2a/serve/surface.ts";
import {
  type RunTurn,
  type RuntimeOptions,
  createMemoryRecords,
  createMemoryTurnRunner,
  createMemoryTurnStream,
  createMemoryWaiter,
} from "elicit-kit/runtime";
import { systemClock } from "../../../src/base/clock.ts";
import {
  type A2aModes,
  ELICITATION_EXTENSION,
  readQuestions,
  writeAnswers,
  writeModes,
} from "../../../src/a2a/wire/translate.ts";
import type { ElicitationResponse } from "../../../src/contract/contract.ts";
import { authenticateTestUser } from "../../stages/chat-client.ts";
import { type TestRuntime, createTestRuntime } from "../../stages/test-runtime.ts";

const AGENT_URL = "https://agent.example.com/run/v1/a2a";

export interface Served {
  runtime: TestRuntime;
  surface: A2aSurface;
  errors: unknown[];
  fetch: typeof globalThis.fetch;
}

export type ServedOptions = Partial<RuntimeOptions> & { surface?: Partial<A2aSurfaceOptions> };

/** A runtime behind A2A. It uses the real clock, because a waiting turn is detected by a short silence. */
export function serve(runTurn: RunTurn, { surface: more, ...options }: ServedOptions = {}): Served {
  const runtime = createTestRuntime(runTurn, {
    ...options,
    ports: { clock: systemClock, ...options.ports },
  });
  const errors: unknown[] = [];
  const surface = createA2aSurface({
    runtime,
    authenticate(request) {
      const user = authenticateTestUser(request);
      return user && { user, clientId: request.headers.get("x-client") ?? undefined };
    },
    url: AGENT_URL,
    card: { name: "Travel agent", description: "Books trips" },
    onError: (error) => errors.push(error),
    ...more,
  });
  const fetch: typeof globalThis.fetch = (input, init) => surface.fetch(new Request(input, init));
  return { runtime, surface, errors, fetch };
}

/** The ports that two processes of one operator share. */
export function sharedPorts(): Partial<RuntimeOptions> {
  return {
    ports: {
      records: createMemoryRecords(),
      waiter: createMemoryWaiter(),
      stream: createMemoryTurnStream(),
      runner: createMemoryTurnRunner(),
    },
  };
}

export interface CallerOptions {
  transport?: "JSONRPC" | "HTTP+JSON";
  user?: string;
  /** The client that the token was issued to. */
  client?: string;
  /** Whether it supports the extension. */
  extension?: boolean;
  modes?: A2aModes;
  /** Whether it uses protocol 0.3. */
  legacy?: boolean;
}

/** A client of the SDK, for one user. */
export interface Caller {
  client: Client;
  card: AgentCard;
  options: RequestOptions;
  /** Sends a message and waits for the task. */
  send(
    text: string,
    more?: Partial<Message>,
    configuration?: Partial<SendMessageConfiguration>,
    options?: RequestOptions,
  ): Promise<Task>;
  stream(text: string, more?: Partial<Message>, options?: RequestOptions): AsyncGenerator<StreamResponse>;
  answer(task: Task, ...answers: ElicitationResponse[]): Promise<Task>;
  get(id: string): Promise<Task>;
  /** Reads the task until it has one of these states. */
  until(id: string, ...states: TaskState[]): Promise<Task>;
}

export async function caller(served: Pick<Served, "fetch">, options: CallerOptions = {}): Promise<Caller> {
  const { transport = "JSONRPC", user = "ada", client: clientId, extension = true, legacy = false } = options;
  const headers = {
    ...(user !== "" && { authorization: `Bearer ${user}` }),
    ...(clientId !== undefined && { "x-client": clientId }),
  };
  const fetchImpl: typeof fetch = (input, init) => {
    const merged = new Headers(init?.headers);
    for (const [name, value] of Object.entries(headers)) merged.set(name, value);
    return served.fetch(input, { ...init, headers: merged });
  };
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory({ fetchImpl }), new RestTransportFactory({ fetchImpl })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
      preferredTransports: [transport],
    }),
  );
  const card = await new DefaultAgentCardResolver({ fetchImpl }).resolve(`${AGENT_URL}/`);
  const own = legacy
    ? {
        ...card,
        supportedInterfaces: card.supportedInterfaces.filter(
          ({ protocolVersion }) => protocolVersion === "0.3",
        ),
      }
    : card;
  const client = await factory.createFromAgentCard(own);
  const requestOptions: RequestOptions = extension
    ? { serviceParameters: ServiceParameters.create(withA2AExtensions(ELICITATION_EXTENSION)) }
    : {};

  async function send(
    text: string,
    more: Partial<Message> = {},
    configuration?: Partial<SendMessageConfiguration>,
    also: RequestOptions = {},
  ): Promise<Task> {
    const request = requestOf(text, more, configuration);
    return taskOf(await client.sendMessage(request, { ...requestOptions, ...also }));
  }

  function requestOf(
    text: string,
    more: Partial<Message>,
    configuration?: Partial<SendMessageConfiguration>,
  ): SendMessageRequest {
    const { modes } = options;
    const isFirst = (more.taskId ?? "") === "";
    const message = messageOf(text, { ...(isFirst && modes && writeModes(modes)), ...more });
    const defaults = {
      acceptedOutputModes: [],
      taskPushNotificationConfig: undefined,
      returnImmediately: false,
    };
    return { tenant: "", message, configuration: { ...defaults, ...configuration }, metadata: undefined };
  }

  const get = (id: string) => client.getTask({ tenant: "", id }, requestOptions);
  return {
    client,
    card,
    options: requestOptions,
    send,
    get,
    stream: (text, more = {}, also = {}) =>
      client.sendMessageStream(requestOf(text, more), { ...requestOptions, ...also }),
    answer: (task, ...answers) =>
      send("", { taskId: task.id, contextId: task.contextId, ...messageParts(writeAnswers(answers)) }),
    async until(id, ...states) {
      for (;;) {
        const task = await get(id);
        if (states.includes(stateOf(task))) return task;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
  };
}

function messageOf(text: string, more: Partial<Message> = {}): Message {
  return {
    messageId: crypto.randomUUID(),
    taskId: "",
    contextId: "",
    role: Role.ROLE_USER,
    parts: [textPart(text)],
    extensions: [],
    metadata: undefined,
    referenceTaskIds: [],
    ...more,
  };
}

function messageParts({ text, ...more }: ReturnType<typeof writeAnswers>): Partial<Message> {
  return { parts: [textPart(text)], ...more };
}

function textPart(value: string) {
  return {
    content: { $case: "text" as const, value },
    metadata: undefined,
    filename: "",
    mediaType: "text/plain",
  };
}

function taskOf(result: Task | Message): Task {
  if ("messageId" in result) throw new Error("The agent answered with a message.");
  return result;
}

export function stateOf(task: Pick<Task, "status">): TaskState {
  return task.status?.state ?? TaskState.TASK_STATE_UNSPECIFIED;
}

/** The text in a task's status. */
export function wordsOf({ status }: Pick<Task, "status">): string {
  return (status?.message?.parts ?? [])
    .map(({ content }) => (content?.$case === "text" ? content.value : ""))
    .join("");
}

export function replyOf({ artifacts }: Pick<Task, "artifacts">): string {
  return artifacts
    .flatMap(({ parts }) => parts)
    .map(({ content }) => (content?.$case === "text" ? content.value : ""))
    .join("");
}

/** The requests of the extension that a task waits for. */
export function questionsOf(task: Pick<Task, "status">) {
  const state = stateOf(task) === TaskState.TASK_STATE_AUTH_REQUIRED ? "auth-required" : "input-required";
  const read = readQuestions(state, task.status?.message);
  if (read === undefined) return [];
  if (!read.ok) throw new Error(read.reason);
  return read.value;
}

export async function collect<Event>(events: AsyncIterable<Event>): Promise<Event[]> {
  const all: Event[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** The states in a stream, in order. */
export function statesOf(events: readonly StreamResponse[]): TaskState[] {
  return events.flatMap(({ payload }) =>
    payload?.$case === "task" || payload?.$case === "statusUpdate" ? [stateOf(payload.value)] : [],
  );
}
