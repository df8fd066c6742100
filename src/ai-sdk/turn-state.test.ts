import { describe, expect, it } from "vitest";
import { nextTurnState, type StreamState, type TurnEvent, type TurnState } from "./turn-state.ts";

const idle: TurnState = { status: "idle", open: 0 };
const live: TurnState = { status: "live", open: 1 };
const twice: TurnState = { status: "live", open: 2 };
const lost: TurnState = { status: "lost", open: 0 };
const stopping: TurnState = { status: "stopping", open: 0 };
const stoppingLive: TurnState = { status: "stopping", open: 1 };

const stream = (from: StreamState, to: StreamState): TurnEvent => ({ type: "stream", from, to });
const stop: TurnEvent = { type: "stop" };
const stopped: TurnEvent = { type: "stopped" };
const superseded: TurnEvent = { type: "superseded" };

describe("a turn", () => {
  it.each<[string, TurnState, TurnEvent, TurnState]>([
    ["is live once a stream is read", idle, stream("unread", "open"), live],
    ["stays idle when a stream that was never read ends", idle, stream("unread", "closed"), idle],
    ["stays live when a second stream is read beside the first", live, stream("unread", "open"), twice],
    ["stays live when one of two streams ends", twice, stream("open", "closed"), live],
    ["stays live when one of two connections is lost", twice, stream("open", "lost"), live],
    ["is idle when its last stream ends", live, stream("open", "closed"), idle],
    ["is lost when the connection of its last stream is lost", live, stream("open", "lost"), lost],
    ["is live again when a lost stream is re-attached", lost, stream("lost", "open"), live],
    ["is idle when a lost stream is given up", lost, stream("lost", "closed"), idle],
    ["stays live when a lost stream is given up beside another", live, stream("lost", "closed"), live],
    ["does not wait for a lost stream after a new message", lost, superseded, idle],
    ["stays live beside a new message while its stream is read", live, superseded, live],
    ["is stopping when the user stops it", live, stop, stoppingLive],
    ["is stopping when the user stops it after its connection was lost", lost, stop, stopping],
    [
      "is stopping until the server has confirmed the stop, even if its stream ends",
      stoppingLive,
      stream("open", "closed"),
      stopping,
    ],
    ["is not lost while it is stopping", stoppingLive, stream("open", "lost"), stopping],
    ["is idle once the server has confirmed the stop", stopping, stopped, idle],
    ["is live again when the stop ends while its stream is read", stoppingLive, stopped, live],
    ["is live when it is re-attached while it is stopping", stopping, stream("unread", "open"), live],
    ["does not change when there was nothing to stop", lost, stopped, lost],
  ])("%s", (_, before, event, after) => {
    expect(nextTurnState(before, event)).toEqual(after);
  });
});
