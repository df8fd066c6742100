import {
  createMcpHandler,
  hostHeaderValidationResponse,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  McpServer,
  originValidationResponse,
  type ServerContext,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { McpServer as McpServerOptions } from "elicit-kit/agent";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { html } from "hono/html";
import { z } from "zod";
import { inWords } from "./day.ts";
import { serve } from "./ports.ts";

/** The planner as the agent's MCP servers, by revision. In the first one there are only forms. */
const NAMES = {
  "2025-06-18": "planner_2025_06",
  "2025-11-25": "planner_2025_11",
  "2026-07-28": "planner",
} as const;
type Revision = keyof typeof NAMES;
const REVISIONS: readonly Revision[] = ["2025-06-18", "2025-11-25", "2026-07-28"];

export interface Planner {
  origin: string;
  servers: readonly McpServerOptions[];
  close: () => Promise<void>;
}

type Form = Extract<Parameters<typeof inputRequired.elicit>[0]["requestedSchema"], { type: "object" }>;

/** The questions that every revision supports. */
const COMMON: Form["properties"] = {
  name: { type: "string", title: "Name of the day", minLength: 2, maxLength: 60 },
  date: { type: "string", title: "Date", format: "date" },
  people: { type: "integer", title: "People", minimum: 2, maximum: 200 },
  outside: { type: "boolean", title: "Outside, if the weather is good", default: true },
  room: { type: "string", title: "Room", enum: ["small", "medium", "large"] },
  travel: { type: "string", title: "Travel", enum: ["bus", "train"], enumNames: ["By bus", "By train"] },
};

/** Together with these, the form covers all eight kinds of fields of MCP. */
const LATER: Form["properties"] = {
  food: {
    type: "string",
    title: "Food",
    oneOf: [
      { const: "buffet", title: "Buffet" },
      { const: "grill", title: "Barbecue" },
      { const: "none", title: "We bring our own" },
    ],
    default: "buffet",
  },
  needs: {
    type: "array",
    title: "We need",
    items: { type: "string", enum: ["Projector", "Piano", "Parking"] },
  },
  games: {
    type: "array",
    title: "Games",
    maxItems: 2,
    items: {
      anyOf: [
        { const: "chess", title: "Chess" },
        { const: "boules", title: "Boules" },
        { const: "quiz", title: "Quiz" },
      ],
    },
    default: ["boules"],
  },
};

const CONFIRM: Form = {
  type: "object",
  properties: { sure: { type: "boolean", title: "Send the invitations" } },
  required: ["sure"],
};

/** The server's state between two rounds. The client returns it, so it contains no secrets. */
const plan = z.object({ name: z.string(), date: z.string(), ticket: z.string() });

/**
 * An MCP server that asks while its tool runs: a form, a page to open, and a second form. The same server in three
 * revisions of MCP: in 2026 it asks in its results, before that by requests on a session.
 */
export async function startPlanner({ port }: { port: number }): Promise<Planner> {
  const { origin, close } = await serve({
    name: "planner",
    host: "127.0.0.1",
    port,
    handle: (own) => createApp(own).fetch,
  });
  const servers = REVISIONS.map((revision) => ({
    name: NAMES[revision],
    url: `${origin}/${revision}/mcp`,
    service: "Planner",
    credentialScope: "none" as const,
  }));
  return { origin, servers, close };
}

/** The page where the user reserves a room. */
interface Venue {
  readonly origin: string;
  /** The tickets of reservations that a user has confirmed on the page. */
  readonly confirmed: Set<string>;
  /** Reports to the client, by ticket, that the user has finished a page. */
  readonly report: Map<string, () => Promise<void>>;
}

function createApp(origin: string): Hono {
  const venue: Venue = { origin, confirmed: new Set(), report: new Map() };
  const modern = createMcpHandler(() => createPlanner("2026-07-28", venue), {
    responseMode: "sse",
  });
  const app = new Hono().use(async (c, next) => {
    const refused = hostHeaderValidationResponse(c.req.raw, [new URL(origin).hostname]);
    return refused ?? next();
  });
  for (const revision of REVISIONS) {
    const handle =
      revision === "2026-07-28"
        ? (request: Request) => modern.fetch(request)
        : withSessions(() => createPlanner(revision, venue));
    // Other methods have no body, and the limit fails on a DELETE without a length.
    app.post(`/${revision}/mcp`, bodyLimit({ maxSize: 64 * 1024 }));
    app.all(`/${revision}/mcp`, (c) => {
      const refused = originValidationResponse(c.req.raw, []);
      return refused ?? handle(c.req.raw);
    });
  }
  // The page that the link opens. A real page would first authenticate the user.
  return app
    .get("/room/:ticket", (c) => c.html(page(venue.confirmed.has(c.req.param("ticket")))))
    .post("/room/:ticket", async (c) => {
      const ticket = c.req.param("ticket");
      venue.confirmed.add(ticket);
      // The client may have disconnected in the meantime.
      await venue.report
        .get(ticket)?.()
        .catch(() => {});
      venue.report.delete(ticket);
      return c.html(page(true));
    });
}

function createPlanner(revision: Revision, venue: Venue): McpServer {
  const versions = revision === "2026-07-28" ? {} : { supportedProtocolVersions: [revision] };
  const server = new McpServer({ name: "demo-planner", title: "Demo planner", version: "1.0.0" }, versions);
  server.registerTool(
    "plan_day",
    {
      title: "Plan a team day",
      description: "Plans a team day. Asks the person for everything it needs.",
      inputSchema: z.object({}),
    },
    (_, ctx) =>
      planDay(revision, ctx, {
        isReserved: ({ ticket }) => venue.confirmed.has(ticket),
        askRoom(state) {
          const { ticket } = state;
          const isReporting = revision === "2025-11-25";
          if (isReporting) {
            const related = { relatedRequestId: ctx.mcpReq.id };
            venue.report.set(ticket, server.server.createElicitationCompletionNotifier(ticket, related));
          }
          return roomRequest(venue.origin, state, isReporting);
        },
      }),
  );
  return server;
}

interface Room {
  isReserved(state: State): boolean;
  askRoom(state: State): InputRequiredResult;
}

function planDay(revision: Revision, ctx: ServerContext, { isReserved, askRoom }: Room) {
  const known = plan.safeParse(parseState(ctx.mcpReq.requestState<string>()));
  const { inputResponses } = ctx.mcpReq;
  if (!known.success) {
    const day = inputResponse(inputResponses, "day");
    if (day.kind === "elicit") {
      if (day.action !== "accept")
        return said(`No team day was planned: the form was answered with ${day.action}.`);
      const { name, date } = day.content ?? {};
      const state = { name: String(name), date: String(date), ticket: crypto.randomUUID() };
      return revision === "2025-06-18" ? askSure(state) : askRoom(state);
    }
    const properties = revision === "2025-06-18" ? COMMON : { ...COMMON, ...LATER };
    const requestedSchema: Form = { type: "object", properties, required: ["name", "date"] };
    return inputRequired({
      inputRequests: {
        day: inputRequired.elicit({ message: "What should the day be like?", requestedSchema }),
      },
    });
  }
  const state = known.data;
  const room = inputResponse(inputResponses, "room");
  if (room.kind === "elicit") {
    if (room.action !== "accept")
      return said(`No room was reserved: the page was answered with ${room.action}.`);
    // An accept does not mean that the user has finished: the server asks again until the user confirms on the page.
    return isReserved(state) ? askSure(state) : askRoom(state);
  }
  const sure = inputResponse(inputResponses, "sure");
  if (sure.kind !== "elicit") return askSure(state);
  const isSent = sure.action === "accept" && sure.content?.["sure"] === true;
  return said(
    `${state.name} on ${inWords(state.date)} is planned. ${isSent ? "Invitations are sent." : "No invitations were sent."}`,
  );
}

type State = z.infer<typeof plan>;

/** `isReporting`: the server reports that the page is finished, which only 2025-11-25 supports. */
function roomRequest(origin: string, state: State, isReporting: boolean): InputRequiredResult {
  const { ticket } = state;
  const asked = { message: "Reserve the room on the page of the venue.", url: `${origin}/room/${ticket}` };
  const reported = { ...asked, elicitationId: ticket };
  const room = inputRequired.elicitUrl(isReporting ? reported : asked);
  return inputRequired({ inputRequests: { room }, requestState: JSON.stringify(state) });
}

function askSure(state: State): InputRequiredResult {
  const message = `${state.name} on ${inWords(state.date)}: shall I send the invitations?`;
  const sure = inputRequired.elicit({ message, requestedSchema: CONFIRM });
  return inputRequired({ inputRequests: { sure }, requestState: JSON.stringify(state) });
}

function parseState(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return undefined;
  }
}

function said(text: string) {
  return { content: [{ type: "text" as const, text }] };
}

function page(isDone: boolean) {
  const body = isDone
    ? html`<h1>The room is reserved</h1>
        <p>You can close this page and go back to the chat.</p>`
    : html`<h1>Reserve the room</h1>
        <form method="post"><button>Reserve</button></form>`;
  return html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" /><link rel="icon" href="data:," /><title>Demo venue</title>
      <meta name="viewport" content="width=device-width" />
      <main>${body}</main>
    </html>`;
}

/** The maximum number of simultaneous sessions. Each call of an agent uses one. */
const MAX_SESSIONS = 100;

/** In the revisions before 2026, a server asks on the session of the call. */
function withSessions(build: () => McpServer): (request: Request) => Promise<Response> {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  return async (request) => {
    const known = sessions.get(request.headers.get("mcp-session-id") ?? "");
    if (known !== undefined) return known.handleRequest(request);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized(id) {
        sessions.set(id, transport);
        const [oldest] = sessions.keys();
        if (sessions.size > MAX_SESSIONS && oldest !== undefined) {
          void sessions.get(oldest)?.close();
          sessions.delete(oldest);
        }
      },
    });
    await build().connect(transport);
    return transport.handleRequest(request);
  };
}
