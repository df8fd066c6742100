import {
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { isObject } from "../../src/contract/json.ts";
import { TASKS_EXTENSION } from "../../src/mcp/wire/translate.ts";
import type { McpCaller } from "./agent-calls.ts";
import { clientModes } from "./presentation.ts";
import type { TaskCalls, TaskRef } from "./task-calls.ts";

const aboutTask = z.looseObject({ taskId: z.string() });

/** Whether the client of a request of MCP 2026-07-28 supports tasks. */
export function supportsTasks(capabilities: unknown): boolean {
  const extensions = isObject(capabilities) ? capabilities["extensions"] : undefined;
  return isObject(extensions) && isObject(extensions[TASKS_EXTENSION]);
}

/** Registers the methods of the tasks extension of MCP 2026-07-28. `guard` decides which errors a client sees. */
export function serveTasks(
  server: Server,
  tasks: TaskCalls,
  {
    caller,
    guard,
    formViewOf,
  }: {
    caller: McpCaller;
    guard: <Result>(run: () => Promise<Result>) => Promise<Result>;
    formViewOf: (ctx: ServerContext) => string | undefined;
  },
): void {
  server.registerCapabilities({ extensions: { [TASKS_EXTENSION]: {} } });

  function refOf({ taskId }: { taskId: string }, ctx: ServerContext): TaskRef {
    const envelope: unknown = ctx.mcpReq.envelope;
    const capabilities = isObject(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : undefined;
    if (supportsTasks(capabilities)) {
      const revision = "2026-07-28";
      const client = {
        modes: clientModes(capabilities, revision),
        revision,
        formView: formViewOf(ctx),
      } as const;
      return { taskId, caller, client };
    }
    throw new MissingRequiredClientCapabilityError(
      { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } },
      "The client has not declared that it supports tasks.",
    );
  }

  server.setRequestHandler("tasks/get", { params: aboutTask }, (params, ctx) =>
    guard(async () => {
      const state = await tasks.get(refOf(params, ctx));
      if (state === undefined) throw unknownTask();
      return { ...state };
    }),
  );
  server.setRequestHandler("tasks/update", { params: aboutTask }, (params, ctx) =>
    guard(async () => {
      const answers = ctx.mcpReq.inputResponses ?? {};
      if (!(await tasks.update(refOf(params, ctx), answers))) throw unknownTask();
      return {};
    }),
  );
  server.setRequestHandler("tasks/cancel", { params: aboutTask }, (params, ctx) =>
    guard(async () => {
      if (!(await tasks.cancel(refOf(params, ctx)))) throw unknownTask();
      return {};
    }),
  );
}

function unknownTask(): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    "There is no such task. It may have ended long ago, or its process has stopped.",
  );
}
