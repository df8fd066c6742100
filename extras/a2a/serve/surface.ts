import { AGENT_CARD_PATH, AgentCard, Extensions, HTTP_EXTENSION_HEADER } from "@a2a-js/sdk";
import { LEGACY_HTTP_EXTENSION_HEADER } from "@a2a-js/sdk/compat/v0_3";
import { LegacyRestTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import { ServerCallContext } from "@a2a-js/sdk/server";
import type { Runtime } from "../../../src/runtime/index.ts";
import { type LoadMessages, refuseSecrets } from "../../../src/runtime/internal.ts";
import { acceptedLanguages } from "../../../src/base/accept-language.ts";
import { type Clock, systemClock } from "../../../src/base/clock.ts";
import { callerOf } from "../../../src/base/identity.ts";
import { endpointUrl, withoutSlash } from "../../../src/base/urls.ts";
import { createEndpoint } from "../../../src/base/endpoint.ts";
import { refuseCall } from "../../../src/base/reply.ts";
import { safeLog } from "../../../src/base/foreign-error.ts";
import { ELICITATION_EXTENSION } from "../../../src/a2a/wire/translate.ts";
import { type A2aAgentCard, agentCardOf } from "./agent-card.ts";
import { createTakenMessages } from "./taken-messages.ts";
import { type A2aCaller, createTasks } from "./tasks.ts";
import { type Call, serveJsonRpc } from "./json-rpc.ts";
import { createRequestHandler } from "./request-handler.ts";
import { serveRest } from "./rest.ts";

/** The options of {@link createA2aSurface}. */
export interface A2aSurfaceOptions {
  runtime: Pick<Runtime, "surface" | "elicitations">;
  /**
   * Returns the caller of a request, from its bearer token or session. With `undefined` the client gets 401. Leave out
   * `user` for a service account that acts for many users.
   */
  authenticate: (request: Request) => A2aCaller | undefined | Promise<A2aCaller | undefined>;
  /** Public URL of the agent. Its path is where the endpoint is: `https://agent.example.com/run/v1/a2a`. */
  url: string;
  /** The content of the agent card. */
  card: A2aAgentCard;
  /**
   * Origins of web pages that may call the endpoint, or a function that says whether one may. Pages of the endpoint's own
   * origin always may. HTTP requests of other pages get 403.
   * @default []
   */
  allowedOrigins?: readonly string[] | ((origin: string) => boolean) | undefined;
  /**
   * Loads the earlier messages of a context. The function is the same for MCP.
   * @default the new message, after up to 20 messages of earlier tasks in the context whose logs are kept; long messages
   * are cut
   */
  messagesFor?: LoadMessages | undefined;
  /**
   * How long a task can be read after its end, in milliseconds.
   * @default 86_400_000 (24 hours)
   */
  keepMs?: number | undefined;
  /**
   * The largest body of an HTTP request, in bytes.
   * @default 1_048_576 (1 MiB)
   */
  maxBytes?: number | undefined;
  /** Called with internal errors, for the log. Clients get no details. */
  onError: (error: unknown) => void;
  /**
   * The kind of the surface, which `runTurn` gets as `turn.surface`. Use a different kind for each A2A agent of a
   * runtime. @default "a2a"
   */
  kind?: string | undefined;
  /** @default systemClock */
  clock?: Clock | undefined;
}

/** The A2A surface of an agent. */
export interface A2aSurface {
  /** Serves the endpoint in JSON-RPC and HTTP+JSON, and the agent card. Everything else gets 404. */
  fetch: (request: Request) => Promise<Response>;
}

const DAY_MS = 86_400_000;
const VERSION_HEADER = "a2a-version";
const LEGACY_VERSION = "0.3";
const NEVER = new AbortController().signal;

/**
 * Lets A2A clients reach the agent of a runtime. A message starts a task, which is a turn. The status of the task
 * contains the agent's questions, and a message on the task answers them.
 *
 * @example
 * const a2a = createA2aSurface({
 *   runtime,
 *   authenticate,
 *   url: "https://agent.example.com/run/v1/a2a",
 *   card: { name: "Travel agent", description: "Books trips" },
 *   onError: console.error,
 * });
 * app.all("/run/v1/a2a/*", (c) => a2a.fetch(c.req.raw));
 * app.get("/.well-known/agent-card.json", (c) => a2a.fetch(c.req.raw));
 */
export function createA2aSurface(options: A2aSurfaceOptions): A2aSurface {
  const { runtime, keepMs = DAY_MS, maxBytes = 1024 * 1024, clock = systemClock } = options;
  const onError = safeLog(options.onError);
  const base = withoutSlash(endpointUrl(options.url).pathname);
  const card = agentCardOf(options.card, options.url);
  const surface = runtime.surface(options.kind ?? "a2a", {
    refuseForm: refuseSecrets,
    url: options.url,
  });
  const shared = {
    surface,
    elicitations: runtime.elicitations,
    messagesFor: options.messagesFor,
    keepMs,
    clock,
  };
  const taken = createTakenMessages();
  async function call(request: Request, caller: A2aCaller, body: unknown): Promise<Response> {
    const { headers, signal } = request;
    const { pathname, searchParams: query } = new URL(request.url);
    const path = withoutSlash(pathname.slice(base.length));
    const version = headers.get(VERSION_HEADER) ?? LEGACY_VERSION;
    const isLegacy = version === LEGACY_VERSION;
    const requested =
      (isLegacy ? headers.get(LEGACY_HTTP_EXTENSION_HEADER) : null) ?? headers.get(HTTP_EXTENSION_HEADER);
    const requestedExtensions = Extensions.parseServiceParameter(requested ?? undefined);
    const isExtended = requestedExtensions.includes(ELICITATION_EXTENSION);
    const context = new ServerCallContext({ requestedExtensions, requestedVersion: version });
    const left = new AbortController();
    let isServed = false;
    const handler = createRequestHandler({
      card,
      taken,
      tasks: createTasks(shared, {
        caller,
        isExtended,
        languages: acceptedLanguages(headers.get("accept-language")),
      }),
      signal: AbortSignal.any([signal, left.signal]),
      onServe: () => (isServed = true),
      onError,
    });
    const served: Call = {
      handler,
      context,
      isLegacy,
      isServed: () => isServed,
      leave: () => left.abort(),
      clock,
    };
    const response =
      path === "" && request.method === "POST"
        ? await serveJsonRpc(body, served)
        : await serveRest({ method: request.method, path, query, body }, served);
    if (response === undefined) return nothingHere();
    if (isExtended) {
      const header = isLegacy ? LEGACY_HTTP_EXTENSION_HEADER : HTTP_EXTENSION_HEADER;
      response.headers.set(header, ELICITATION_EXTENSION);
    }
    return response;
  }

  async function showCard(request: Request): Promise<Response> {
    const headers = { "cache-control": "public, max-age=3600", vary: `${VERSION_HEADER}, origin` };
    const json = AgentCard.toJSON(card);
    const version = request.headers.get(VERSION_HEADER) ?? LEGACY_VERSION;
    if (version !== LEGACY_VERSION) return Response.json(json, { headers });
    return Response.json({ ...Object(json), ...(await legacyCard()) }, { headers });
  }

  /** The agent card in the format of protocol 0.3. The SDK writes it only as the extended card of a handler. */
  async function legacyCard(): Promise<object> {
    const handler = createRequestHandler({
      card,
      taken,
      tasks: createTasks(shared, { caller: {}, isExtended: false, languages: [] }),
      signal: NEVER,
      onServe() {},
      onError,
    });
    const writer = new LegacyRestTransportHandler({
      ...handler,
      getAuthenticatedExtendedAgentCard: async () => card,
    });
    return writer.getAuthenticatedExtendedAgentCard(new ServerCallContext());
  }

  function open(request: Request): Promise<Response> | Response | undefined {
    const { pathname } = new URL(request.url);
    const isCard = pathname === `/${AGENT_CARD_PATH}` || pathname === `${base}/${AGENT_CARD_PATH}`;
    if (isCard) return showCard(request);
    return pathname === base || pathname.startsWith(`${base}/`) ? undefined : nothingHere();
  }

  return {
    fetch: createEndpoint(
      {
        authenticate: callerOf(options.authenticate),
        open,
        allowedOrigins: options.allowedOrigins ?? [],
        methods: "GET, POST",
        sent: "authorization, content-type, a2a-version, a2a-extensions, x-a2a-extensions",
        read: "a2a-extensions, x-a2a-extensions, www-authenticate",
        body: { maxBytes, mediaTypes: ["application/json", "application/a2a+json"] },
        onError,
      },
      call,
    ),
  };
}

function nothingHere(): Response {
  return refuseCall(404, "There is nothing at this path.");
}
