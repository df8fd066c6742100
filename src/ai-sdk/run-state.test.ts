import { describe, expect, it } from "vitest";
import { nextRunState, type RunEvent, type RunState } from "./run-state.ts";

const idle: RunState = { status: "idle", open: 0 };
const live: RunState = { status: "live", open: 1 };
const twice: RunState = { status: "live", open: 2 };
const lost: RunState = { status: "lost", open: 0 };
const stopping: RunState = { status: "stopping", open: 0 };
const stoppingLive: RunState = { status: "stopping", open: 1 };

const TABLE: readonly [RunState, Record<RunEvent, RunState>][] = [
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
  it.each(Object.keys(row) as RunEvent[])("meets %s", (event) => {
    const next = nextRunState(from, event);
    expect(next).toEqual(row[event]);
    if (next.status === from.status && next.open === from.open) expect(next).toBe(from);
  });
});
