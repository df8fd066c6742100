/** What the authorization servers of MCP servers need from a client that they did not know before. */
import { expect } from "vitest";
import { createManualClock } from "../../src/base/testing/manual-clock.ts";
import { type McpSignInOptions, createMcpSignIn } from "../../src/connect/oauth/mcp-sign-in.ts";
import { fieldCase } from "./field-case.ts";

const ISSUER = "https://login.example.com";
const SERVER = "https://mcp.example.com/mcp";
const RESOURCE_PLACE = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";
const METADATA_PLACE = `${ISSUER}/.well-known/oauth-authorization-server`;
const RESOURCE = { resource: SERVER, authorization_servers: [ISSUER] };
const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  registration_endpoint: `${ISSUER}/register`,
  code_challenge_methods_supported: ["S256"],
};
const TARGET = { url: SERVER, service: "Tracker" };
const TOKEN = { access_token: "token", token_type: "Bearer" };

type Site = Readonly<Record<string, unknown>>;
interface Asked {
  readonly url: string;
  readonly body: string;
  readonly authorization: string | null;
}

/** The web: JSON by URL. A function gets the request. */
function web(site: Site, options: Partial<McpSignInOptions> = {}) {
  const asked: Asked[] = [];
  const all: Site = { [RESOURCE_PLACE]: RESOURCE, [METADATA_PLACE]: METADATA, ...site };
  const clock = createManualClock();
  const signIn = createMcpSignIn({
    origin: "https://auth.example.com",
    client: { name: "Demo agent" },
    clock,
    async fetch(input, init) {
      const request = new Request(input, init);
      const { url, headers } = request;
      const one = { url, body: await request.text(), authorization: headers.get("authorization") };
      asked.push(one);
      const found = all[url];
      const reply: unknown = typeof found === "function" ? found(one) : found;
      if (reply instanceof Response) return reply;
      return reply === undefined ? new Response("no", { status: 404 }) : Response.json(reply);
    },
    ...options,
  });
  const leave = async (scope?: string) =>
    signIn.start(await signIn.discover({ ...TARGET, scope }), new Set());
  return { signIn, asked, clock, leave };
}

/** What a server registers: all that was asked for, and a secret. */
function registered({ body }: Asked): Response {
  const made = { client_id: "made", client_secret: "a-b/c", ...JSON.parse(body) };
  return Response.json(made, { status: 201 });
}

/** The token endpoint of the MCP Python SDK, which looks for the client's id in the form only. */
function formOnly({ body }: Asked): Response {
  if (new URLSearchParams(body).has("client_id")) return Response.json(TOKEN);
  const error = { error: "invalid_client", error_description: "Missing client_id" };
  return Response.json(error, { status: 401 });
}

fieldCase(
  {
    sources: [
      "modelcontextprotocol/python-sdk#1315",
      "modelcontextprotocol/python-sdk#3545",
      "archestra-ai/archestra#7977",
      "metatool-ai/metamcp#342",
    ],
    before: "failed",
  },
  "a user signs in at an authorization server of the MCP Python SDK, which reads the client only from the form",
  async () => {
    const { signIn, leave } = web({
      [METADATA_PLACE]: {
        ...METADATA,
        token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
      },
      [`${ISSUER}/register`]: registered,
      [`${ISSUER}/token`]: formOnly,
    });
    const { trip, state } = await leave();
    const back = new URLSearchParams({ code: "code", state });
    expect(await signIn.finish(trip, state, back)).toMatchObject({ accessToken: "token" });
  },
);

for (const methods of [["client_secret_basic"], undefined]) {
  fieldCase(
    {
      sources: ["modelcontextprotocol/python-sdk#3138", "modelcontextprotocol/python-sdk#3536"],
      before: "passed",
    },
    `a client that authenticates with HTTP Basic names itself only there, with ${String(methods)} in the metadata`,
    async () => {
      const { signIn, asked, leave } = web({
        [METADATA_PLACE]: { ...METADATA, token_endpoint_auth_methods_supported: methods },
        [`${ISSUER}/register`]: registered,
        [`${ISSUER}/token`]: TOKEN,
      });
      const { trip, state } = await leave();
      await signIn.finish(trip, state, new URLSearchParams({ code: "code", state }));
      const form = new URLSearchParams(asked.at(-1)?.body);
      expect(asked.at(-1)?.authorization).toBe(`Basic ${btoa("made:a-b%2Fc")}`);
      expect(form.has("client_id") || form.has("client_secret")).toBe(false);
    },
  );
}

fieldCase(
  { sources: ["modelcontextprotocol/python-sdk#1315"], before: "passed" },
  "a client that was registered by hand keeps HTTP Basic where both ways are listed, as it is registered by default",
  async () => {
    const clients = [{ server: SERVER, issuer: ISSUER, clientId: "by-hand", clientSecret: "a-b/c" }];
    const both = ["client_secret_post", "client_secret_basic"];
    const { signIn, asked, leave } = web(
      {
        [METADATA_PLACE]: { ...METADATA, token_endpoint_auth_methods_supported: both },
        [`${ISSUER}/token`]: TOKEN,
      },
      { clients },
    );
    const { trip, state } = await leave();
    await signIn.finish(trip, state, new URLSearchParams({ code: "code", state }));
    expect(asked.at(-1)?.authorization).toBe(`Basic ${btoa("by-hand:a-b%2Fc")}`);
  },
);
