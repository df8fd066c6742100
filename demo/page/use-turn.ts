import { isToolUIPart, type UIMessage } from "ai";
import { type BoundElicitation } from "elicit-kit";
import { isOpen, readElicitations } from "elicit-kit/client";
import type { TurnTimeline } from "elicit-kit/runtime";
import { useEffect, useState } from "react";
import { isRefusal } from "../refusal.ts";
import { loadTimeline } from "./session.ts";
import { type Phase } from "./turn.ts";

export interface Turn {
  /** Id of the message that started the turn. */
  readonly id: string | undefined;
  readonly phase: Phase;
  /** Whether the turn has asked anything. */
  readonly hasAsked: boolean;
  /** Whether a tool did not get what it asked for. */
  readonly isRefused: boolean;
  /** The timeline from the last read of the server's log. */
  readonly timeline: TurnTimeline | undefined;
  /** Whether the log was read after the phase began. Until then the end of the timeline is missing. */
  readonly isCurrent: boolean;
}

interface Chat {
  readonly messages: readonly UIMessage[];
  readonly status: "submitted" | "streaming" | "ready" | "error";
  readonly elicitations: readonly BoundElicitation[];
}

/** The state of the newest turn of the chat. `undefined` before the first. */
export function useTurn({ conversationId, ...chat }: Chat & { conversationId: string }): Turn | undefined {
  const { status, elicitations } = chat;
  const facts = turnOf(chat);
  const phase = facts?.phase;
  const questions = elicitations.map(({ id, status: its }) => `${id} ${its}`).join();
  // A turn has a log as soon as it has a stream. Before that, the server would return the previous turn.
  const isLogged = phase !== undefined && status !== "submitted";
  const turnId = facts?.id;
  const [loaded, setLoaded] = useState<Loaded>();

  useEffect(() => {
    if (!isLogged) return;
    const abort = new AbortController();
    loadTimeline(conversationId, abort.signal).then(
      (timeline) => setLoaded({ turnId, phase, timeline }),
      // If the server cannot be reached, the strip keeps its last state; the chat reports the error.
      () => undefined,
    );
    return () => abort.abort();
    // Reads the log at each change of the turn or of a request. Between two reads only the clock changes.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [conversationId, turnId, isLogged, phase, questions]);

  if (facts === undefined) return undefined;
  const timeline = loaded?.turnId === turnId ? loaded?.timeline : undefined;
  return { ...facts, timeline, isCurrent: timeline !== undefined && loaded?.phase === phase };
}

/** What the messages and requests of a chat say about its newest turn. */
export function turnOf(chat: Chat): Omit<Turn, "timeline" | "isCurrent"> | undefined {
  const phase = phaseOf(chat);
  if (phase === undefined) return undefined;
  return {
    id: chat.messages.findLast(({ role }) => role === "user")?.id,
    phase,
    hasAsked: questionsOf(chat.messages).length > 0,
    isRefused: hasRefusal(chat.messages.at(-1)),
  };
}

interface Loaded {
  readonly turnId: string | undefined;
  readonly phase: Phase | undefined;
  readonly timeline: TurnTimeline | undefined;
}

function phaseOf({ messages, status, elicitations }: Chat): Phase | undefined {
  const open = elicitations.filter(isOpen);
  if (open.length > 0) {
    const works = open.every((one) => worksMeanwhile(messages.at(-1), one.request.toolCallId));
    return works && status === "streaming" ? "running" : "paused";
  }
  if (status === "submitted" || status === "streaming") {
    return questionsOf(messages).length === 0 ? "running" : "resumed";
  }
  const last = messages.at(-1);
  if (last?.role !== "assistant") return undefined;
  const isUnfinished = last.parts.some(
    (part) => "state" in part && /^(?:input-|streaming)/.test(part.state ?? ""),
  );
  return isUnfinished ? "stopped" : "done";
}

/**
 * Whether the agent works although this call asks: the stream says that another result of the call follows, and the agent
 * has not yet come to the end of what it says.
 */
function worksMeanwhile(message: UIMessage | undefined, toolCallId: string | undefined): boolean {
  const parts = message?.parts ?? [];
  const isFollowed = parts.some(
    (part) =>
      isToolUIPart(part) &&
      part.toolCallId === toolCallId &&
      part.state === "output-available" &&
      part.preliminary === true,
  );
  const last = parts.findLast(({ type }) => type !== "data-elicitation-request");
  return isFollowed && !(last?.type === "text" && last.state === "done");
}

function hasRefusal(message: UIMessage | undefined): boolean {
  return (message?.parts ?? []).some(
    (part) => isToolUIPart(part) && part.state === "output-available" && isRefusal(part.output),
  );
}

/** The requests of the newest turn. */
function questionsOf(messages: readonly UIMessage[]) {
  const last = messages.at(-1);
  return last?.role === "assistant" ? readElicitations([last]) : [];
}
