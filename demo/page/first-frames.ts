import type { UIMessage } from "ai";
import type { TurnTimeline } from "elicit-kit/runtime";
import type { Words } from "./words/en.ts";

export const CONVERSATION = "first";
export const REQUEST_ID = "first";
const CALL_ID = "first-call";
const HOTELS = ["Casa do Rio", "Alfama", "Mira"] as const;

/** When each frame of the animation begins: the agent asks, an option is chosen, Send is pressed, the turn ends. */
export const FRAMES_MS = [2000, 4000, 5000, 6000] as const;
export const LAST = FRAMES_MS.length;

export function phaseAt(frame: number): "running" | "paused" | "resumed" | "done" {
  if (frame === 0) return "running";
  if (frame === LAST) return "done";
  return frame < 3 ? "paused" : "resumed";
}

/** The times of the turn, which started at `startedAt`. */
export function timelineAt(frame: number, startedAt: number): TurnTimeline {
  const [asked, , sent, done] = FRAMES_MS;
  const wait = {
    elicitationId: REQUEST_ID,
    mode: "form",
    message: "",
    from: startedAt + asked,
    to: startedAt + sent,
    outcome: frame >= 3 ? "accepted" : undefined,
  } as const;
  return { from: startedAt, to: startedAt + done, waits: frame === 0 ? [] : [wait] };
}

/** The messages of the chat in a frame. */
export function messagesAt(frame: number, { first }: Words): UIMessage[] {
  const call = { type: "tool-book_hotel", toolCallId: CALL_ID, input: {} } as const;
  const booked = { name: HOTELS[0], detail: first.stay };
  const asks: UIMessage["parts"] =
    frame === 0
      ? [{ type: "text", text: first.willBook }]
      : [
          { type: "text", text: first.oneQuestion },
          frame === LAST
            ? { ...call, state: "output-available", output: booked }
            : { ...call, state: "input-available" },
          { type: "data-elicitation-request", id: REQUEST_ID, data: requestIn({ first }) },
        ];
  const end: UIMessage["parts"] = frame === LAST ? [{ type: "text", text: first.booked(HOTELS[0]) }] : [];
  return [
    { id: "wish", role: "user", parts: [{ type: "text", text: first.wish }] },
    { id: "turn", role: "assistant", parts: [...asks, ...end] },
  ];
}

/** The question of the animation. */
export function requestIn({ first }: Pick<Words, "first">) {
  return {
    type: "elicitation-request",
    elicitationId: REQUEST_ID,
    toolCallId: CALL_ID,
    mode: "form",
    message: first.which,
    requester: { name: "Demo agent" },
    requestedSchema: {
      type: "object",
      properties: { hotel: { type: "string", title: first.hotel, enum: [...HOTELS] } },
      required: ["hotel"],
    },
  } as const;
}
