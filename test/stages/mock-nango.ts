import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";
import { isObject } from "../../src/contract/json.ts";
import { listen } from "./listen.ts";

export interface MockNango {
  /** The URL of the API and of the pages. */
  url: string;
  apiKey: string;
  signingKey: string;
  /** The user's action at the provider. `page` shows a page with links for both. */
  person: "approve" | "deny" | "page";
  /** The URL for webhooks. None if absent. */
  webhookUrl: string | undefined;
  /** Every request, as method and path. */
  readonly requests: readonly string[];
  readonly connections: readonly Connection[];
  /** The valid session tokens. */
  readonly sessions: ReadonlySet<string>;
  /** Makes a connection without any page, as after a session was passed on. */
  connect(tags: Record<string, string>, integration?: string): Connection;
  signed(body: string): Record<string, string>;
  close(): Promise<void>;
}

interface Connection {
  connection_id: string;
  provider_config_key: string;
  tags: Record<string, string>;
  metadata: Record<string, unknown> | null;
  created: string;
  credentials: { type: string; access_token: string; expires_at: string };
  /** The provider takes its refresh token no more. */
  isDead?: boolean;
}

interface Session {
  tags: Record<string, string>;
  allowed: readonly string[];
}

const KNOWN_INTEGRATIONS = new Set(["linear", "other"]);

/** The part of Nango's HTTP and WebSocket API that its own packages use, with one provider behind it. */
export async function startMockNango(): Promise<MockNango> {
  const apiKey = randomUUID();
  const signingKey = randomBytes(16).toString("hex");
  const requests: string[] = [];
  const connections: Connection[] = [];
  const sessions = new Map<string, Session>();
  const trips = new Map<string, { session: Session; integration: string; socketId: string }>();
  const sockets = new Map<string, WebSocket>();
  let minted = 0;

  const newCredentials = () => ({
    type: "OAUTH2",
    access_token: `at_${(minted += 1)}_${randomBytes(12).toString("hex")}`,
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  });

  function connect(tags: Record<string, string>, integration = "linear"): Connection {
    const connection = {
      connection_id: randomUUID(),
      provider_config_key: integration,
      tags: Object.fromEntries(Object.entries(tags).map(([key, value]) => [key.toLowerCase(), value])),
      metadata: null,
      created: new Date().toISOString(),
      credentials: newCredentials(),
    };
    connections.unshift(connection);
    return connection;
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", self.url);
    const [, first = "", second = "", third = ""] = url.pathname.split("/");
    requests.push(`${request.method} ${url.pathname}`);
    const json = (status: number, body: unknown) =>
      response
        .writeHead(status, { "content-type": "application/json", "access-control-allow-origin": "*" })
        .end(JSON.stringify(body));
    const refuse = (status: number, code: string) => json(status, { error: { code, message: code } });
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";

    if (first === "oauth" && second === "connect") return begin(url, third, response);
    if (first === "provider") return finish(url, response);
    if (first === "connect" && second === "session") {
      if (!sessions.has(bearer)) return void refuse(401, "unknown_connect_session_token");
      if (request.method === "DELETE") sessions.delete(bearer);
      return void response.writeHead(204).end();
    }
    if (bearer !== apiKey) return void refuse(401, "unknown_account");
    if (first === "connect" && second === "sessions") {
      const body = await bodyOf(request);
      const unknown = Object.keys(body).filter((key) => !["tags", "allowed_integrations"].includes(key));
      if (unknown.length > 0 || !isTags(body["tags"]) || !Array.isArray(body["allowed_integrations"])) {
        return void refuse(400, "invalid_body");
      }
      const token = `nango_connect_session_${randomBytes(32).toString("hex")}`;
      sessions.set(token, { tags: body["tags"], allowed: body["allowed_integrations"].map(String) });
      const connect_link = `https://connect.example.com/?session_token=${token}`;
      return void json(201, { data: { token, connect_link, expires_at: new Date(Date.now() + 1_800_000) } });
    }
    if (first !== "connections") return void refuse(404, "not_found");
    if (second === "metadata") {
      const body = await bodyOf(request);
      const found = connections.find(({ connection_id }) => connection_id === body["connection_id"]);
      if (found === undefined || !isObject(body["metadata"])) return void refuse(404, "not_found");
      found.metadata = { ...found.metadata, ...body["metadata"] };
      return void json(200, body);
    }
    if (second === "") {
      const wanted = [...url.searchParams].flatMap(([name, value]) => {
        const tag = /^tags\[(.+)\]$/.exec(name)?.[1];
        return tag === undefined ? [] : [[tag, value] as const];
      });
      const integration = url.searchParams.get("integrationId");
      const found = connections.filter(
        ({ tags, provider_config_key }) =>
          provider_config_key === integration && wanted.every(([tag, value]) => tags[tag] === value),
      );
      return void json(200, { connections: found.map((one) => ({ ...one, credentials: undefined })) });
    }
    const integration = url.searchParams.get("provider_config_key");
    if (integration === null || !KNOWN_INTEGRATIONS.has(integration)) {
      return void refuse(400, "unknown_provider_config");
    }
    const index = connections.findIndex(
      (one) => one.connection_id === second && one.provider_config_key === integration,
    );
    const found = connections[index];
    if (found === undefined) return void refuse(404, "not_found");
    if (request.method === "DELETE") {
      connections.splice(index, 1);
      return void json(200, { success: true });
    }
    if (found.isDead === true) return void refuse(424, "invalid_credentials");
    if (url.searchParams.get("force_refresh") === "true") found.credentials = newCredentials();
    json(200, found);
  }

  /** Refusals are JSON in the window, and the page that opened it gets no message. */
  function begin(url: URL, integration: string, response: ServerResponse): void {
    const session = sessions.get(url.searchParams.get("connect_session_token") ?? "");
    if (session === undefined || !session.allowed.includes(integration)) {
      const code = session === undefined ? "unknown_connect_session_token" : "integration_not_allowed";
      response
        .writeHead(400, { "content-type": "application/json" })
        .end(JSON.stringify({ error: { code } }));
      return;
    }
    const state = randomUUID();
    trips.set(state, { session, integration, socketId: url.searchParams.get("ws_client_id") ?? "" });
    const headers = { "set-cookie": `oauth2-${state}=1; Max-Age=3600; Path=/; HttpOnly; SameSite=Lax` };
    response.writeHead(302, { ...headers, location: `/provider?state=${state}` }).end();
  }

  async function finish(url: URL, response: ServerResponse): Promise<void> {
    const state = url.searchParams.get("state") ?? "";
    const choice = url.searchParams.get("choice") ?? self.person;
    if (choice === "page") {
      const link = (name: string, value: string) => `<a href="?state=${state}&choice=${value}">${name}</a>`;
      response
        .writeHead(200, { "content-type": "text/html" })
        .end(`<!doctype html><title>Provider</title>${link("Allow", "approve")} ${link("Deny", "deny")}`);
      return;
    }
    const trip = trips.get(state);
    trips.delete(state);
    const socket = sockets.get(trip?.socketId ?? "");
    if (trip === undefined || choice === "deny") {
      const error_desc =
        "Did not get authorization code in the callback. Provider error: error: access_denied";
      socket?.send(JSON.stringify({ message_type: "error", error_type: "callback_err", error_desc }));
      await notify({ success: false, error: { type: "invalid_callback", description: error_desc } });
      response.writeHead(400, { "content-type": "text/html" }).end("<!doctype html>Not connected");
      return;
    }
    const { connection_id, provider_config_key, tags } = connect(trip.session.tags, trip.integration);
    await notify({
      success: true,
      operation: "creation",
      connectionId: connection_id,
      providerConfigKey: provider_config_key,
      tags,
    });
    const success = { message_type: "success", provider_config_key, connection_id, is_pending: false };
    socket?.send(JSON.stringify(success));
    const page = `<!doctype html>Connected<script>setTimeout(() => window.close(), 500)</script>`;
    response.writeHead(200, { "content-type": "text/html" }).end(page);
  }

  async function notify(event: Record<string, unknown>): Promise<void> {
    if (self.webhookUrl === undefined) return;
    const body = JSON.stringify({ from: "nango", type: "auth", ...event });
    await fetch(self.webhookUrl, { method: "POST", body, headers: self.signed(body) });
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  const socketServer = new WebSocketServer({ server });
  socketServer.on("connection", (socket) => {
    const ws_client_id = randomUUID();
    sockets.set(ws_client_id, socket);
    socket.on("close", () => sockets.delete(ws_client_id));
    socket.send(JSON.stringify({ message_type: "connection_ack", ws_client_id }));
  });
  const { url, close } = await listen(server);

  const self: MockNango = {
    url,
    apiKey,
    signingKey,
    person: "approve",
    webhookUrl: undefined,
    requests,
    connections,
    get sessions() {
      return new Set(sessions.keys());
    },
    connect,
    signed: (body) => ({
      "content-type": "application/json",
      "x-nango-hmac-sha256": createHmac("sha256", signingKey).update(body).digest("hex"),
    }),
    async close() {
      for (const socket of socketServer.clients) socket.terminate();
      await close();
    },
  };
  return self;
}

function isTags(value: unknown): value is Record<string, string> {
  return (
    isObject(value) &&
    Object.entries(value).every(
      ([key, text]) => /^[a-zA-Z][\w\-./]{0,63}$/.test(key) && typeof text === "string" && text !== "",
    )
  );
}

async function bodyOf(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  let text = "";
  for await (const piece of request.setEncoding("utf8")) text += String(piece);
  const body: unknown = JSON.parse(text);
  return isObject(body) ? body : {};
}
