import { LEGACY_METHOD_MESSAGE_STREAM, LEGACY_METHOD_TASKS_RESUBSCRIBE } from "@a2a-js/sdk/compat/v0_3";
import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import { A2A_ERROR_CODE, RequestMalformedError } from "@a2a-js/sdk/errors";
import {
  type A2ARequestHandler,
  JsonRpcTransportHandler,
  type ServerCallContext,
  validateVersion,
} from "@a2a-js/sdk/server";
import { isObject } from "../../../src/contract/json.ts";
import type { Clock } from "../../../src/base/clock.ts";
import { formatSSEErrorEvent, formatSSEEvent } from "@a2a-js/sdk";
import { eventStream } from "../../../src/base/event-stream.ts";

/** One call, independent of the transport. */
export interface Call {
  readonly handler: A2ARequestHandler;
  readonly context: ServerCallContext;
  /** The client speaks protocol 0.3. */
  readonly isLegacy: boolean;
  /** Whether the handler was reached. */
  readonly isServed: () => boolean;
  /** Called when the client has disconnected. */
  readonly leave: () => void;
  readonly clock: Clock;
}

export const UNREADABLE = new RequestMalformedError("The request cannot be read.");

/** Serves a JSON-RPC call, in protocol 1.0 or 0.3. */
export async function serveJsonRpc(body: unknown, call: Call): Promise<Response> {
  const { handler, context, isLegacy, leave, clock } = call;
  const id = isObject(body) && isId(body["id"]) ? body["id"] : null;
  const failed = (error: unknown) => ({
    jsonrpc: "2.0",
    id,
    error: isLegacy
      ? LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(error)
      : JsonRpcTransportHandler.mapToJSONRPCError(error),
  });
  try {
    validateVersion(context.requestedVersion, await handler.getAgentCard(), "JSONRPC");
    const transport = isLegacy
      ? new LegacyJsonRpcTransportHandler(handler)
      : new JsonRpcTransportHandler(handler);
    if (!isObject(body)) throw new RequestMalformedError("The body is not a JSON-RPC request.");
    const reply = await transport.handle({ ...body }, context);
    if (!(Symbol.asyncIterator in reply)) {
      // The SDK reports unreadable input as an internal error, with the message of a programming error.
      const isUnread = reply.error !== undefined && isInternal(reply.error) && !call.isServed();
      return Response.json(isUnread ? failed(UNREADABLE) : reply);
    }
    // Clients of 0.3 accept no other kind of reply to this method.
    const alwaysStreams = isLegacy && body["method"] === LEGACY_METHOD_TASKS_RESUBSCRIBE;
    return await streamReply<unknown>(reply, {
      alwaysStreams,
      toJson: isLegacy && body["method"] === LEGACY_METHOD_MESSAGE_STREAM ? withFinal : (event) => event,
      failed,
      leave,
      clock,
    });
  } catch (error) {
    return Response.json(failed(error));
  }
}

/**
 * The reply to a message ends when its task needs input. In 0.3 its last status says so with `final`, which the SDK writes
 * for ended tasks only. Google ADK forgets the task of a stream without it.
 */
function withFinal(event: unknown): unknown {
  const result = isObject(event) ? event["result"] : undefined;
  if (!isObject(result) || !isObject(event) || result["kind"] !== "status-update") return event;
  const { status } = result;
  const needsInput = isObject(status) && status["state"] === "input-required";
  return needsInput ? { ...event, result: { ...result, final: true } } : event;
}

function isInternal(error: unknown): boolean {
  return isObject(error) && error["code"] === A2A_ERROR_CODE.INTERNAL_ERROR;
}

function isId(value: unknown): value is string | number {
  return typeof value === "string" || Number.isInteger(value);
}

/** Sends events as a stream. Rejects if the first event fails, so that the error can become the reply. */
export async function streamReply<Event>(
  events: AsyncGenerator<Event, void, undefined>,
  write: {
    readonly toJson: (event: Event) => unknown;
    readonly failed: (error: unknown) => unknown;
    /** With this, an error before the first event is sent as an event, too. */
    readonly alwaysStreams?: boolean | undefined;
    /** Called when the client leaves. */
    readonly leave: () => void;
    readonly clock: Clock;
  },
): Promise<Response> {
  const first = events.next();
  if (write.alwaysStreams === true) first.catch(() => undefined);
  else await first;
  return eventStream(startingWith(first, events), {
    frame: (event) => formatSSEEvent(write.toJson(event)),
    failed: (error) => formatSSEErrorEvent(write.failed(error)),
    onLeave: write.leave,
    clock: write.clock,
  });
}

async function* startingWith<Event>(
  first: Promise<IteratorResult<Event, void>>,
  events: AsyncGenerator<Event, void, undefined>,
): AsyncGenerator<Event, void, undefined> {
  const { done, value } = await first;
  if (done === true) return;
  yield value;
  yield* events;
}
