import { expect, onTestFinished, test, vi } from "vitest";
import { createSystemClock } from "./clock.ts";

const DAY = 24 * 60 * 60 * 1000;
const systemClock = createSystemClock();

test("the system's clock calls back after 60 days, not at once, where a timer takes no more than 25", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const due = vi.fn<() => void>();
  systemClock.after(60 * DAY, due);
  vi.advanceTimersByTime(60 * DAY - 1);
  expect(due).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(due).toHaveBeenCalledOnce();
});

test("the system's clock can be called off in its second stretch", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const due = vi.fn<() => void>();
  const callOff = systemClock.after(60 * DAY, due);
  vi.advanceTimersByTime(30 * DAY);
  callOff();
  vi.advanceTimersByTime(60 * DAY);
  expect(due).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});
