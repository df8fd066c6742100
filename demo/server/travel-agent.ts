import { type RunTurn, type Turn, createRuntime } from "elicit-kit/runtime";
import { createA2aSurface } from "elicit-kit/a2a/server";
import { type Context, Hono } from "hono";
import { serve } from "./ports.ts";
import { pageHeaders } from "./site-page.ts";
import { STYLE } from "./site-style.ts";
import { type TravelPage, travelPage } from "./travel-page.ts";
import { type City, type TravelWords, travelWords } from "./travel-words.ts";

export interface TravelAgent {
  /** The origin of its agent card. */
  origin: string;
  close: () => Promise<void>;
}

const A2A_PATH = "/a2a";
const CARD_PATH = "/.well-known/agent-card.json";
const CITIES: readonly City[] = ["Lisbon", "Rome", "Vienna"];
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
    const words = wordsFor(c.req.raw);
    const { host } = new URL(origin);
    return c.html(travelPage(pageOf(id, words, await runtime.elicitations.get(id)), words, host));
  }

  function pageOf(
    id: string,
    { locale }: TravelWords,
    record: Awaited<ReturnType<typeof runtime.elicitations.get>>,
  ): TravelPage {
    const account = record?.user.id;
    if (account !== undefined && connected.has(account)) return { state: "connected", account };
    if (account !== undefined && (record?.status === "pending" || record?.status === "consented")) {
      return { state: "asking", account, declineAction: `/connect/${id}/decline?lang=${locale}` };
    }
    return { state: record?.status === "declined" ? "declined" : "gone" };
  }

  return { app, close: () => runtime.close() };
}

/** The texts in the language of the chat, which the link names. */
function wordsFor(request: Request): TravelWords {
  const accepted = (request.headers.get("accept-language") ?? "").split(",");
  const languages = accepted.map((range) => range.split(";")[0]?.trim() ?? "");
  return travelWords([new URL(request.url).searchParams.get("lang") ?? "", ...languages]);
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
  const words = travelWords(turn.languages);
  if (turn.user !== undefined && !connected.has(turn.user.id)) {
    const { outcome } = await turn.ask({
      mode: "url",
      message: words.needsAccount,
      url: (elicitationId) => `${origin}/connect/${elicitationId}?lang=${words.locale}`,
      tool: TOOL,
      context: { trigger: "credential_required" },
    });
    if (outcome !== "accepted") return words.noAccount;
  }
  const trip = await turn.ask({
    mode: "form",
    message: words.where,
    tool: TOOL,
    requestedSchema: {
      type: "object",
      properties: {
        city: {
          type: "string",
          title: words.city,
          oneOf: CITIES.map((city) => ({ const: city, title: words.cities[city] })),
        },
        nights: { type: "integer", title: words.nights, minimum: 1, maximum: 4, default: 2 },
        breakfast: { type: "boolean", title: words.breakfast, default: true },
      },
      required: ["city", "nights"],
    },
  });
  if (trip.outcome !== "accepted") return words.nobodySaid;
  const { city, nights, breakfast } = trip.content;
  const known = CITIES.find((name) => name === city);
  return words.held({
    city: known === undefined ? String(city) : words.cities[known],
    nights: Number(nights),
    breakfast: breakfast === true,
  });
}
