import type { ContentBlock, SessionUpdate } from "@agentclientprotocol/sdk";
import { type StreamChunk, eventOf } from "../../../src/runtime/internal.ts";
import type { AcpMessage } from "./sessions.ts";

type UserPart = AcpMessage["parts"][number];

/**
 * Returns the update for one chunk of a turn: texts, and running tools. `undefined`: the client gets none. Reasoning, and
 * the inputs and outputs of tools, are not sent.
 */
export function updateOf(chunk: StreamChunk): SessionUpdate | undefined {
  const event = eventOf({ chunk });
  if (event.kind === "text") {
    const messageId = "id" in chunk && typeof chunk.id === "string" ? { messageId: chunk.id } : {};
    return {
      sessionUpdate: "agent_message_chunk",
      content: { type: "text", text: event.text },
      ...messageId,
    };
  }
  if (!("toolCallId" in chunk) || typeof chunk.toolCallId !== "string") return undefined;
  const { type, toolCallId } = chunk;
  switch (type) {
    case "tool-input-start":
    case "tool-input-available": {
      if (!("toolName" in chunk) || typeof chunk.toolName !== "string") return undefined;
      const { toolName } = chunk;
      const status = type === "tool-input-start" ? "pending" : "in_progress";
      return { sessionUpdate: "tool_call", toolCallId, title: toolName, name: toolName, status };
    }
    case "tool-output-available": {
      // A tool that reports progress has not ended.
      const isDone = !("preliminary" in chunk) || chunk.preliminary !== true;
      return isDone ? { sessionUpdate: "tool_call_update", toolCallId, status: "completed" } : undefined;
    }
    case "tool-input-error":
    case "tool-output-error":
    case "tool-output-denied":
      return { sessionUpdate: "tool_call_update", toolCallId, status: "failed" };
    default:
      return undefined;
  }
}

/** Returns the UI message parts for a block of a prompt, or `undefined` for an unknown kind of block. */
export function partsOf(prompt: readonly ContentBlock[]): readonly UserPart[] | undefined {
  const parts = prompt.map(partOf);
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

/** The update that `session/load` sends for an earlier message. Files are not sent again. */
export function replayOf({ id, role, parts }: AcpMessage): readonly SessionUpdate[] {
  const sessionUpdate = role === "user" ? "user_message_chunk" : "agent_message_chunk";
  return parts.flatMap((part) =>
    part.type === "text"
      ? [{ sessionUpdate, content: { type: "text", text: part.text }, messageId: id }]
      : [],
  );
}

function partOf(block: ContentBlock): UserPart | undefined {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
      return { type: "file", mediaType: block.mimeType, url: `data:${block.mimeType};base64,${block.data}` };
    case "resource_link":
      // The text of a link is passed on. The link is never fetched.
      return { type: "text", text: `[${block.title ?? block.name}](${block.uri})` };
    case "resource": {
      const { resource } = block;
      if ("text" in resource) return { type: "text", text: `${resource.uri}\n\n${resource.text}` };
      const mediaType = resource.mimeType ?? "application/octet-stream";
      return { type: "file", mediaType, url: `data:${mediaType};base64,${resource.blob}` };
    }
    default:
      return undefined;
  }
}
