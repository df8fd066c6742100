import { Chat, useChat } from "@ai-sdk/react";
import { DefaultChatTransport, type UIMessage } from "ai";
import { Elicitations, useElicitationList } from "elicit-kit";
import { createElicitation, type ChatElicitation } from "elicit-kit/ai-sdk";
import { askForm, createMockServer, faults, type MockServer, say } from "elicit-kit/mock-server";
import { type ReactNode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, expect, inject, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { aiSdk } from "../ai-sdk/ai-sdk.ts";
import type { Wire } from "../ai-sdk/agent-server.ts";

const endings: (() => void)[] = [];
afterEach(() => {
  for (const end of endings.splice(0).toReversed()) end();
});

const person = { authorization: "Bearer ada" };
const apiOf = (wire: Wire): string => `${inject("agentUrl")}/${wire}/run/api`;
/** All tests use the same agent. */
const newId = (): string => crypto.randomUUID();

function connectTo(wire: Wire, options: { detach?: boolean } = {}): ChatElicitation {
  const elicit = createElicitation({ api: apiOf(wire), headers: person, aiSdk, ...options });
  endings.push(() => elicit.dispose());
  return elicit;
}

/** Shows a page. The returned function removes it, as a reload does. */
function show(content: ReactNode): () => void {
  const host = document.body.appendChild(document.createElement("div"));
  const root = createRoot(host);
  root.render(content);
  const end = (): void => {
    root.unmount();
    host.remove();
  };
  endings.push(end);
  return end;
}

interface ChatPageProps {
  elicit: ChatElicitation;
  id: string;
  name?: string;
  messages?: UIMessage[];
  resume?: boolean;
}

/** A `useChat` page with the drop-in, as in an app. */
function ChatPage({ elicit, id, name = "chat", messages, resume = false }: ChatPageProps) {
  const [transport] = useState(() => new DefaultChatTransport<UIMessage>(elicit.transportOptions));
  const chat = useChat({ id, transport, resume, ...(messages && { messages }) });
  return (
    <section aria-label={name}>
      <Log messages={chat.messages} status={chat.status} />
      <button type="button" onClick={() => void chat.sendMessage({ text: "weather" })}>
        Weather
      </button>
      <button type="button" onClick={() => void chat.sendMessage({ text: "hello" })}>
        Hello
      </button>
      <button type="button" onClick={() => void chat.stop()}>
        Stop
      </button>
      <Elicitations client={elicit} conversationId={id} messages={chat.messages} />
    </section>
  );
}

function Log({ messages, status }: { messages: readonly UIMessage[]; status: string }) {
  const said = messages.map(({ role, parts }) =>
    parts.map((part) => (part.type === "text" ? `${role}: ${part.text}` : "")).join(""),
  );
  return (
    <div role="log" data-status={status}>
      {said.join(" / ")}
    </div>
  );
}

const chatNamed = (name = "chat") => page.getByRole("region", { name });
const logOf = (name?: string) => chatNamed(name).getByRole("log");
const press = (button: string, name?: string) =>
  userEvent.click(chatNamed(name).getByRole("button", { name: button }));

const saidOf = (city: string) => `user: weather / assistant: The city is ${city}.`;

async function answer(city: string, name?: string): Promise<void> {
  await userEvent.fill(chatNamed(name).getByRole("textbox", { name: "City" }), city);
  await press("Send", name);
}

it("the agent asks in the chat, and continues in the same turn with the answer", async () => {
  show(<ChatPage elicit={connectTo("plain")} id={newId()} />);
  await press("Weather");
  await answer("Lisbon");
  await expect.element(logOf()).toHaveTextContent(saidOf("Lisbon"));
  await expect.element(logOf()).toHaveAttribute("data-status", "ready");
  await expect.element(chatNamed().getByRole("status")).toHaveTextContent("Sent.");
});

it("the chat shows open requests after a reload, and continues when it resumes", async () => {
  const id = newId();
  const leave = show(<ChatPage elicit={connectTo("plain", { detach: true })} id={id} />);
  await press("Weather");
  await expect.element(chatNamed().getByRole("textbox", { name: "City" })).toBeVisible();
  leave();
  const history: UIMessage[] = [{ id: "m1", role: "user", parts: [{ type: "text", text: "weather" }] }];
  show(<ChatPage elicit={connectTo("plain")} id={id} messages={history} resume />);
  await answer("Porto");
  await expect.element(logOf()).toHaveTextContent(saidOf("Porto"));
});

it("two chats on one page have separate requests", async () => {
  const elicit = connectTo("plain");
  show(
    <>
      <ChatPage elicit={elicit} id={newId()} name="one" />
      <ChatPage elicit={elicit} id={newId()} name="two" />
    </>,
  );
  await press("Weather", "one");
  await press("Weather", "two");
  await answer("Faro", "two");
  await answer("Lisbon", "one");
  await expect.element(logOf("one")).toHaveTextContent(saidOf("Lisbon"));
  await expect.element(logOf("two")).toHaveTextContent(saidOf("Faro"));
});

it("stopping the chat withdraws its open requests", async () => {
  show(<ChatPage elicit={connectTo("plain")} id={newId()} />);
  await press("Weather");
  await expect.element(chatNamed().getByRole("textbox", { name: "City" })).toBeVisible();
  await press("Stop");
  await expect.element(chatNamed().getByRole("status")).toHaveTextContent("No longer needed.");
  await expect.element(logOf()).toHaveAttribute("data-status", "ready");
});

it.each(["bare", "chatty"] as const)("the chat supports a server whose events are %s", async (wire) => {
  show(<ChatPage elicit={connectTo(wire)} id={newId()} />);
  await press("Weather");
  await answer("Lisbon");
  await expect.element(logOf()).toHaveTextContent(saidOf("Lisbon"));
  await expect.element(logOf()).toHaveAttribute("data-status", "ready");
});

it("the chat continues in the same turn when the connection is lost while it asks", async () => {
  show(<ChatPage elicit={connectTo("broken")} id={newId()} />);
  await press("Weather");
  await expect.element(chatNamed().getByRole("textbox", { name: "City" })).toBeVisible();
  await answer("Lisbon");
  await expect.element(logOf()).toHaveTextContent(saidOf("Lisbon"));
  await expect.element(logOf()).toHaveAttribute("data-status", "ready");
});

it("the chat keeps the card when the server ends its stream, and continues in the same message with the answer", async () => {
  show(<ChatPage elicit={connectTo("short")} id={newId()} />);
  await press("Weather");
  await expect.element(chatNamed().getByRole("textbox", { name: "City" })).toBeVisible();
  await new Promise((resolve) => setTimeout(resolve, 500));
  await expect.element(logOf()).toHaveAttribute("data-status", "streaming");
  await answer("Lisbon");
  await expect.element(logOf()).toHaveTextContent(saidOf("Lisbon"));
  await expect.element(logOf()).toHaveAttribute("data-status", "ready");
});

it("after a reload the chat continues although the server has ended its stream", async () => {
  const id = newId();
  const leave = show(<ChatPage elicit={connectTo("short", { detach: true })} id={id} />);
  await press("Weather");
  await expect.element(chatNamed().getByRole("textbox", { name: "City" })).toBeVisible();
  leave();
  const history: UIMessage[] = [{ id: "m1", role: "user", parts: [{ type: "text", text: "weather" }] }];
  show(<ChatPage elicit={connectTo("short")} id={id} messages={history} resume />);
  await new Promise((resolve) => setTimeout(resolve, 500));
  await answer("Porto");
  await expect.element(logOf()).toHaveTextContent(saidOf("Porto"));
  await expect.element(logOf()).toHaveAttribute("data-status", "ready");
});

it("the chat reads the rest of the reply when it detects the lost connection only after the end of the turn", async () => {
  show(<ChatPage elicit={connectTo("silent")} id={newId()} />);
  await press("Weather");
  await answer("Lisbon");
  await expect.element(logOf()).toHaveTextContent(saidOf("Lisbon"));
  await expect.element(logOf()).toHaveAttribute("data-status", "ready");
});

/** A chat on a mock server whose first stream breaks, with a network that may be away afterwards. */
function showBroken(afterChunks: number, network = { isUp: true }): MockServer {
  const server = createMockServer({
    script: [
      say("One moment."),
      askForm({
        message: "Which city?",
        properties: { city: { type: "string", title: "City" } },
        required: ["city"],
      }),
      say((result) => `The city is ${result.outcome === "accepted" ? String(result.content["city"]) : "?"}.`),
    ],
    faults: [faults.dropStream({ afterChunks })],
  });
  const elicit = createElicitation({
    api: "http://mock.test/run/api",
    fetch(input, init) {
      const isRun = init?.body != null;
      return isRun || network.isUp ? server.fetch(input, init) : Promise.reject(new TypeError("offline"));
    },
    aiSdk,
  });
  endings.push(
    () => void server.close(),
    () => elicit.dispose(),
  );
  show(<ChatPage elicit={elicit} id={newId()} />);
  return server;
}
const brokenSaid = "user: hello / assistant: One moment.assistant: The city is Lisbon.";

// Before anything, within a text, and right before and after the question, which is the seventh chunk.
it.each([0, 4, 6, 7])(
  "the chat shows the card and continues reading when the stream breaks after %i chunks",
  async (afterChunks) => {
    showBroken(afterChunks);
    await press("Hello");
    await answer("Lisbon");
    await expect.element(logOf()).toHaveTextContent(brokenSaid);
    await expect.element(logOf()).toHaveAttribute("data-status", "ready");
  },
);

it("the chat shows a question once the browser is online again, if the connection was lost before the question arrived", async () => {
  const network = { isUp: false };
  const server = showBroken(3, network);
  await press("Hello");
  await expect.poll(() => server.pending()).toHaveLength(1);
  await expect.element(chatNamed().getByRole("textbox", { name: "City" })).not.toBeInTheDocument();
  network.isUp = true;
  window.dispatchEvent(new Event("online"));
  await answer("Lisbon");
  await expect.element(logOf()).toHaveTextContent(brokenSaid);
});

it("after an answer, the client re-attaches to an observed Chat whose stream was stopped", async () => {
  const elicit = connectTo("plain", { detach: true });
  const transport = new DefaultChatTransport<UIMessage>(elicit.transportOptions);
  const chat = new Chat<UIMessage>({ id: newId(), transport });
  function WatchedPage() {
    const { messages, status } = useChat({ chat });
    useEffect(() => elicit.observe(chat), []);
    return (
      <section aria-label="chat">
        <Log messages={messages} status={status} />
        <Elicitations client={elicit} conversationId={chat.id} />
      </section>
    );
  }
  show(<WatchedPage />);
  void chat.sendMessage({ text: "weather" });
  await expect.element(chatNamed().getByRole("textbox", { name: "City" })).toBeVisible();
  await chat.stop();
  await expect.element(logOf()).toHaveAttribute("data-status", "ready");
  await answer("Lisbon");
  await expect.element(logOf()).toHaveTextContent(saidOf("Lisbon"));
  await expect.element(logOf()).toHaveAttribute("data-status", "ready");
});

it("a streamed text delta does not re-render the list of requests", async () => {
  const elicit = connectTo("plain");
  const transport = new DefaultChatTransport<UIMessage>(elicit.transportOptions);
  const chat = new Chat<UIMessage>({ id: newId(), transport });
  let renders = 0;
  function Requests() {
    const { elicitations } = useElicitationList({ client: elicit, conversationId: chat.id });
    renders++;
    return <output>{elicitations.map(({ status }) => status).join()}</output>;
  }
  show(<Requests />);
  endings.push(elicit.observe(chat));
  await expect.poll(() => renders).toBeGreaterThan(0);
  const before = renders;
  await chat.sendMessage({ text: "hello" });
  expect(chat.status).toBe("ready");
  expect(renders).toBe(before);
  void chat.sendMessage({ text: "weather" });
  await expect.element(page.getByRole("status")).toHaveTextContent("pending");
  expect(renders).toBe(before + 1);
});
