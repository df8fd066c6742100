import { expect, onTestFinished, test, vi } from "vitest";
import { createSystemClock } from "./clock.ts";

const DAY = 24 * 60 * 60 * 1000;
const systemClock = createSystemClock();

test("the system clock can call back after 60 days, although a timer is limited to 25 days", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const due = vi.fn<() => void>();
  systemClock.after(60 * DAY, due);
  vi.advanceTimersByTime(60 * DAY - 1);
  expect(due).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(due).toHaveBeenCalledOnce();
});

test("a callback can be cancelled while its second timer runs", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const due = vi.fn<() => void>();
  const cancel = systemClock.after(60 * DAY, due);
  vi.advanceTimersByTime(30 * DAY);
  cancel();
  vi.advanceTimersByTime(60 * DAY);
  expect(due).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});
