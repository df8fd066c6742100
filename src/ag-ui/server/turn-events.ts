import { type TurnStreamEntry, eventOf } from "../../runtime/core/index.ts";
import type { AgUiMessage } from "./run-input.ts";

/** An event of AG-UI. */
export type AgUiEvent = Readonly<Record<string, unknown>> & { readonly type: string };

/**
 * Translates the log of a turn into events. Ids follow from the turn and the position in its log, so that every reading
 * gives the same messages. Reasoning, and what tools take and give, are left out.
 */
export interface TurnEvents {
  /** The events of one entry. */
  eventsOf(entry: TurnStreamEntry): readonly AgUiEvent[];
  /** Ends the text that is being written. */
  close(): readonly AgUiEvent[];
  /** Ends the calls that have no result at the end of the turn. A client would take them for calls that it has to make. */
  endTools(): readonly AgUiEvent[];
  /** The messages of the turn so far. */
  messages(): readonly AgUiMessage[];
  /** Why the turn has failed or was stopped. */
  failure(): string | undefined;
}

const STOPPED = "The assistant was stopped.";

export function createTurnEvents(turnId: string): TurnEvents {
  const messages: AgUiMessage[] = [];
  /** The calls without a result, with their positions. */
  const tools = new Map<string, number>();
  let text: { id: string; content: string } | undefined;
  let failure: string | undefined;

  function close(): readonly AgUiEvent[] {
    if (text === undefined) return [];
    messages.push({ ...text, role: "assistant" });
    const { id: messageId } = text;
    text = undefined;
    return [{ type: "TEXT_MESSAGE_END", messageId }];
  }

  function writeText(seq: number, delta: string): readonly AgUiEvent[] {
    if (delta === "") return [];
    const begun: AgUiEvent[] = [];
    if (text === undefined) {
      text = { id: `${turnId}.${seq}`, content: "" };
      begun.push({ type: "TEXT_MESSAGE_START", messageId: text.id, role: "assistant" });
    }
    text.content += delta;
    return [...begun, { type: "TEXT_MESSAGE_CONTENT", messageId: text.id, delta }];
  }

  function startTool(seq: number, toolCallId: string, toolCallName: string): readonly AgUiEvent[] {
    if (tools.has(toolCallId)) return [];
    tools.set(toolCallId, seq);
    const id = `${turnId}.${seq}`;
    const call = { id: toolCallId, type: "function", function: { name: toolCallName, arguments: "{}" } };
    messages.push({ id, role: "assistant", toolCalls: [call] });
    return [
      { type: "TOOL_CALL_START", toolCallId, toolCallName, parentMessageId: id },
      { type: "TOOL_CALL_ARGS", toolCallId, delta: "{}" },
      { type: "TOOL_CALL_END", toolCallId },
    ];
  }

  function endTool(seq: number | string, toolCallId: string, content: string): readonly AgUiEvent[] {
    if (!tools.delete(toolCallId)) return [];
    const messageId = `${turnId}.${seq}`;
    messages.push({ id: messageId, role: "tool", toolCallId, content });
    return [{ type: "TOOL_CALL_RESULT", messageId, toolCallId, content, role: "tool" }];
  }

  return {
    eventsOf(entry) {
      const { seq, chunk } = entry;
      const event = eventOf(entry);
      if (event.kind === "text") return writeText(seq, event.text);
      if (event.kind === "error") failure = event.text;
      if (chunk.type === "abort") failure ??= STOPPED;
      if (chunk.type === "text-end") return close();
      const toolCallId = "toolCallId" in chunk ? chunk.toolCallId : undefined;
      if (typeof toolCallId !== "string") return [];
      switch (chunk.type) {
        case "tool-input-available": {
          const name = "toolName" in chunk ? chunk.toolName : undefined;
          return typeof name === "string" ? [...close(), ...startTool(seq, toolCallId, name)] : [];
        }
        case "tool-output-available":
          if ("preliminary" in chunk && chunk.preliminary === true) return [];
          return [...close(), ...endTool(seq, toolCallId, "done")];
        case "tool-output-error":
        case "tool-output-denied":
          return [...close(), ...endTool(seq, toolCallId, "failed")];
        default:
          return [];
      }
    },
    close,
    endTools: () => [...tools].flatMap(([toolCallId, seq]) => endTool(`${seq}.end`, toolCallId, "failed")),
    messages: () => (text === undefined ? messages : [...messages, { ...text, role: "assistant" }]),
    failure: () => failure,
  };
}
