import { type TurnStreamEntry, discardedFrom, eventOf } from "../../../src/runtime/internal.ts";
import type { AgUiMessage } from "./run-input.ts";
import { writeResolved } from "../wire/translate.ts";

/** An event of AG-UI. */
export type AgUiEvent = Readonly<Record<string, unknown>> & { readonly type: string };

/**
 * Translates the log of a turn into events. Ids are derived from the turn and the position in its log, so that every
 * reader gets the same messages. Reasoning, and the inputs and outputs of tools, are left out.
 */
export interface TurnEvents {
  /** Returns the events for one log entry. */
  eventsOf(entry: TurnStreamEntry): readonly AgUiEvent[];
  /** Ends the text message that is in progress. */
  close(): readonly AgUiEvent[];
  /** Ends tool calls that have no result at the end of the turn. Otherwise a client would try to run them itself. */
  endTools(): readonly AgUiEvent[];
  /** The messages of the turn so far. */
  messages(): readonly AgUiMessage[];
  /** Why the turn failed or was stopped. */
  failure(): string | undefined;
}

const STOPPED = "The assistant was stopped.";

export function createTurnEvents(turnId: string): TurnEvents {
  /** The messages, each with the position at which it begins. */
  let messages: { readonly seq: number; readonly message: AgUiMessage }[] = [];
  /** The calls without a result, with their positions. */
  const tools = new Map<string, number>();
  let text: { seq: number; id: string; content: string } | undefined;
  let failure: string | undefined;

  function close(): readonly AgUiEvent[] {
    if (text === undefined) return [];
    const { seq, id: messageId, content } = text;
    messages.push({ seq, message: { id: messageId, content, role: "assistant" } });
    text = undefined;
    return [{ type: "TEXT_MESSAGE_END", messageId }];
  }

  function writeText(seq: number, delta: string): readonly AgUiEvent[] {
    if (delta === "") return [];
    const begun: AgUiEvent[] = [];
    if (text === undefined) {
      text = { seq, id: `${turnId}.${seq}`, content: "" };
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
    messages.push({ seq, message: { id, role: "assistant", toolCalls: [call] } });
    return [
      { type: "TOOL_CALL_START", toolCallId, toolCallName, parentMessageId: id },
      { type: "TOOL_CALL_ARGS", toolCallId, delta: "{}" },
      { type: "TOOL_CALL_END", toolCallId },
    ];
  }

  function endTool(
    seq: number,
    toolCallId: string,
    content: string,
    messageId = `${turnId}.${seq}`,
  ): readonly AgUiEvent[] {
    if (!tools.delete(toolCallId)) return [];
    messages.push({ seq, message: { id: messageId, role: "tool", toolCallId, content } });
    return [{ type: "TOOL_CALL_RESULT", messageId, toolCallId, content, role: "tool" }];
  }

  /** The client keeps the text that it got until the snapshot at the end of the run. */
  function discard(from: number): readonly AgUiEvent[] {
    const calls = [...tools].filter(([, seq]) => seq >= from);
    const ends = [...close(), ...calls.flatMap(([toolCallId, seq]) => endTool(seq, toolCallId, "failed"))];
    messages = messages.filter(({ seq }) => seq < from);
    return ends;
  }

  return {
    eventsOf(entry) {
      const { seq, chunk } = entry;
      const from = discardedFrom(entry);
      if (from !== undefined) return discard(from);
      const event = eventOf(entry);
      if (event.kind === "text") return writeText(seq, event.text);
      if (event.kind === "resolved")
        return event.request.mode === "url" ? [writeResolved(event.request)] : [];
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
    endTools: () =>
      [...tools].flatMap(([toolCallId, seq]) => endTool(seq, toolCallId, "failed", `${turnId}.${seq}.end`)),
    messages() {
      const ended = messages.map(({ message }) => message);
      return text === undefined
        ? ended
        : [...ended, { id: text.id, content: text.content, role: "assistant" }];
    },
    failure: () => failure,
  };
}
