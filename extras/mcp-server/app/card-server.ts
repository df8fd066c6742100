import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  type ListToolsResult,
  type Server,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import { isObject } from "../../../src/contract/json.ts";
import type { Clock } from "../../../src/base/clock.ts";
import { CARD_TOOLS, showsApps, showsOwnForms } from "../../../src/mcp/wire/app.ts";
import { type Presenting, clientModes, revisionOf } from "../presentation.ts";
import { progressOf } from "../turn-reply.ts";
import { createCardCalls } from "./card-calls.ts";
import { withFormView } from "./card-run.ts";
import { cardToolDefinitions, replyResult } from "./card-tools.ts";
import { VIEW_WITHIN_MS, drive } from "./drive.ts";
import { type OpenCalls, createOpenCalls } from "./open-calls.ts";
import { createConnectionAsks, withOwnAsks } from "./own-asks.ts";
import { type CallHandler, runnerOf } from "./run-tool.ts";

/** The options for the cards of a process. */
export interface CardOptions {
  readonly clock: Clock;
  /** Whether a tool may ask through the card. `named`: whether the operator listed the tool. */
  readonly asks: (tool: string) => "named" | boolean;
  /** Tools whose card shows only pages, no forms. */
  readonly pagesOnly: readonly string[];
  /** Whether work of a call continues between its runs, so that its end must be run, too. @default false */
  readonly isParked?: boolean | undefined;
}

/** A server to which cards are added. */
export interface CardServer {
  /** The server of a session, before 2026. */
  readonly server: Pick<
    Server,
    "getClientCapabilities" | "getClientVersion" | "getNegotiatedProtocolVersion"
  >;
  readonly uri: string;
  /** Returns the user of a request. */
  readonly subjectOf: (ctx: ServerContext) => string | undefined;
  /** The tools without those of the card. */
  readonly listed: (ctx: ServerContext) => ListToolsResult | Promise<ListToolsResult>;
}

/** The cards of one process, shared by the servers of its requests. */
export interface Cards {
  /** Wraps the handlers of a server, adding the card's tools and questions. */
  around(server: CardServer): {
    list(result: ListToolsResult, ctx: ServerContext): ListToolsResult;
    call(
      request: CallToolRequest,
      ctx: ServerContext,
      inner: CallHandler,
    ): Promise<CallToolResult | InputRequiredResult>;
    /** Returns the view that the client shows for a form that it asks itself (SEP-3118). */
    formViewOf(ctx: ServerContext): string | undefined;
  };
}

/** After this many calls without a view in time, calls of a client no longer wait for one. */
const MAX_MISSES = 2;
/** A limit, because clients choose their names themselves. */
const MAX_CLIENTS = 1000;

export function createCards({ clock, asks, pagesOnly, isParked = false }: CardOptions): Cards {
  const calls: OpenCalls = createOpenCalls(clock);
  /** How many calls in a row saw no view in time, by client name. */
  const misses = new Map<string, number>();

  const ofCard = createCardCalls({
    clock,
    calls,
    asks,
    pagesOnly,
    onViewInTime: (client) => misses.delete(client),
  });

  /** A tool with its own app asks there only if the operator has listed it. */
  function isAsking(tool: Tool): boolean {
    const how = asks(tool.name);
    return how === "named" || (how && appOf(tool) === undefined);
  }

  return {
    around({ server, uri, subjectOf, listed }) {
      /** Returns the owner of the calls that a view may see. `undefined`: the caller cannot be identified. */
      function ownerOf(ctx: ServerContext): string | undefined {
        const subject = subjectOf(ctx);
        if (subject !== undefined) return `user ${subject}`;
        if (ctx.http === undefined) return "this process";
        return ctx.sessionId === undefined ? undefined : `session ${ctx.sessionId}`;
      }
      const capabilitiesOf = (ctx: ServerContext): unknown =>
        ofEnvelope(ctx, CLIENT_CAPABILITIES_META_KEY) ?? server.getClientCapabilities();
      /** Whether the client shows the questions itself. */
      function asksItself(ctx: ServerContext): Presenting {
        const revision = isModern(ctx) ? "2026-07-28" : revisionOf(server.getNegotiatedProtocolVersion());
        const capabilities = capabilitiesOf(ctx);
        const formView = showsOwnForms(capabilities) ? uri : undefined;
        return { modes: clientModes(capabilities, revision), revision, formView };
      }
      function isCardClient(ctx: ServerContext, { modes: { form, url } }: Presenting): boolean {
        return showsApps(capabilitiesOf(ctx)) && !(form && url);
      }
      function clientOf(ctx: ServerContext): string {
        const info = ofEnvelope(ctx, CLIENT_INFO_META_KEY) ?? server.getClientVersion();
        return isObject(info) && typeof info["name"] === "string" ? info["name"] : "";
      }

      async function asksHere(name: string, ctx: ServerContext): Promise<boolean> {
        if (asks(name) === false) return false;
        const { tools } = await listed(ctx);
        return tools.some((tool) => tool.name === name && isAsking(tool));
      }

      async function ask(
        { params: { name: tool, arguments: args = {} } }: CallToolRequest,
        ctx: ServerContext,
        inner: CallHandler,
        client: Presenting,
      ): Promise<CallToolResult | InputRequiredResult> {
        const { modes } = client;
        const progress = progressOf(ctx, () => {});
        const owner = ownerOf(ctx);
        const name = clientOf(ctx);
        const key = { owner: owner ?? "", tool, arguments: args, requestId: ctx.mcpReq.id };
        const isRepeated = modes.declared && ctx.mcpReq.requestState() !== undefined;
        const call =
          (isRepeated ? calls.resume(key) : undefined) ??
          calls.open(owner === undefined ? { ...key, owner: `nobody ${crypto.randomUUID()}` } : key);
        const known = misses.get(name) ?? 0;
        const waits = owner !== undefined && known < MAX_MISSES;
        const forms = modes.form || !pagesOnly.includes(tool);
        const run = runnerOf(key, { ctx, inner, forms, continues: modes.declared });
        const connection = isModern(ctx) ? undefined : createConnectionAsks(ctx, { client, clock, progress });
        const asking = modes.declared ? withOwnAsks(run, call, { client, connection }) : run;
        const answered = await drive(call, asking, {
          clock,
          progress,
          signal: ctx.mcpReq.signal,
          viewWithinMs: waits ? VIEW_WITHIN_MS : 0,
          isParked,
        });
        if (call.isSeen || call.state.status !== "handed") return answered;
        if (misses.size >= MAX_CLIENTS) misses.clear();
        misses.set(name, known + 1);
        return answered;
      }

      return {
        formViewOf: (ctx) => asksItself(ctx).formView,
        list(all, ctx) {
          if (!isCardClient(ctx, asksItself(ctx))) return all;
          const tools = all.tools.map((tool) => (isAsking(tool) ? withCard(tool, uri) : tool));
          return { ...all, tools: [...tools, ...cardToolDefinitions] };
        },
        async call(request, ctx, inner) {
          const { name, arguments: given } = request.params;
          const client = asksItself(ctx);
          const round = withFormView(ctx, client.formView);
          if (!isCardClient(ctx, client)) return inner(request, round);
          const call = { given, ctx, owner: ownerOf(ctx), asksForms: client.modes.form };
          if (name === CARD_TOOLS.next) return replyResult(await ofCard.next(call, clientOf(ctx)));
          if (name === CARD_TOOLS.answer) return replyResult(await ofCard.answer(call, inner));
          if (name === CARD_TOOLS.result) return ofCard.wait(call);
          return (await asksHere(name, ctx)) ? ask(request, round, inner, client) : inner(request, round);
        },
      };
    },
  };
}

/** Returns the app that a tool already has. */
function appOf({ _meta: meta }: Tool): unknown {
  const ui = meta?.["ui"];
  return isObject(ui) ? ui["resourceUri"] : undefined;
}

/** A tool as a host with cards sees it. It has no `outputSchema`, because its result may be a question of the card. */
function withCard(tool: Tool, uri: string): Tool {
  const { outputSchema: _, _meta: meta, ...rest } = tool;
  const ui = meta?.["ui"];
  return {
    ...rest,
    _meta: { ...meta, ui: { ...(isObject(ui) && ui), resourceUri: appOf(tool) ?? uri } },
  };
}

/** Reads what a request of MCP 2026-07-28 declares about its client. */
function ofEnvelope(ctx: ServerContext, key: string): unknown {
  const envelope: unknown = ctx.mcpReq.envelope;
  return isObject(envelope) ? envelope[key] : undefined;
}

/** Whether the call is one of MCP 2026-07-28. */
function isModern(ctx: ServerContext): boolean {
  return ofEnvelope(ctx, CLIENT_CAPABILITIES_META_KEY) !== undefined;
}
