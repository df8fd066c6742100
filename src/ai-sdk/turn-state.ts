/** What the page knows of the turn of one conversation. */
export interface TurnState {
  /**
   * - `idle`: no stream of the turn is open here.
   * - `live`: at least one stream is being read.
   * - `lost`: the connection of the last open stream broke, and the client is re-attaching.
   * - `stopping`: the person stopped the turn, and the server has not confirmed it.
   */
  readonly status: "idle" | "live" | "lost" | "stopping";
  /** Streams that are being read. A re-attached stream may overlap the first. */
  readonly open: number;
}

/**
 * - `opened`, `closed`: a stream is read for the first time (or again, after `lost`); a stream that was read is over.
 * - `broken`: the connection of a stream that was read is lost.
 * - `given-up`: nobody re-attaches any more.
 * - `stop`, `stopped`: the person stopped the turn; the server was told, or the stop was called off.
 * - `message`: the person sent a new message, which ends the turn before it.
 */
export type TurnEvent = "opened" | "closed" | "broken" | "given-up" | "stop" | "stopped" | "message";

export const IDLE: TurnState = { status: "idle", open: 0 };

/**
 * The state of a turn after an event. Pure; returns the same object when nothing changes.
 *
 * | from     | opened | closed   | broken   | given-up | stop     | stopped | message  |
 * | -------- | ------ | -------- | -------- | -------- | -------- | ------- | -------- |
 * | idle     | live   | =        | =        | =        | stopping | =       | =        |
 * | live     | live   | *        | * (lost) | =        | stopping | =       | =        |
 * | lost     | live   | =        | =        | idle     | stopping | =       | idle     |
 * | stopping | live   | stopping | stopping | =        | =        | *       | stopping |
 *
 * `=`: nothing changes. `*`: `live` while another stream is open, else `idle` (`lost` after `broken`).
 */
export function nextTurnState(state: TurnState, event: TurnEvent): TurnState {
  const { status } = state;
  switch (event) {
    case "opened":
      return { status: "live", open: state.open + 1 };
    case "closed":
    case "broken": {
      if (state.open === 0) return state;
      const open = state.open - 1;
      if (status === "stopping" || open > 0) return { status, open };
      return event === "broken" ? { status: "lost", open } : IDLE;
    }
    case "given-up":
    case "message":
      return status === "lost" ? IDLE : state;
    case "stop":
      return status === "stopping" ? state : { ...state, status: "stopping" };
    case "stopped":
      if (status !== "stopping") return state;
      return state.open > 0 ? { ...state, status: "live" } : IDLE;
  }
}
