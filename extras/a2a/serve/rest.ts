import {
  A2A_CONTENT_TYPE,
  type ListTasksRequest,
  ListTasksResponse,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
  TaskState,
  taskStateFromJSON,
} from "@a2a-js/sdk";
import {
  RequestMalformedError,
  UnsupportedOperationError,
  restStatusFor,
  toRestErrorBody,
} from "@a2a-js/sdk/errors";
import { validateVersion } from "@a2a-js/sdk/server";
import { type Call, UNREADABLE, streamReply } from "./json-rpc.ts";

/** A request of the HTTP+JSON binding. */
export interface RestRequest {
  readonly method: string;
  /** The path below the URL of the agent. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The JSON that was sent. `undefined` without a body. */
  readonly body: unknown;
}

/** Serves a call of the HTTP+JSON binding of protocol 1.0. `undefined` if the path is not one of the protocol's. */
export async function serveRest(request: RestRequest, call: Call): Promise<Response | undefined> {
  try {
    const serve = routeOf(request, call);
    if (serve === undefined) return undefined;
    validateVersion(call.context.requestedVersion, await call.handler.getAgentCard(), "HTTP+JSON");
    return await serve();
  } catch (error) {
    const status = restStatusFor(error);
    return reply(toRestErrorBody(error, status), status);
  }
}

function routeOf(
  { method, path, query, body }: RestRequest,
  call: Call,
): (() => Promise<Response>) | undefined {
  const { handler, context } = call;
  const tenant = "";
  if (method === "POST" && path === "/message:send") {
    return async () => {
      const result = await handler.sendMessage(messageFrom(body), context);
      const payload =
        "messageId" in result
          ? ({ $case: "message", value: result } as const)
          : ({ $case: "task", value: result } as const);
      return reply(SendMessageResponse.toJSON({ payload }));
    };
  }
  if (method === "POST" && path === "/message:stream") {
    return async () => stream(handler.sendMessageStream(messageFrom(body), context), call);
  }
  if (method === "GET" && path === "/extendedAgentCard") {
    return () => handler.getAuthenticatedExtendedAgentCard({ tenant }, context).then(() => reply({}));
  }
  if (method === "GET" && path === "/tasks") {
    return async () => {
      const listed = await handler.listTasks(listRequest(query), context);
      const {
        tasks = [],
        nextPageToken = "",
        pageSize = 0,
        totalSize = 0,
      } = Object(ListTasksResponse.toJSON(listed));
      return reply({ tasks, nextPageToken, pageSize, totalSize });
    };
  }
  const [, encoded, verb = "", rest] = /^\/tasks\/([^/:]+)(:\w+)?(\/.*)?$/.exec(path) ?? [];
  if (encoded === undefined) return undefined;
  const id = decoded(encoded);
  if (rest?.startsWith("/pushNotificationConfigs") && verb === "") {
    return () =>
      handler
        .createTaskPushNotificationConfig(TaskPushNotificationConfig.fromJSON({}), context)
        .then(() => reply({}));
  }
  if (rest !== undefined) return undefined;
  if (method === "GET" && verb === "") {
    const historyLength = countOf(query, "historyLength");
    return async () => reply(Task.toJSON(await handler.getTask({ tenant, id, historyLength }, context)));
  }
  if (method === "POST" && verb === ":cancel") {
    return async () =>
      reply(Task.toJSON(await handler.cancelTask({ tenant, id, metadata: undefined }, context)));
  }
  if (verb === ":subscribe" && (method === "GET" || method === "POST")) {
    return async () => stream(handler.resubscribe({ tenant, id }, context), call);
  }
  return undefined;
}

function messageFrom(body: unknown): SendMessageRequest {
  try {
    return SendMessageRequest.fromJSON(body ?? {});
  } catch {
    throw UNREADABLE;
  }
}

function listRequest(query: URLSearchParams): ListTasksRequest {
  const status = query.get("status");
  return {
    tenant: "",
    contextId: query.get("contextId") ?? "",
    status: status === null ? TaskState.TASK_STATE_UNSPECIFIED : taskStateFromJSON(status),
    pageSize: countOf(query, "pageSize"),
    pageToken: query.get("pageToken") ?? "",
    historyLength: countOf(query, "historyLength"),
    statusTimestampAfter: query.get("statusTimestampAfter") ?? undefined,
    includeArtifacts: query.get("includeArtifacts") === "true",
  };
}

function countOf(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  if (value === null || value === "") return undefined;
  if (!/^\d{1,9}$/.test(value)) throw new RequestMalformedError(`${name} must be a whole number.`);
  return Number(value);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new UnsupportedOperationError("The path of the request cannot be read.");
  }
}

function reply(body: unknown, status = 200): Response {
  return Response.json(body, { status, headers: { "content-type": A2A_CONTENT_TYPE } });
}

function stream(
  events: AsyncGenerator<StreamResponse, void, undefined>,
  { leave, clock }: Call,
): Promise<Response> {
  return streamReply(events, {
    toJson: StreamResponse.toJSON,
    failed: (error) => toRestErrorBody(error, restStatusFor(error)),
    leave,
    clock,
  });
}
