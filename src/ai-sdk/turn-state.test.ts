import { describe, expect, it } from "vitest";
import { nextTurnState, type TurnEvent, type TurnState } from "./turn-state.ts";

const idle: TurnState = { status: "idle", open: 0 };
const live: TurnState = { status: "live", open: 1 };
const twice: TurnState = { status: "live", open: 2 };
const lost: TurnState = { status: "lost", open: 0 };
const stopping: TurnState = { status: "stopping", open: 0 };
const stoppingLive: TurnState = { status: "stopping", open: 1 };

const TABLE: readonly [TurnState, Record<TurnEvent, TurnState>][] = [
  [
    idle,
    {
      opened: live,
      closed: idle,
      broken: idle,
      "given-up": idle,
      stop: stopping,
      stopped: idle,
      message: idle,
    },
  ],
  [
    live,
    {
      opened: twice,
      closed: idle,
      broken: lost,
      "given-up": live,
      stop: stoppingLive,
      stopped: live,
      message: live,
    },
  ],
  [
    twice,
    {
      opened: { status: "live", open: 3 },
      closed: live,
      broken: live,
      "given-up": twice,
      stop: { status: "stopping", open: 2 },
      stopped: twice,
      message: twice,
    },
  ],
  [
    lost,
    {
      opened: live,
      closed: lost,
      broken: lost,
      "given-up": idle,
      stop: stopping,
      stopped: lost,
      message: idle,
    },
  ],
  [
    stopping,
    {
      opened: live,
      closed: stopping,
      broken: stopping,
      "given-up": stopping,
      stop: stopping,
      stopped: idle,
      message: stopping,
    },
  ],
  [
    stoppingLive,
    {
      opened: twice,
      closed: stopping,
      broken: stopping,
      "given-up": stoppingLive,
      stop: stoppingLive,
      stopped: live,
      message: stoppingLive,
    },
  ],
];

describe.each(TABLE)("a run that is $status with $open open streams", (from, row) => {
  it.each(Object.keys(row) as TurnEvent[])("meets %s", (event) => {
    const next = nextTurnState(from, event);
    expect(next).toEqual(row[event]);
    if (next.status === from.status && next.open === from.open) expect(next).toBe(from);
  });
});
