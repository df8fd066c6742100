/** CopilotKit's two ways to wait for a user: a frontend tool, and an interrupt of the agent. */
import {
  CopilotChatConfigurationProvider,
  CopilotKitProvider,
  useAgent,
  useCopilotKit,
  useHumanInTheLoop,
  useInterrupt,
  useRenderToolCall,
} from "@copilotkit/react-core/v2";
import { CopilotKitCoreRuntimeConnectionStatus } from "@copilotkit/core";
import { createElement as h, useEffect, useRef } from "react";
import { z } from "zod";

const threadId = crypto.randomUUID();

/** The agent, its messages as text, and a function that sends a message. */
function useChat(history) {
  const { agent } = useAgent();
  const { copilotkit } = useCopilotKit();
  const isSet = useRef(false);
  const isConnected = copilotkit.runtimeConnectionStatus === CopilotKitCoreRuntimeConnectionStatus.Connected;
  useEffect(() => {
    if (isSet.current || !isConnected) return;
    isSet.current = true;
    agent.setMessages(
      history.map(({ id, role, parts }) => ({ id, role, content: parts.map(({ text }) => text).join("") })),
    );
  }, [agent, history, isConnected]);
  return {
    agent,
    messages: agent.messages.map(({ id, content }) => ({
      id,
      parts: [{ type: "text", text: content ?? "" }],
    })),
    isConnected,
    start() {
      agent.addMessage({ id: "start", role: "user", content: "Book" });
      void copilotkit.runAgent({ agent });
    },
  };
}

function ToolChat({ history, Log }) {
  const { agent, messages, start, isConnected } = useChat(history);
  useHumanInTheLoop({
    name: "book_flight",
    description: "Books a flight",
    parameters: z.object({}),
    render: ({ respond }) =>
      respond === undefined ? null : h("button", { onClick: () => void respond("Booked: Lisbon") }, "Send"),
  });
  const render = useRenderToolCall();
  const calls = agent.messages.flatMap(({ toolCalls = [] }) => toolCalls);
  const results = new Map(
    agent.messages.flatMap((message) => (message.role === "tool" ? [[message.toolCallId, message]] : [])),
  );
  const cards = calls.map((toolCall) =>
    h("div", { key: toolCall.id }, render({ toolCall, toolMessage: results.get(toolCall.id) })),
  );
  return isConnected ? h(Log, { messages, start }, cards) : null;
}

function InterruptChat({ history, Log }) {
  const { messages, start, isConnected } = useChat(history);
  const card = useInterrupt({
    renderInChat: false,
    render: ({ resolve }) => h("button", { onClick: () => resolve({ city: "Lisbon" }) }, "Send"),
  });
  return isConnected ? h(Log, { messages, start }, card) : null;
}

const provided = (agentId, Chat) => (props) =>
  h(
    CopilotKitProvider,
    { runtimeUrl: "/copilot-api", showDevConsole: false },
    h(CopilotChatConfigurationProvider, { agentId, threadId }, h(Chat, props)),
  );

export const CopilotTool = provided("tool", ToolChat);
export const CopilotInterrupt = provided("interrupt", InterruptChat);
