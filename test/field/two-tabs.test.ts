/** A chat whose messages, connections and answers arrive twice, or through a proxy. */
import { expect } from "vitest";
import { createChatClient, readStream } from "../stages/chat-client.ts";
import { CITY, asking, createTestRuntime } from "../stages/test-runtime.ts";
import { fieldCase } from "./field-case.ts";

fieldCase(
  { sources: ["danny-avila/LibreChat#14344"], before: "passed" },
  "a message that is sent again after a lost reply starts no second turn, and the user is asked once",
  async () => {
    let turns = 0;
    const runtime = createTestRuntime((turn) => {
      turns += 1;
      return asking(CITY)(turn);
    });
    const client = createChatClient(runtime.fetch, { user: "ada" });
    const message = { startId: "message_1" };
    const [first, again] = [await client.send("c1", message), await client.send("c1", message)];
    const { elicitationId } = await first.request();
    expect((await again.request()).elicitationId).toBe(elicitationId);
    expect(turns).toBe(1);
    await client.answer("c1", { elicitationId, action: "accept", content: { city: "Rome" } });
    await Promise.all([first.done, again.done]);
    await runtime.close();
  },
);

fieldCase(
  { sources: ["danny-avila/LibreChat#13942"], before: "passed" },
  "an answer from two tabs at once counts once, and both tabs hear the same outcome",
  async () => {
    const runtime = createTestRuntime(asking(CITY));
    const client = createChatClient(runtime.fetch, { user: "ada" });
    const turn = await client.send("c1");
    const { elicitationId } = await turn.request();
    const accept = { elicitationId, action: "accept", content: { city: "Rome" } };
    const replies = await Promise.all([client.answer("c1", accept), client.answer("c1", accept)]);
    const bodies = await Promise.all(replies.map((reply) => reply.json()));
    expect(bodies.map(({ outcome }) => outcome)).toEqual(["accepted", "accepted"]);
    expect(bodies.filter(({ alreadyProcessed }) => alreadyProcessed === true)).toHaveLength(1);
    await turn.done;
    expect(JSON.stringify(turn.chunks).match(/text-start/g)).toHaveLength(1);
    await runtime.close();
  },
);

fieldCase(
  { sources: ["letta-ai/letta-code#1128", "danny-avila/LibreChat#12938"], before: "passed" },
  "a page that reads the turn again after its connection was cut gets the open question whole",
  async () => {
    const runtime = createTestRuntime(asking(CITY));
    const client = createChatClient(runtime.fetch, { user: "ada" });
    const cut = await client.send("c1");
    const asked = await cut.request();
    await cut.cancel();
    const resumed = readStream(await client.fetch("/run/api/chat/c1/stream"));
    expect(await resumed.request()).toEqual(asked);
    await client.answer("c1", { elicitationId: asked.elicitationId, action: "decline" });
    await resumed.done;
    await runtime.close();
  },
);

fieldCase(
  {
    sources: [
      "RocketChat/Rocket.Chat#3793",
      "compiler-explorer/compiler-explorer#2309",
      "m3ue/m3u-editor#1145",
    ],
    before: "passed",
  },
  "a chat behind a proxy that ends TLS and forwards no scheme is answered, and a page from elsewhere is not",
  async () => {
    const runtime = createTestRuntime(asking(CITY));
    const behind = (request: Request) =>
      runtime.fetch(
        new Request(request.url.replace("https://runtime.example.com", "http://10.0.0.5:3000"), request),
      );
    const client = createChatClient(behind, { headers: { cookie: "user=ada" } });
    const turn = await client.send("c1");
    const { elicitationId } = await turn.request();
    const elsewhere = { cookie: "user=ada", origin: "http://10.0.0.5:3000" };
    const other = createChatClient(behind, { headers: elsewhere });
    const decline = { elicitationId, action: "decline" };
    expect((await other.answer("c1", decline)).status).toBe(403);
    expect((await client.answer("c1", decline)).status).toBe(200);
    await turn.done;
    await runtime.close();
  },
);
