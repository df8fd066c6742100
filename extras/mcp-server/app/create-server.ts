import {
  type CallToolRequest,
  type CallToolResult,
  type Implementation,
  type InputRequiredResult,
  type ListToolsRequest,
  type ListToolsResult,
  McpServer,
  type McpServerOptions,
  type ReadResourceResult,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { KitError } from "../../../src/contract/kit-error.ts";
import { APP_MIME_TYPE, UI_EXTENSION } from "../../../src/mcp/wire/app.ts";
import { CARD_HTML, CARD_VERSION } from "./card-html.ts";
import type { CardServer, Cards } from "./card-server.ts";

/** Hosts cache a view by its URI, so a new card has a new URI. */
export const CARD_URI = `ui://elicit-kit/card-${CARD_VERSION}.html`;

/** The capability of a server: a host that supports elicitation may show the card for a form (SEP-3118). */
export const CARD_EXTENSION = { [UI_EXTENSION]: { elicitation: {} } };

/** The entry of the card in the list of resources. */
export const CARD_RESOURCE = { title: "Questions to the user", mimeType: APP_MIME_TYPE };

/** Creates a server of the official SDK. With `cards`, its tools can ask through the card. */
export function createServer(
  info: Implementation,
  options: McpServerOptions,
  { cards, subjectOf }: { cards: Cards | undefined } & Pick<CardServer, "subjectOf">,
): McpServer {
  const server = new McpServer(info, options);
  if (cards === undefined) return server;
  server.server.registerCapabilities({ extensions: CARD_EXTENSION });
  serveCards(server.server, cards, subjectOf);
  server.registerResource("elicitation-card", CARD_URI, CARD_RESOURCE, () => readCard(info));
  return server;
}

/** The result of `resources/read`. The card draws its own border, and loads nothing from other sites. */
export function readCard(info: Implementation): ReadResourceResult {
  const contents = { uri: CARD_URI, mimeType: APP_MIME_TYPE, text: cardHtml(info) };
  return { contents: [{ ...contents, _meta: { ui: { prefersBorder: false } } }] };
}

function cardHtml({ title, name }: Implementation): string {
  if (CARD_HTML !== "")
    return CARD_HTML.replace('data-server=""', () => `data-server="${escaped(title ?? name)}"`);
  throw new KitError("elicit-kit: the card is part of the built package. Run `npm run build`.");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

type List = (request: ListToolsRequest, ctx: ServerContext) => ListToolsResult | Promise<ListToolsResult>;
type Call = (
  request: CallToolRequest,
  ctx: ServerContext,
) => CallToolResult | InputRequiredResult | Promise<CallToolResult | InputRequiredResult>;

const NO_TOOLS: List = () => ({ tools: [] });

/** Wraps the handlers that the SDK sets with the first tool. The SDK has no hook for this. */
function serveCards(server: Server, cards: Cards, subjectOf: CardServer["subjectOf"]): void {
  const set = server.setRequestHandler.bind(server);
  let list: List = NO_TOOLS;
  const around = cards.around({
    server,
    uri: CARD_URI,
    subjectOf,
    listed: (ctx) => list({ method: "tools/list" }, ctx),
  });
  Object.assign(server, {
    setRequestHandler(method: string, ...rest: unknown[]) {
      const [handler] = rest;
      if (method === "tools/list" && isList(handler)) {
        list = handler;
        return set(method, async (request, ctx) => around.list(await handler(request, ctx), ctx));
      }
      if (method === "tools/call" && isCall(handler)) {
        return set(method, (request, ctx) => around.call(request, ctx, handler));
      }
      return Reflect.apply(set, server, [method, ...rest]);
    },
  });
}

/** Narrows the type: the SDK's overload says which function belongs to the method. */
function isList(handler: unknown): handler is List {
  return typeof handler === "function";
}

function isCall(handler: unknown): handler is Call {
  return typeof handler === "function";
}
