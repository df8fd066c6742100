import { expect, it, onTestFinished, vi } from "vitest";
import { callForAttention } from "./attention.ts";

/** Replaces the browser's Notification: it records what was shown, and simulates clicks. */
class FakeNotification extends EventTarget {
  static permission = "granted";
  static shown: FakeNotification[] = [];
  isOpen = true;
  readonly text: string;
  constructor(text: string) {
    super();
    this.text = text;
    FakeNotification.shown.push(this);
  }
  close(): void {
    this.isOpen = false;
  }
}

function hide(hidden: boolean): void {
  Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}

function page(): void {
  document.title = "Chat";
  FakeNotification.shown = [];
  FakeNotification.permission = "granted";
  vi.stubGlobal("Notification", FakeNotification);
  onTestFinished(() => {
    vi.unstubAllGlobals();
    hide(false);
  });
}

it("the title of a hidden page shows the number of waiting requests, and is restored later", () => {
  page();
  const stop = callForAttention({ ids: ["a", "b"] });
  expect(document.title).toBe("Chat");
  hide(true);
  expect(document.title).toBe("(2) Chat");
  hide(false);
  expect(document.title).toBe("Chat");
  hide(true);
  stop();
  expect(document.title).toBe("Chat");
});

it("a title that the app has changed in the meantime is not restored", () => {
  page();
  const stop = callForAttention({ ids: ["a"] });
  hide(true);
  document.title = "Another chat";
  stop();
  expect(document.title).toBe("Another chat");
});

it("each request causes one notification, only while the page is hidden, and a click on it shows the page", () => {
  page();
  const focus = vi.spyOn(window, "focus").mockReturnValue();
  const stop = callForAttention({ ids: ["n1"], notification: "Your answer is needed" });
  expect(FakeNotification.shown).toEqual([]);
  hide(true);
  hide(false);
  hide(true);
  expect(FakeNotification.shown.map(({ text }) => text)).toEqual(["Your answer is needed"]);
  FakeNotification.shown[0]?.dispatchEvent(new Event("click"));
  expect(focus).toHaveBeenCalledOnce();
  expect(FakeNotification.shown[0]?.isOpen).toBe(false);
  stop();
});

it("no notification is shown without the user's permission", () => {
  page();
  FakeNotification.permission = "default";
  hide(true);
  callForAttention({ ids: ["n2"], notification: "Your answer is needed" })();
  expect(FakeNotification.shown).toEqual([]);
});
