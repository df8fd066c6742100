import { expect, onTestFinished, test, vi } from "vitest";
import { onWindowOnline } from "./online.ts";

test("a client whose test has taken its window away can still end", () => {
  const page = new EventTarget();
  vi.stubGlobal("window", page);
  onTestFinished(() => void vi.unstubAllGlobals());
  let times = 0;
  const stop = onWindowOnline(() => (times += 1));
  page.dispatchEvent(new Event("online"));
  vi.unstubAllGlobals();
  stop();
  page.dispatchEvent(new Event("online"));
  expect(times).toBe(1);
});
