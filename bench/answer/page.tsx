/**
 * The chats that `bench/answer.ts` compares: the kit, two ways of the AI SDK to wait for a user, CopilotKit and TanStack
 * AI. CopilotKit and TanStack AI load only in their own pages.
 */
import { useChat } from "@ai-sdk/react";
import {
  DefaultChatTransport,
  type UIMessage,
  isToolUIPart,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
} from "ai";
import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { Elicitations, useElicitation } from "../../src/react/index.ts";

/** A long conversation. */
const HISTORY: UIMessage[] = Array.from({ length: 40 }, (_, index) => ({
  id: `m${index}`,
  role: index % 2 === 0 ? "user" : "assistant",
  parts: [{ type: "text", text: `${index} ${"A sentence about the trip. ".repeat(20)}` }],
}));

export interface LogProps {
  messages: readonly { id: string; parts: readonly { type: string; text?: string }[] }[];
  start: () => void;
  children: ReactNode;
}

function Log({ messages, start, children }: LogProps) {
  return (
    <>
      {messages.map(({ id, parts }) => (
        <p key={id}>{parts.map(({ type, text }) => (type === "text" ? text : ""))}</p>
      ))}
      {children}
      <button onClick={start}>Start</button>
    </>
  );
}

const WAY = location.pathname.split("/").at(-1) ?? "";
const CONVERSATION = crypto.randomUUID();

function Kit() {
  const elicitation = useElicitation({ api: "/kit/api", id: CONVERSATION, messages: HISTORY });
  const { messages, sendMessage } = useChat(elicitation.chatOptions);
  return (
    <Log messages={messages} start={() => void sendMessage({ text: WAY })}>
      <Elicitations {...elicitation} />
    </Log>
  );
}

function Approval() {
  const { messages, sendMessage, addToolApprovalResponse } = useChat({
    messages: HISTORY,
    transport: new DefaultChatTransport({ api: "/approval" }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  const asked = messages
    .at(-1)
    ?.parts.find((part) => isToolUIPart(part) && part.state === "approval-requested");
  const id = asked !== undefined && "approval" in asked ? asked.approval?.id : undefined;
  return (
    <Log messages={messages} start={() => void sendMessage({ text: "Book" })}>
      {id !== undefined && (
        <button onClick={() => void addToolApprovalResponse({ id, approved: true })}>Send</button>
      )}
    </Log>
  );
}

function Output() {
  const { messages, sendMessage, addToolOutput } = useChat({
    messages: HISTORY,
    transport: new DefaultChatTransport({ api: "/output" }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
  });
  const asked = messages.at(-1)?.parts.find((part) => isToolUIPart(part) && part.state === "input-available");
  const toolCallId = asked !== undefined && "toolCallId" in asked ? asked.toolCallId : undefined;
  return (
    <Log messages={messages} start={() => void sendMessage({ text: "Book" })}>
      {toolCallId !== undefined && (
        <button
          onClick={() => void addToolOutput({ tool: "book_flight", toolCallId, output: "Booked: Lisbon" })}
        >
          Send
        </button>
      )}
    </Log>
  );
}

const peer = { history: HISTORY, Log };
const CHATS: Readonly<Record<string, () => ReactNode | Promise<ReactNode>>> = {
  kit: () => <Kit />,
  "kit-choice": () => <Kit />,
  "kit-decline": () => <Kit />,
  "kit-finished": () => <Kit />,
  approval: () => <Approval />,
  output: () => <Output />,
  tanstack: async () => {
    const { TanStack } = await import("./peers/tanstack.mjs");
    return <TanStack {...peer} />;
  },
  "copilot-tool": async () => {
    const { CopilotTool } = await import("./peers/copilotkit.mjs");
    return <CopilotTool {...peer} />;
  },
  "copilot-interrupt": async () => {
    const { CopilotInterrupt } = await import("./peers/copilotkit.mjs");
    return <CopilotInterrupt {...peer} />;
  },
};
const chat = CHATS[WAY];
const place = document.querySelector("main");
if (chat === undefined || place === null) throw new Error("elicit-kit: no such chat");
createRoot(place).render(await chat());
