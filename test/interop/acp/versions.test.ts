/** ACP v1 declares elicitation in `clientCapabilities`, and the draft of ACP v2 in `capabilities`. */
import { agentProtocolRouter } from "@agentclientprotocol/sdk/experimental/v2";
import { createAcpSurface } from "elicit-kit/acp/server";
import { expect, test } from "vitest";
import { CITY, asking, createTestRuntime } from "../../stages/test-runtime.ts";
import { rawPeer } from "./apps.ts";

const MODES = { elicitation: { form: {}, url: {} } };
const V1 = { protocolVersion: 1, clientCapabilities: MODES };
const V2 = { protocolVersion: 2, info: { name: "editor", version: "1" }, capabilities: MODES };

/** The questions for an editor in a turn, if its connection begins this way. */
async function askedAfter(initialize: object, connect: (peer: ReturnType<typeof rawPeer>) => void) {
  const asked: unknown[] = [];
  const peer = rawPeer((_, params) => {
    asked.push(params);
    return { action: "accept", content: { city: "Rome" } };
  });
  connect(peer);
  expect(await peer.call("begin", "initialize", initialize)).toMatchObject({
    result: { protocolVersion: 1 },
  });
  const { result } = await peer.call("open", "session/new", { cwd: "/home/ada", mcpServers: [] });
  const { sessionId } = Object.assign({ sessionId: "" }, result);
  await peer.call("go", "session/prompt", { sessionId, prompt: [{ type: "text", text: "Go" }] });
  return asked;
}

const agentOf = () => {
  const runtime = createTestRuntime(asking(CITY));
  return createAcpSurface({ runtime, name: "planner", onError: () => {} }).agentFor({ id: "ada" });
};

const CITY_FORM = [{ mode: "form", message: CITY.message }];

test.each([
  { version: 1, initialize: V1 },
  { version: 2, initialize: V2 },
])(
  "an editor of ACP v$version gets the agent's question if the SDK's router is in front of the agent",
  async ({ initialize }) => {
    const asked = await askedAfter(initialize, ({ stream }) =>
      agentProtocolRouter().withV1(agentOf()).connect(stream),
    );
    expect(asked).toMatchObject(CITY_FORM);
  },
);

test("without the router, an editor gets the question if it declares the modes by the name of v1", async () => {
  const connect = ({ stream }: ReturnType<typeof rawPeer>) => void agentOf().connect(stream);
  expect(await askedAfter(V1, connect)).toMatchObject(CITY_FORM);
  expect(await askedAfter({ ...V2, clientCapabilities: MODES }, connect)).toMatchObject(CITY_FORM);
  expect(await askedAfter(V2, connect)).toEqual([]);
});
