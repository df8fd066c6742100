/** The state of one stream of a turn: not read yet, being read, lost (the client re-attaches), or ended. */
export type StreamState = "unread" | "open" | "lost" | "closed";

/** What the page knows about the turn of one conversation. */
export interface TurnState {
  /**
   * - `idle`: no stream of the turn is open here.
   * - `live`: at least one stream is being read.
   * - `lost`: the connection of the last open stream is lost, and the client re-attaches.
   * - `stopping`: the user stopped the turn, and the server has not confirmed it.
   */
  readonly status: "idle" | "live" | "lost" | "stopping";
  /** Streams that are being read. A re-attached stream may overlap the first. */
  readonly open: number;
}

/**
 * - `stream`: the state of a stream has changed.
 * - `stop`: the user stopped the turn. `stopped`: the server has confirmed the stop, or it was cancelled.
 * - `superseded`: a new message was sent, so lost streams are given up.
 */
export type TurnEvent =
  | { readonly type: "stream"; readonly from: StreamState; readonly to: StreamState }
  | { readonly type: "stop" | "stopped" | "superseded" };

export const IDLE: TurnState = { status: "idle", open: 0 };

/**
 * The state of a turn after an event. Pure.
 *
 * | from     | stream opens | stream closes | stream is lost | stop     | stopped      | superseded |
 * | -------- | ------------ | ------------- | -------------- | -------- | ------------ | ---------- |
 * | idle     | live         | =             | lost           | stopping | =            | =          |
 * | live     | live         | idle, or live | lost, or live  | stopping | =            | =          |
 * | lost     | live         | idle          | =              | stopping | =            | idle       |
 * | stopping | live         | =             | =              | =        | idle or live | =          |
 *
 * `=`: the status stays. `or live`: while another stream is open.
 */
export function nextTurnState({ status, open }: TurnState, event: TurnEvent): TurnState {
  switch (event.type) {
    case "stream": {
      const { from, to } = event;
      const streams = open + Number(to === "open") - Number(from === "open");
      if (status === "stopping" && to !== "open") return { status, open: streams };
      return { status: streams > 0 ? "live" : to === "lost" ? "lost" : "idle", open: streams };
    }
    case "stop":
      return { status: "stopping", open };
    case "stopped":
      return status === "stopping" ? { status: open > 0 ? "live" : "idle", open } : { status, open };
    case "superseded":
      return { status: status === "lost" ? "idle" : status, open };
  }
}
