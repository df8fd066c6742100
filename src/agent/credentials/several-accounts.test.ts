import { expect, test, vi } from "vitest";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { createMcpTracker } from "../../../test/stages/mcp-tracker.ts";
import { noErrors } from "../../../test/stages/no-errors.ts";
import { createScriptedModel } from "../../../test/stages/scripted-model.ts";
import { createTestRuntime } from "../../../test/stages/test-runtime.ts";
import { createMemoryCredentials } from "../../connect/ports/credentials.ts";
import { createAgentTurn } from "../index.ts";

const SERVICES = ["mail", "calendar", "tracker"] as const;

test("three sign-ins at once are three cards, and each call continues with its own account (vercel/eve#2421)", async () => {
  const servers = SERVICES.map((name) => ({ name, server: createMcpTracker() }));
  const credentials = createMemoryCredentials();
  const runtime = createTestRuntime((turn) => runTurn(turn), {
    isCompleted: async ({ tool, user }) => (await credentials.get(tool?.id ?? "", user.id)) !== undefined,
  });
  const runTurn = createAgentTurn({
    model: createScriptedModel(
      Object.fromEntries(SERVICES.map((name) => [`${name}_create_issue`, { title: name }])),
      "Done.",
    ),
    credentials,
    mcpServers: servers.map(({ name, server }) => ({
      name,
      url: `https://${name}.example.com/mcp`,
      service: name,
      credentialScope: "user",
      signIn: "first",
      fetch: server.fetch,
    })),
    connectUrl: "https://auth.example.com/auth/connect",
    requester: { name: "Demo agent" },
    clock: runtime.clock,
    onError: noErrors(),
  });

  const stream = await createChatClient(runtime.fetch, { user: "ada" }).send("c1");
  const cardOf = (name: string) =>
    stream.chunks.find(
      ({ type, data }) =>
        type === "data-elicitation-request" &&
        (data as { service?: { name: string } }).service?.name === name,
    )?.["id"] as string | undefined;
  await vi.waitUntil(() => SERVICES.every((name) => cardOf(name) !== undefined));

  // Complete the last card first: no sign-in waits for another one.
  for (const { name, server } of servers.toReversed()) {
    server.accepted.add(`${name}-token`);
    await runtime.elicitations.complete(cardOf(name) ?? "", () =>
      credentials.set(name, "ada", { accessToken: `${name}-token` }),
    );
    await vi.waitUntil(() => server.calls.length === 1);
  }
  await stream.done;
  for (const { name, server } of servers) {
    expect(server.calls).toEqual([{ tool: "create_issue", token: `${name}-token` }]);
  }
});
