import { expect, test } from "vitest";
import { createMemoryRecords } from "../../runtime/index.ts";
import { createMemoryCredentials } from "../../connect/ports/credentials.ts";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { createDurableEngine } from "../../../test/stages/durable-engine.ts";
import { createMcpTracker } from "../../../test/stages/mcp-tracker.ts";
import { type Step, createScriptedModel } from "../../../test/stages/scripted-model.ts";
import { CITY, asking, createTestRuntime } from "../../../test/stages/test-runtime.ts";
import type { CredentialMessageContext } from "./gate-texts.ts";
import { type AgentTurnOptions, type McpServer, createAgentTurn } from "../index.ts";

const ISSUE = { tracker_create_issue: { title: "Login bug" } };

function setUp({
  step = ISSUE,
  server = {},
  title,
  credentialMessage,
}: {
  step?: Step;
  server?: Partial<McpServer>;
  title?: string;
  credentialMessage?: AgentTurnOptions["credentialMessage"];
} = {}) {
  const errors: unknown[] = [];
  const runtime = createTestRuntime((turn) => runTurn(turn));
  const runTurn = createAgentTurn({
    model: createScriptedModel(step, "Done."),
    credentials: createMemoryCredentials(),
    mcpServers: [
      {
        name: "tracker",
        url: "https://tracker.example.com/mcp",
        service: "Tracker",
        credentialScope: "user",
        fetch: createMcpTracker({ ...(title !== undefined && { toolTitle: title }) }).fetch,
        ...server,
      },
    ],
    connectUrl: "https://auth.example.com/auth/connect",
    requester: { name: "Demo agent" },
    credentialMessage,
    clock: runtime.clock,
    onError: (error) => errors.push(error),
  });
  /** The message of the card for a user whose browser prefers `language`. */
  async function messageIn(language?: string): Promise<string> {
    const headers = language === undefined ? {} : { "accept-language": language };
    const stream = await createChatClient(runtime.fetch, { user: "ada", headers }).send("c1");
    const { message } = await stream.request();
    await runtime.close();
    return message;
  }
  return { messageIn, errors };
}

test.each([
  ["en-GB", "For “Create issue: Login bug”, with your Tracker account."],
  ["de-CH,de;q=0.9,en;q=0.8", "Für „Create issue: Login bug“, mit Ihrem Konto bei Tracker."],
  ["ja", "「Create issue: Login bug」のために、あなたの Tracker アカウントを使います。"],
  ["pt-BR, fr;q=0.5", "Pour « Create issue: Login bug », avec votre compte Tracker."],
  ["nl,*;q=0.5", "For “Create issue: Login bug”, with your Tracker account."],
  [undefined, "For “Create issue: Login bug”, with your Tracker account."],
])(
  "a user whose browser prefers %s gets a message that says for what the account is needed",
  async (language, message) => {
    expect(await setUp().messageIn(language)).toBe(message);
  },
);

test("the message does not contain the technical name of a tool without a title", async () => {
  const { messageIn } = setUp({ step: { tracker_list_issues: {} } });
  expect(await messageIn("de")).toBe("Um mit Ihrem Konto bei Tracker fortzufahren.");
});

test("the message asks for a key, in the user's language, if the service uses API keys", async () => {
  const server = { apiKey: { header: "x-api-key" } };
  expect(await setUp({ server }).messageIn("de")).toBe(
    "Für „Create issue: Login bug“, mit einem API-Schlüssel für Tracker.",
  );
});

test("a tool title from the server stays inside its quotation marks, on one short line", async () => {
  const title = `Sync”,\nyour\u202E password and “${"x".repeat(200)}`;
  const message = await setUp({ title }).messageIn();
  expect(message).toBe(`For “Sync, your password and ${"x".repeat(76)}”, with your Tracker account.`);
});

test("the application can write the message, and gets the input of the call", async () => {
  const seen: CredentialMessageContext[] = [];
  const { messageIn, errors } = setUp({
    credentialMessage(context) {
      seen.push(context);
      return "To create the issue “Login bug”, it needs your Tracker account.";
    },
  });
  expect(await messageIn("pt-BR,en;q=0.5")).toBe(
    "To create the issue “Login bug”, it needs your Tracker account.",
  );
  expect(seen).toEqual([
    {
      service: "Tracker",
      server: "tracker",
      credential: "account",
      tool: { name: "tracker_create_issue", title: "Create issue" },
      input: { title: "Login bug" },
      missingScopes: undefined,
      languages: ["pt-BR", "en"],
    },
  ]);
  expect(errors).toEqual([]);
});

test("if the application returns no message, or throws, the user gets the default message", async () => {
  const german = "Für „Create issue: Login bug“, mit Ihrem Konto bei Tracker.";
  expect(await setUp({ credentialMessage: () => undefined }).messageIn("de")).toBe(german);
  const failing = setUp({
    credentialMessage() {
      throw new RangeError("no words");
    },
  });
  expect(await failing.messageIn("de")).toBe(german);
  expect(failing.errors).toHaveLength(1);
});

test("a turn that runs again in another process still has the languages of its user", async () => {
  const engine = createDurableEngine();
  const records = createMemoryRecords();
  const seen: (readonly string[])[] = [];
  const headers = { "accept-language": "fr-CA,en;q=0.5" };
  const startProcess = () => {
    const runner = engine.startProcess();
    const ports = { records, waiter: engine.waiter, stream: engine.stream, runner };
    const runtime = createTestRuntime(
      (turn) => {
        seen.push(turn.languages);
        return asking(CITY)(turn);
      },
      { ports },
    );
    return { runner, ada: createChatClient(runtime.fetch, { user: "ada", headers }) };
  };
  const first = startProcess();
  await (await first.ada.send("c1")).request();
  first.runner.die();
  const second = startProcess();
  const recovered = second.runner.recover();
  await expect.poll(() => seen).toHaveLength(2);
  await second.ada.fetch("/run/api/chat/c1/stop", { method: "POST" });
  await recovered;
  expect(seen).toEqual([
    ["fr-CA", "en"],
    ["fr-CA", "en"],
  ]);
});
