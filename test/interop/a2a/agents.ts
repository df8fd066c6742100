import { createServer } from "node:http";
import {
  AgentCard,
  type AgentCapabilities,
  type Message,
  Role,
  type Task,
  TaskState,
  type TaskStatus,
} from "@a2a-js/sdk";
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  type RequestContext,
} from "@a2a-js/sdk/server";
import { UserBuilder, agentCardHandler, jsonRpcHandler, restHandler } from "@a2a-js/sdk/server/express";
import express from "express";
import { onTestFinished } from "vitest";
import {
  type A2aExtended,
  type A2aQuestion,
  ELICITATION_EXTENSION,
  writeQuestions,
} from "../../../src/a2a/wire/translate.ts";
import { listen } from "../../stages/listen.ts";

export type AgentTransport = "JSONRPC" | "HTTP+JSON";

export interface ServeOptions {
  transport?: AgentTransport;
  streaming?: boolean;
  /** Protocol 0.3, which the server supports besides 1.0. The card names only 0.3. */
  legacy?: boolean;
  extension?: boolean;
  /** Third-party extensions in the card. */
  others?: readonly string[];
  security?: Pick<AgentCard, "securitySchemes" | "securityRequirements">;
  /** The SDK's handler writes the card, with security schemes in its own format (1.3.0) instead of the protocol's. */
  sdkCard?: boolean;
  /** Handles requests before the agent's own routes. */
  intercept?: express.RequestHandler;
  port?: number;
  /** A store that survives the agent's process. */
  store?: InMemoryTaskStore;
}

/** The reaction of a test agent to a message on a task. */
export type Script = (agent: ScriptedTask) => Promise<void> | void;

/** The part of the SDK's server that scripts use. */
export interface ScriptedTask {
  readonly message: Message;
  readonly text: string;
  readonly taskId: string;
  /** Whether this message started the task. */
  readonly isNew: boolean;
  readonly requestedExtensions: readonly string[];
  status(state: TaskState, said?: string | A2aExtended): void;
  ask(questions: readonly A2aQuestion[]): void;
  artifact(text: string): void;
  bus: ExecutionEventBus;
}

export interface ServedAgent {
  url: string;
  /** The messages that the agent got, in order. */
  readonly messages: readonly Message[];
  readonly cancelled: readonly string[];
  crash(): Promise<void>;
}

const text = (value: string) => ({
  content: { $case: "text" as const, value },
  metadata: undefined,
  filename: "",
  mediaType: "text/plain",
});

/** Serves an agent on the SDK's own server, on a real socket, until the test ends. */
export async function serveAgent(script: Script, options: ServeOptions = {}): Promise<ServedAgent> {
  const { transport = "JSONRPC", streaming = true, legacy = false, extension = true, others = [] } = options;
  const messages: Message[] = [];
  const cancelled: string[] = [];
  const app = express();
  const { url, close: crash } = await listen(createServer(app), options.port);
  const agentCard = {
    ...cardOf(url, {
      transport,
      streaming,
      legacy,
      uris: [...(extension ? [ELICITATION_EXTENSION] : []), ...others],
    }),
    ...options.security,
  };
  const executor: AgentExecutor = {
    async execute(context, bus) {
      messages.push(context.userMessage);
      await script(scriptedTask(context, bus));
      bus.finished();
    },
    async cancelTask(taskId, bus) {
      cancelled.push(taskId);
      bus.publish(
        AgentEvent.statusUpdate({
          taskId,
          contextId: "",
          status: statusOf(TaskState.TASK_STATE_CANCELED, undefined, { taskId, contextId: "" }),
          metadata: undefined,
        }),
      );
      bus.finished();
    },
  };
  const requestHandler = new DefaultRequestHandler(
    agentCard,
    options.store ?? new InMemoryTaskStore(),
    executor,
  );
  const common = {
    requestHandler,
    userBuilder: UserBuilder.noAuthentication,
    legacyCompat: { enabled: legacy },
  };
  if (options.intercept !== undefined) app.use(options.intercept);
  if (options.security !== undefined && options.sdkCard !== true) {
    app.get("/.well-known/agent-card.json", (_, response) => void response.json(AgentCard.toJSON(agentCard)));
  }
  app.use(
    "/.well-known/agent-card.json",
    agentCardHandler({ agentCardProvider: requestHandler, legacyCompat: { enabled: legacy } }),
  );
  app.use("/rpc", jsonRpcHandler(common));
  app.use("/rest", restHandler(common));
  onTestFinished(crash);
  return { url, messages, cancelled, crash };
}

function cardOf(
  url: string,
  options: Required<Pick<ServeOptions, "transport" | "streaming" | "legacy">> & { uris: readonly string[] },
): AgentCard {
  const { transport, streaming, legacy, uris } = options;
  const capabilities: AgentCapabilities = {
    streaming,
    pushNotifications: false,
    extensions: uris.map((uri) => ({
      uri,
      description: "Asks the person",
      required: false,
      params: undefined,
    })),
  };
  return {
    name: "Travel Bot",
    description: "Books trips",
    supportedInterfaces: [
      {
        url: `${url}/${transport === "JSONRPC" ? "rpc" : "rest"}`,
        protocolBinding: transport,
        tenant: "",
        protocolVersion: legacy ? "0.3" : "1.0",
      },
    ],
    provider: undefined,
    version: "1",
    capabilities,
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [],
    signatures: [],
  };
}

function scriptedTask(context: RequestContext, bus: ExecutionEventBus): ScriptedTask {
  const { taskId, contextId, userMessage, task } = context;
  const ids = { taskId, contextId };
  const first: Task = task ?? {
    id: taskId,
    contextId,
    status: statusOf(TaskState.TASK_STATE_SUBMITTED, undefined, ids),
    artifacts: [],
    history: [userMessage],
    metadata: undefined,
  };
  bus.publish(AgentEvent.task(first));
  const scripted: ScriptedTask = {
    message: userMessage,
    text: userMessage.parts.map(({ content }) => (content?.$case === "text" ? content.value : "")).join(""),
    taskId,
    isNew: task === undefined,
    requestedExtensions: [...(context.context.requestedExtensions ?? [])],
    bus,
    status(state, said) {
      const status = statusOf(state, said, ids);
      bus.publish(AgentEvent.statusUpdate({ ...ids, status, metadata: undefined }));
    },
    ask(questions) {
      const written = writeQuestions(questions);
      if (!written.ok) throw new Error(written.reason);
      const { state } = written.value;
      scripted.status(
        state === "input-required" ? TaskState.TASK_STATE_INPUT_REQUIRED : TaskState.TASK_STATE_AUTH_REQUIRED,
        written.value,
      );
    },
    artifact(value) {
      const artifact = {
        artifactId: crypto.randomUUID(),
        name: "",
        description: "",
        parts: [text(value)],
        metadata: undefined,
        extensions: [],
      };
      bus.publish(
        AgentEvent.artifactUpdate({ ...ids, artifact, append: false, lastChunk: true, metadata: undefined }),
      );
    },
  };
  return scripted;
}

function statusOf(
  state: TaskState,
  said: string | A2aExtended | undefined,
  ids: { taskId: string; contextId: string },
): TaskStatus {
  const extended = typeof said === "string" ? { text: said, extensions: [], metadata: undefined } : said;
  const message: Message | undefined = extended && {
    messageId: crypto.randomUUID(),
    ...ids,
    role: Role.ROLE_AGENT,
    parts: [text(extended.text)],
    extensions: extended.extensions,
    metadata: extended.metadata,
    referenceTaskIds: [],
  };
  return { state, message, timestamp: new Date().toISOString() };
}
