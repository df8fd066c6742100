import type { Message } from "@a2a-js/sdk";

/** `ROLE_USER` of the SDK. The enum itself is loaded only where it is used. */
const ROLE_USER = 1;

/** A message of the client, as an object of the SDK. */
export function messageWith(parts: {
  text: string;
  messageId: string;
  taskId?: string | undefined;
  contextId?: string | undefined;
  extensions?: string[] | undefined;
  metadata?: Record<string, unknown> | undefined;
}): Message {
  const { text, messageId, taskId = "", contextId = "", extensions = [], metadata } = parts;
  return {
    messageId,
    taskId,
    contextId,
    role: ROLE_USER,
    parts: [
      { content: { $case: "text", value: text }, metadata: undefined, filename: "", mediaType: "text/plain" },
    ],
    extensions,
    metadata,
    referenceTaskIds: [],
  };
}
