import type { Message } from "@a2a-js/sdk";

/** `ROLE_USER` of the SDK, whose values are loaded only where they run. */
const ROLE_USER = 1;

/** A message of the client, as the SDK takes it. */
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
