import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport } from "ai";
import { Elicitations } from "elicit-kit";
import { ConnectPrompt, type ConnectPromptProps } from "elicit-kit/cards";
import { createElicitation } from "elicit-kit/ai-sdk";
import { Profiler } from "react";
import { createRoot } from "react-dom/client";
import { expect, it } from "vitest";
import { userEvent } from "vitest/browser";
import { urlRequest } from "../../src/contract/testing/requests.ts";

const DELTAS = 1_000;

/** Starts the text. The test calls it when the card stands, so that no text waits for code that still loads. */
let startText: () => void;

/** A run that asks, and continues with text while the question is open. */
function run(): Response {
  const request = urlRequest();
  const encoder = new TextEncoder();
  const event = (chunk: object) => encoder.encode(`data: ${JSON.stringify(chunk)}\n\n`);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(event({ type: "start" }));
      controller.enqueue(
        event({ type: "data-elicitation-request", id: request.elicitationId, data: request }),
      );
      controller.enqueue(event({ type: "text-start", id: "t" }));
      let sent = 0;
      // Each in a separate task, so that each causes a render of the chat.
      const channel = new MessageChannel();
      channel.port1.addEventListener("message", () => {
        controller.enqueue(event({ type: "text-delta", id: "t", delta: "." }));
        sent += 1;
        if (sent < DELTAS) channel.port2.postMessage(0);
      });
      channel.port1.start();
      startText = () => channel.port2.postMessage(0);
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

async function serve(url: RequestInfo | URL): Promise<Response> {
  const path = typeof url === "string" ? url : "";
  if (path === "/run/api/chat") return run();
  if (path.includes("conversationId")) return Response.json([]);
  return Response.json({ success: true, elicitationId: "url-1", outcome: "declined" });
}

const elicit = createElicitation({ api: "/run/api", fetch: serve });
const transport = new DefaultChatTransport(elicit.transportOptions);
let cardRenders = 0;
let chatRenders = 0;

/** The normal card with a Profiler around it. */
const CountedCard = (props: ConnectPromptProps) => (
  <Profiler id="card" onRender={() => void cardRenders++}>
    <ConnectPrompt {...props} />
  </Profiler>
);
const components = { ConnectPrompt: CountedCard };

function Chat() {
  const { messages, sendMessage } = useChat({ id: "c1", transport });
  const text = messages.flatMap(({ parts }) => parts.map((part) => (part.type === "text" ? part.text : "")));
  return (
    <main>
      <p data-testid="text">{text.join("").length}</p>
      <button type="button" onClick={() => void sendMessage({ text: "" })}>
        Send
      </button>
      <Elicitations client={elicit} conversationId="c1" messages={messages} components={components} />
    </main>
  );
}

it("the card renders only for its own changes, while 1,000 text deltas stream", async () => {
  cardRenders = chatRenders = 0;
  const container = document.createElement("div");
  document.body.append(container);
  const root = createRoot(container);
  root.render(
    <Profiler id="chat" onRender={() => void chatRenders++}>
      <Chat />
    </Profiler>,
  );
  const button = (name: string) =>
    [...container.querySelectorAll("button")].find(({ textContent }) => textContent === name);
  await expect.poll(() => button("Send")).toBeTruthy();
  await userEvent.click(button("Send")!);
  await expect.poll(() => button("Decline")).toBeTruthy();
  startText();
  await expect.poll(() => container.querySelector("p")?.textContent).toBe(String(DELTAS));

  // The chat itself rendered for at least one chunk in ten, however React batches them.
  expect(chatRenders).toBeGreaterThan(DELTAS / 10);
  // The arrival of the card, and the list of open requests (it shows as `checking`).
  const before = cardRenders;
  expect(before).toBeLessThanOrEqual(4);
  await userEvent.click(button("Decline")!);
  await expect.poll(() => container.textContent).toContain("You declined");
  expect(cardRenders).toBeGreaterThan(before);
  expect(cardRenders).toBeLessThanOrEqual(before + 3);
  root.unmount();
  container.remove();
});
