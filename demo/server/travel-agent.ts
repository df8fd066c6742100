import { type RunTurn, type Turn, createRuntime } from "elicit-kit/runtime";
import { createA2aSurface } from "elicit-kit/a2a/server";
import { type Context, Hono } from "hono";
import { html } from "hono/html";
import { serve } from "./ports.ts";
import { STYLE, pageHeaders, sitePage } from "./site-page.ts";

export interface TravelAgent {
  /** The origin of its agent card. */
  origin: string;
  close: () => Promise<void>;
}

const A2A_PATH = "/a2a";
const CARD_PATH = "/.well-known/agent-card.json";
const TOOL = { id: "travel", name: "plan_weekend" };
/** Recorded with each action of a user on the page. */
const ON_PAGE = { through: "page" } as const;

/**
 * Another company's agent, behind A2A. During a task it asks the user to connect an account, and then to fill in a form.
 * It has its own runtime, and reaches the demo's agent only by the protocol.
 */
export async function startTravelAgent(options: {
  port: number;
  onError: (error: unknown) => void;
}): Promise<TravelAgent> {
  const { port, onError } = options;
  let close = async () => {};
  const served = await serve({
    name: "travel",
    host: "127.0.0.1",
    port,
    handle(origin) {
      const created = createApp(origin, onError);
      ({ close } = created);
      return created.app.fetch;
    },
  });
  return {
    origin: served.origin,
    async close() {
      await close();
      await served.close();
    },
  };
}

function createApp(origin: string, onError: (error: unknown) => void) {
  /** The users who have connected their account. */
  const connected = new Set<string>();
  const runTurn: RunTurn = async function* run(turn) {
    yield { type: "text-start", id: "t1" };
    yield { type: "text-delta", id: "t1", delta: await planWeekend(turn, { origin, connected }) };
    yield { type: "text-end", id: "t1" };
  };
  const runtime = createRuntime({ runTurn, authenticate: () => undefined, allowedOrigins: [], onError });
  const a2a = createA2aSurface({
    runtime,
    authenticate: (request) => userOf(request),
    url: `${origin}${A2A_PATH}`,
    card: { name: "Demo travel agent", description: "Plans weekends" },
    onError,
  });
  const app = new Hono()
    .all(A2A_PATH, (c) => a2a.fetch(c.req.raw))
    .all(`${A2A_PATH}/*`, (c) => a2a.fetch(c.req.raw))
    .get(CARD_PATH, (c) => a2a.fetch(c.req.raw))
    .get("/style.css", (c) => c.body(STYLE, 200, { "content-type": "text/css; charset=utf-8" }))
    .use("/connect/*", async (c, next) => {
      for (const [name, value] of pageHeaders()) c.header(name, value);
      await next();
    })
    // The page that the link opens. A real page would first authenticate the user.
    .get("/connect/:id", (c) => show(c))
    .post("/connect/:id", async (c) => {
      const id = c.req.param("id");
      const record = await runtime.elicitations.get(id);
      if (record !== undefined) connected.add(record.user.id);
      await runtime.elicitations.complete(id, undefined, ON_PAGE);
      return show(c);
    })
    .post("/connect/:id/decline", async (c) => {
      await runtime.elicitations.decline(c.req.param("id"), ON_PAGE);
      return show(c);
    });

  async function show(c: Context<object, "/connect/:id">): Promise<Response> {
    const id = c.req.param("id");
    return c.html(page(id, await runtime.elicitations.get(id)));
  }

  function page(id: string, record: Awaited<ReturnType<typeof runtime.elicitations.get>>) {
    const open = record?.status === "pending" || record?.status === "consented";
    if (record !== undefined && connected.has(record.user.id)) {
      return pageOf(
        html`<h1>Contoso Travel is connected</h1>
          <p>The travel agent can see the points of <b>${record.user.id}</b>. You can close this page.</p>`,
      );
    }
    if (record !== undefined && open) return pageOf(askingPage(id, record.user.id));
    return pageOf(
      record?.status === "declined"
        ? html`<h1>The travel agent gets nothing</h1>
            <p>You declined. You can close this page and go back to the chat.</p>`
        : html`<h1>Nobody waits for this any more</h1>
            <p>Go back to the chat and ask again.</p>`,
    );
  }

  return { app, close: () => runtime.close() };
}

/** The demo's agent names the user for whom it calls. A real agent would send a token of the user. */
function userOf(request: Request) {
  const id = /^Bearer demo-travel:(.{1,200})$/.exec(request.headers.get("authorization") ?? "")?.[1];
  return id === undefined ? undefined : { user: { id } };
}

async function planWeekend(
  turn: Turn,
  { origin, connected }: { origin: string; connected: ReadonlySet<string> },
): Promise<string> {
  if (turn.user !== undefined && !connected.has(turn.user.id)) {
    const { outcome } = await turn.ask({
      mode: "url",
      message: "To see your points, the travel agent needs your account.",
      url: (elicitationId) => `${origin}/connect/${elicitationId}`,
      tool: TOOL,
      context: { trigger: "credential_required" },
    });
    if (outcome !== "accepted") return "No weekend was planned, because the account is not connected.";
  }
  const trip = await turn.ask({
    mode: "form",
    message: "Where shall the weekend be?",
    tool: TOOL,
    requestedSchema: {
      type: "object",
      properties: {
        city: { type: "string", title: "City", enum: ["Lisbon", "Rome", "Vienna"] },
        nights: { type: "integer", title: "Nights", minimum: 1, maximum: 4, default: 2 },
        breakfast: { type: "boolean", title: "With breakfast", default: true },
      },
      required: ["city", "nights"],
    },
  });
  if (trip.outcome !== "accepted") return "No weekend was planned, because nobody said where.";
  const { city, nights, breakfast } = trip.content;
  const food = breakfast === true ? "with" : "without";
  return `${String(city)}, ${String(nights)} nights, ${food} breakfast: held for you until tomorrow.`;
}

function askingPage(id: string, account: string) {
  return html`<h1>Let the travel agent use your points?</h1>
    <p><b>Demo travel agent</b> asks for <b>Demo agent</b>, to plan your weekend.</p>
    <p>It can see how many points you have. It asks before it books anything.</p>
    <p>Signed in as <b>${account}</b></p>
    <form method="post"><button>Allow</button></form>
    <form method="post" action="/connect/${id}/decline"><button class="plain">Decline</button></form>`;
}

function pageOf(body: ReturnType<typeof html>) {
  return sitePage("Your points", "Contoso Travel", body);
}
