import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import {
  type A2ARequestHandler,
  JsonRpcTransportHandler,
  type ServerCallContext,
  validateVersion,
} from "@a2a-js/sdk/server";
import { isObject } from "../../protocol/json.ts";
import { streamReply } from "./stream-reply.ts";

/** One call, as the transports serve it. */
export interface Call {
  readonly handler: A2ARequestHandler;
  readonly context: ServerCallContext;
  /** The client speaks protocol 0.3. */
  readonly isLegacy: boolean;
  /** The client has gone away. */
  readonly leave: () => void;
}

/** Serves a JSON-RPC call, in protocol 1.0 or 0.3. */
export async function serveJsonRpc(body: unknown, call: Call): Promise<Response> {
  const { handler, context, isLegacy, leave } = call;
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
    if (!(Symbol.asyncIterator in reply)) return Response.json(reply);
    return await streamReply(reply, { toJson: (event) => event, failed, leave });
  } catch (error) {
    return Response.json(failed(error));
  }
}

function isId(value: unknown): value is string | number {
  return typeof value === "string" || Number.isInteger(value);
}
