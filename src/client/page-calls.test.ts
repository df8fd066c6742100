import { expect, it, onTestFinished } from "vitest";
import { formRequest, urlRequest } from "../contract/testing/requests.ts";
import { createChatClient } from "../../test/stages/chat-client.ts";
import { asking, CITY, createTestRuntime } from "../../test/stages/test-runtime.ts";
import type { ElicitationClient } from "./elicitation.ts";
import { createElicitationClient, createHttpChannel } from "./index.ts";

/** Ada's chat, with a form and a page of unusual ids. `reply`: the server's reply to everything. */
function setUp(reply: (request: Request) => Response | Promise<Response>) {
  const calls: string[] = [];
  const channel = createHttpChannel({
    api: "https://chat.example/run/api",
    headers: { authorization: "Bearer ada" },
    async fetch(input, init) {
      const request = new Request(input, init);
      calls.push(`${request.method} ${request.url.replace("https://chat.example/run/api", "")}`);
      return reply(request);
    },
  });
  const client = createElicitationClient({ channel, storage: null });
  onTestFinished(() => client.dispose());
  client.receive("c1", formRequest({ elicitationId: "f/1" }));
  client.receive("c1", urlRequest({ elicitationId: "u/1", url: "https://auth.example.com/connect" }));
  return { client, calls };
}

const away = () => Promise.reject(new TypeError("offline"));
const missing = () => new Response(null, { status: 404 });
const json = (body: unknown) => () => Response.json(body);

it("a user gets the link to the page of their form from the server, as long as it waits", async () => {
  const runtime = createTestRuntime(asking(CITY), { hostedPage: { origin: "https://auth.example.com" } });
  const { client } = setUp((request) => runtime.fetch(request));
  const request = await (await createChatClient(runtime.fetch, { user: "ada" }).send("c1")).request();
  const id = request.elicitationId;
  client.receive("c1", request);
  expect(await client.link(id)).toBe(`https://auth.example.com/auth/answer?elicitationId=${id}`);
  await client.decline(id);
  expect(await client.link(id)).toBeUndefined();
  await runtime.close();
});

it("the link of a page is the page's own, without a call", async () => {
  const { client, calls } = setUp(away);
  expect(await client.link("u/1")).toBe("https://auth.example.com/connect");
  expect(calls).toEqual([]);
});

it.each<[string, () => Response | Promise<Response>, string | undefined]>([
  ["a link", json({ link: "https://auth.example.com/a" }), "https://auth.example.com/a"],
  ["a link of a server in development", json({ link: "http://localhost:1/a" }), "http://localhost:1/a"],
  ["a script", json({ link: "javascript://x/%0aalert(1)" }), undefined],
  ["a script that mentions a link", json({ link: "javascript:alert('https://x')" }), undefined],
  ["a link to nowhere", json({ link: "https://" }), undefined],
  ["no text", json({ link: { href: "https://auth.example.com" } }), undefined],
  ["a list", json(["https://auth.example.com"]), undefined],
  ["no JSON", () => new Response("<html>"), undefined],
  ["a refusal", () => Response.json({ link: "https://auth.example.com/a" }, { status: 403 }), undefined],
  ["nothing", away, undefined],
])("the link of a form is only what can be opened, when the server sends %s", async (_, reply, link) => {
  const { client, calls } = setUp(reply);
  expect(await client.link("f/1")).toBe(link);
  expect(calls).toEqual(["GET /elicitations/f%2F1/link"]);
});

const since = "2026-11-20T12:00:00Z";
const read = (client: ElicitationClient) => client.account("u/1");
const remove = (client: ElicitationClient) => client.account("u/1", { remove: true });

it.each<[string, typeof read, () => Response | Promise<Response>, object | undefined]>([
  [
    "its rights, and since when it is connected",
    read,
    json({ connected: true, rights: ["Read", "Write"], since }),
    { connected: true, rights: ["Read", "Write"], since },
  ],
  ["its rights", read, json({ connected: true, rights: [] }), { connected: true, rights: [] }],
  [
    "no right without words",
    read,
    json({ connected: true, rights: ["Read", 7, null], since: 7 }),
    { connected: true, rights: ["Read"] },
  ],
  ["that it is no longer connected", read, json({ connected: false }), { connected: false }],
  ["nothing without its rights", read, json({ connected: true }), undefined],
  ["nothing from a reply of something else", read, json({ rights: [] }), undefined],
  ["nothing without the route", read, missing, undefined],
  ["nothing without the server", read, away, undefined],
  ["that it is removed", remove, json({ success: true }), { connected: false, isRevoked: true }],
  [
    "that its provider still knows it",
    remove,
    json({ success: true, revoked: false }),
    { connected: false, isRevoked: false },
  ],
  ["nothing when it could not be removed", remove, missing, undefined],
])("the card of an account shows %s", async (_, call, reply, shown) => {
  const { client, calls } = setUp(reply);
  const account = await call(client);
  expect(account).toEqual(shown);
  expect(calls).toEqual([
    call === read ? "GET /elicitations/u%2F1/account?lang=en" : "POST /elicitations/u%2F1/account/remove",
  ]);
});

it("the rights of an account are in the language of the card", async () => {
  const { client, calls } = setUp(missing);
  await client.account("u/1", { language: "zh Hant" });
  expect(calls).toEqual(["GET /elicitations/u%2F1/account?lang=zh%20Hant"]);
});

it("a client says clearly that it knows no request with this id", async () => {
  const { client } = setUp(missing);
  await expect(client.account("other")).rejects.toThrow('elicit-kit: no request "other" is known');
  await expect(client.link("other")).rejects.toThrow('elicit-kit: no request "other" is known');
});
