import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createManualClock } from "../../base/testing/manual-clock.ts";
import type { PopupMessage, PopupWindow } from "./environment.ts";
import { createPopup, type OpenUrl } from "./popup.ts";
import { FakeBrowser, FakeWindow } from "./testing/fake-browser.ts";
import type { WatchRequest } from "./watch.ts";

const id = "e1";
const href = "https://auth.example.com/connect?elicitationId=e1";
const trustedOrigin = "https://auth.example.com";

/** A window that shows a page of another origin: its opener can be read but not cut. */
class ForeignWindow extends FakeWindow {
  readonly #opener: unknown;
  constructor(opener: unknown) {
    super();
    this.#opener = opener;
  }
  override get opener(): unknown {
    return this.#opener;
  }
  override set opener(_value: unknown) {
    throw new DOMException("Blocked a frame from accessing a cross-origin frame.", "SecurityError");
  }
}

/** The number of remaining listeners and timers. */
const held = (browser: FakeBrowser): number => browser.listening + vi.getTimerCount();

/** Callbacks for a watch. `calls` has their arguments, `times` their times in seconds. */
function watcher() {
  const since = Date.now();
  const calls: string[] = [];
  const times: number[] = [];
  const note = (call: string): void => {
    calls.push(call);
    times.push((Date.now() - since) / 1000);
  };
  const callbacks: Pick<WatchRequest, "onHint" | "onBind" | "onClosed"> = {
    onHint: note,
    onBind(challenge, answer) {
      note(`bind ${challenge}`);
      answer("ticket");
    },
    onClosed: () => note("onClosed"),
  };
  return { calls, times, callbacks };
}

/** An opened page with a watch. */
function watching({ origin = trustedOrigin, browser = new FakeBrowser() } = {}) {
  const window = new FakeWindow();
  browser.next = window;
  const popup = createPopup({ environment: browser });
  const { calls, times, callbacks } = watcher();
  popup.open({ id, href, trustedOrigin: origin });
  const stop = popup.watch({ id, trustedOrigin: origin, ...callbacks });
  return { browser, window, popup, stop, calls, times };
}

const complete = { source: "elicit-kit", version: 1, type: "elicitation-complete", elicitationId: id };
const bind = { ...complete, type: "elicitation-bind", challenge: "c-1" };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a click on connect", () => {
  test("opens a blank named window, and loads the page in it", () => {
    const browser = new FakeBrowser();
    const window = new FakeWindow();
    browser.next = window;
    expect(createPopup({ environment: browser }).open({ id, href, trustedOrigin })).toBe("open");
    expect(browser.opened).toEqual([["", "elicit_e1", "popup,width=500,height=650"]]);
    expect(window.moves).toEqual([`replace ${href}`]);
  });

  test.each([
    ["in the middle of the screen", [100, 50, 1300, 850], "left=500,top=150"],
    ["on a screen to the left", [-1920, 0, 1920, 1080], "left=-1210,top=215"],
    ["that is smaller than the page's window", [20, 30, 400, 600], "left=-30,top=30"],
  ])("centres the page over a chat window %s", (_case, box, position) => {
    const [screenX, screenY, outerWidth, outerHeight] = box;
    const browser = Object.assign(new FakeBrowser(), { screenX, screenY, outerWidth, outerHeight });
    createPopup({ environment: browser }).open({ id, href, trustedOrigin });
    expect(browser.opened.map(([, , features]) => features)).toEqual([
      `popup,width=500,height=650,${position}`,
    ]);
  });

  test("lets a web view that does not know its own size choose the position", () => {
    const size = { screenX: 0, screenY: 0, outerWidth: 0, outerHeight: 0 };
    const browser = Object.assign(new FakeBrowser(), size);
    createPopup({ environment: browser }).open({ id, href, trustedOrigin });
    expect(browser.opened.map(([, , features]) => features)).toEqual(["popup,width=500,height=650"]);
  });

  test.each([
    ["no origin is trusted", undefined],
    ["another origin is trusted", "https://auth.example.com.evil.example"],
    ["another port is trusted", "https://auth.example.com:8443"],
    ["another scheme is trusted", "http://auth.example.com"],
    ["the trusted origin is written with a slash", "https://auth.example.com/"],
  ])("cuts the opener before the page loads when %s", (_case, origin) => {
    const browser = new FakeBrowser();
    const window = new FakeWindow();
    browser.next = window;
    expect(createPopup({ environment: browser }).open({ id, href, trustedOrigin: origin })).toBe("open");
    expect(window.moves).toEqual(["opener null", `replace ${href}`]);
  });

  test.each([
    ["nothing", null],
    ["a closed window", Object.assign(new FakeWindow(), { closed: true })],
    ["something that is no window", Object.assign(new FakeWindow(), { closed: undefined })],
  ])("is blocked when the browser returns %s", (_case, window) => {
    const browser = new FakeBrowser();
    // The object that a blocker returns does not match the type.
    Object.assign(browser, { next: window });
    expect(createPopup({ environment: browser }).open({ id, href, trustedOrigin })).toBe("blocked");
    expect(window?.moves ?? []).toEqual([]);
  });

  test.each(["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd"])("never opens %s", (url) => {
    const browser = new FakeBrowser();
    const openUrl = vi.fn<OpenUrl>(() => null);
    expect(() => createPopup({ environment: browser }).open({ id, href: url })).toThrow(
      /^elicit-kit: will not open/,
    );
    expect(() => createPopup({ environment: browser, openUrl }).open({ id, href: url })).toThrow(TypeError);
    expect(browser.opened).toEqual([]);
    expect(openUrl).not.toHaveBeenCalled();
  });

  test("brings a window that is still open to the front", () => {
    const browser = new FakeBrowser();
    const window = new FakeWindow();
    browser.next = window;
    const popup = createPopup({ environment: browser });
    popup.open({ id, href, trustedOrigin });
    expect(popup.open({ id, href, trustedOrigin })).toBe("open");
    expect(browser.opened).toHaveLength(1);
    expect(window.moves).toEqual([`replace ${href}`, "focus"]);
  });

  test("opens another window after the first is closed", () => {
    const browser = new FakeBrowser();
    const popup = createPopup({ environment: browser });
    const first = new FakeWindow();
    const second = new FakeWindow();
    browser.next = first;
    popup.open({ id, href, trustedOrigin });
    first.closed = true;
    browser.next = second;
    expect(popup.open({ id, href, trustedOrigin })).toBe("open");
    expect(browser.opened).toHaveLength(2);
    expect(second.moves).toEqual([`replace ${href}`]);
  });

  test("opens one window for each request", () => {
    const browser = new FakeBrowser();
    const popup = createPopup({ environment: browser });
    for (const other of ["a", "__proto__", "constructor"]) popup.open({ id: other, href, trustedOrigin });
    expect(browser.opened.map(([, target]) => target)).toEqual([
      "elicit_a",
      "elicit___proto__",
      "elicit_constructor",
    ]);
  });

  test("reuses the window from before a reload if that has no opener", () => {
    const browser = new FakeBrowser();
    const window = new ForeignWindow(null);
    browser.next = window;
    expect(createPopup({ environment: browser }).open({ id, href })).toBe("open");
    expect(window.moves).toEqual([`replace ${href}`]);
  });

  test("loads no page of an untrusted origin into a window that has an opener", () => {
    const browser = new FakeBrowser();
    const window = new ForeignWindow("the chat");
    browser.next = window;
    expect(createPopup({ environment: browser }).open({ id, href })).toBe("blocked");
    expect(window.moves).toEqual([]);
  });

  test("uses the browser's own window by default", () => {
    const window = new FakeWindow();
    const open = vi.fn<(...call: string[]) => PopupWindow>(() => window);
    vi.stubGlobal("open", open);
    expect(createPopup().open({ id, href, trustedOrigin })).toBe("open");
    expect(open).toHaveBeenCalledWith("", "elicit_e1", "popup,width=500,height=650");
    expect(window.moves).toEqual([`replace ${href}`]);
  });
});

describe("the popup in a host app that opens URLs itself", () => {
  test('reports "elsewhere" when the host opens the page, and does not report it as blocked', async () => {
    const browser = new FakeBrowser();
    const onBlocked = vi.fn<() => void>();
    const openUrl = vi.fn<OpenUrl>(() => Promise.resolve("opened"));
    expect(createPopup({ environment: browser, openUrl }).open({ id, href, onBlocked })).toBe("elsewhere");
    await vi.advanceTimersByTimeAsync(0);
    expect(openUrl.mock.calls).toEqual([[href]]);
    expect(browser.opened).toEqual([]);
    expect(onBlocked).not.toHaveBeenCalled();
  });

  test.each<[string, OpenUrl]>([
    ["says that it could not", () => Promise.resolve("blocked")],
    ["fails", () => Promise.reject(new Error("no browser"))],
  ])("is reported as blocked afterwards when the host %s", async (_case, openUrl) => {
    const browser = new FakeBrowser();
    const onBlocked = vi.fn<() => void>();
    const popup = createPopup({ environment: browser, openUrl });
    expect(popup.open({ id, href, onBlocked })).toBe("elsewhere");
    expect(popup.open({ id: "e2", href })).toBe("elsewhere");
    await vi.advanceTimersByTimeAsync(0);
    expect(onBlocked).toHaveBeenCalledOnce();
  });

  test("is reported as blocked at once when the host returns nothing", () => {
    expect(createPopup({ environment: new FakeBrowser(), openUrl: () => null }).open({ id, href })).toBe(
      "blocked",
    );
  });

  test("is watched if the host opens a window, and never closed", () => {
    const browser = new FakeBrowser();
    const window = new FakeWindow();
    const popup = createPopup({ environment: browser, openUrl: () => window });
    const { calls, callbacks } = watcher();
    expect(popup.open({ id, href })).toBe("open");
    expect(popup.open({ id, href })).toBe("open");
    const stop = popup.watch({ id, ...callbacks });
    window.closed = true;
    vi.advanceTimersByTime(500);
    expect(calls).toEqual(["closed"]);
    window.closed = false;
    stop({ closeWindow: true });
    expect(window.moves).toEqual(["focus"]);
  });
});

describe("a message", () => {
  test.each([
    ["elicitation-complete", "complete"],
    ["elicitation-failed", "message"],
  ])("of type %s from the opened page is passed on as %s", (type, hint) => {
    const { browser, window, calls } = watching();
    browser.fire("message", { origin: trustedOrigin, source: window, data: { ...complete, type } });
    expect(calls).toEqual([hint]);
  });

  test("that asks the chat to vouch is passed on with its challenge, and the ticket goes only to the trusted origin", () => {
    const { browser, window, calls } = watching();
    browser.fire("message", { origin: trustedOrigin, source: window, data: bind });
    expect(calls).toEqual(["bind c-1"]);
    const ticket = { ...bind, type: "elicitation-ticket", ticket: "ticket" };
    expect(window.received).toEqual([[ticket, trustedOrigin]]);
  });

  test.each<[string, Partial<PopupMessage>]>([
    ["another origin", { origin: "https://evil.example" }],
    ["an origin that starts alike", { origin: "https://auth.example.com.evil.example" }],
    ["a sandboxed page", { origin: "null" }],
    ["another window", { source: new FakeWindow() }],
    ["no window", { source: null }],
    ["another library", { data: { ...complete, source: "other" } }],
    ["another version", { data: { ...complete, version: 2 } }],
    ["another request", { data: { ...complete, elicitationId: "e2" } }],
    ["a page that says something else", { data: { ...complete, type: "elicitation-resolved" } }],
    ["a page that sends text", { data: JSON.stringify(complete) }],
    ["a page that sends nothing", { data: null }],
    ["a page that asks for a bind without a challenge", { data: { ...bind, challenge: undefined } }],
  ])("from %s is ignored", (_case, message) => {
    const { browser, window, calls } = watching();
    for (const data of [complete, bind]) {
      browser.fire("message", { origin: trustedOrigin, source: window, data, ...message });
    }
    expect(calls).toEqual([]);
  });

  test("is ignored if no origin is trusted", () => {
    const { browser, window, calls } = watching({ origin: "" });
    for (const origin of [trustedOrigin, "null", "undefined"]) {
      browser.fire("message", { origin, source: window, data: complete });
    }
    expect(calls).toEqual([]);
  });

  test("from any window of the trusted origin counts when the page was opened through a link", () => {
    const browser = new FakeBrowser();
    const { calls, callbacks } = watcher();
    createPopup({ environment: browser }).watch({ id, trustedOrigin, ...callbacks });
    browser.fire("message", { origin: trustedOrigin, source: new FakeWindow(), data: complete });
    browser.fire("message", { origin: "https://evil.example", source: new FakeWindow(), data: complete });
    browser.fire("message", { origin: trustedOrigin, source: null, data: bind });
    expect(calls).toEqual(["complete", "bind c-1"]);
  });

  test("from a window that a second try has replaced is ignored", () => {
    const browser = new FakeBrowser();
    const popup = createPopup({ environment: browser });
    const { calls, callbacks } = watcher();
    const first = new FakeWindow();
    const second = new FakeWindow();
    browser.next = first;
    popup.open({ id, href, trustedOrigin });
    popup.watch({ id, trustedOrigin, ...callbacks });
    first.closed = true;
    browser.next = second;
    popup.open({ id, href, trustedOrigin });
    browser.fire("message", { origin: trustedOrigin, source: first, data: complete });
    expect(calls).toEqual([]);
    browser.fire("message", { origin: trustedOrigin, source: second, data: complete });
    expect(calls).toEqual(["complete"]);
  });
});

describe("the watch of an opened page", () => {
  test("asks for a status check after a second, then less and less often, at least every 15 seconds", () => {
    const { calls, times } = watching();
    vi.advanceTimersByTime(100_000);
    const gaps = times.map((time, index) => time - (times[index - 1] ?? 0));
    expect(gaps).toEqual([1, 1.5, 2.5, 3.5, 5.5, 8, 11.5, 15, 15, 15, 15]);
    expect(new Set(calls)).toEqual(new Set(["interval"]));
  });

  test("asks for a status check when the user comes back to the chat's window, and more often from then on", () => {
    const { browser, calls, times } = watching();
    vi.advanceTimersByTime(30_000);
    times.length = calls.length = 0;
    browser.fire("focus");
    vi.advanceTimersByTime(2_500);
    expect(calls).toEqual(["focus", "interval", "interval"]);
    expect(times).toEqual([30, 31, 32.5]);
  });

  test("asks for a status check when the tab of the chat is shown, not when it is hidden", () => {
    const { browser, calls } = watching();
    browser.document.visibilityState = "hidden";
    browser.fire("visibilitychange");
    expect(calls).toEqual([]);
    browser.document.visibilityState = "visible";
    browser.fire("visibilitychange");
    expect(calls).toEqual(["focus"]);
  });

  test("asks for a status check when another page of the chat's origin sends a message", () => {
    const { browser, calls } = watching();
    browser.channels.get("elicit-kit:e1")?.();
    expect(calls).toEqual(["broadcast"]);
  });

  test("works without BroadcastChannel", () => {
    const browser = new FakeBrowser();
    Object.assign(browser, { BroadcastChannel: undefined });
    const { calls, stop } = watching({ browser });
    browser.fire("focus");
    expect(calls).toEqual(["focus"]);
    stop();
  });

  test("asks for a status check when the window looks closed, and reports it as closed a second and a half later, once", () => {
    const { window, calls, times } = watching();
    vi.advanceTimersByTime(600);
    window.closed = true;
    vi.advanceTimersByTime(60_000);
    const marks = calls.flatMap((kind, index) => (kind === "interval" ? [] : [`${kind} ${times[index]}`]));
    expect(marks).toEqual(["closed 1", "onClosed 2.5"]);
    expect(calls.filter((kind) => kind === "interval").length).toBeGreaterThan(5);
  });

  test("often asks for a status check while a window looks closed", () => {
    const { window, calls } = watching();
    vi.advanceTimersByTime(60_000);
    calls.length = 0;
    window.closed = true;
    vi.advanceTimersByTime(8_000);
    expect(calls).toEqual(["closed", "interval", "onClosed", "interval", "interval"]);
  });

  test("does not report a window as closed when it no longer looks closed", () => {
    const { window, calls } = watching();
    window.closed = true;
    vi.advanceTimersByTime(1_500);
    window.closed = false;
    vi.advanceTimersByTime(20_000);
    expect(calls).not.toContain("onClosed");
  });

  test("waits a second and a half again for the window of a second try", () => {
    const { browser, popup, window, calls } = watching();
    window.closed = true;
    vi.advanceTimersByTime(1_500);
    const second = new FakeWindow();
    browser.next = second;
    popup.open({ id, href, trustedOrigin });
    // A page with a Cross-Origin-Opener-Policy looks closed from the start.
    second.closed = true;
    vi.advanceTimersByTime(1_500);
    expect(calls.filter((kind) => kind === "closed")).toHaveLength(2);
    expect(calls).not.toContain("onClosed");
    vi.advanceTimersByTime(1_000);
    expect(calls.filter((kind) => kind === "onClosed")).toHaveLength(1);
  });

  test("works without a window, for a page that was opened through a link", () => {
    const browser = new FakeBrowser();
    const { calls, callbacks } = watcher();
    createPopup({ environment: browser }).watch({ id, ...callbacks });
    vi.advanceTimersByTime(5_000);
    expect(calls).toEqual(["interval", "interval", "interval"]);
  });

  test("removes all its timers and listeners when it is stopped, even twice, and leaves the window open", () => {
    const { browser, stop, window, calls } = watching();
    expect(held(browser)).toBe(5);
    stop();
    stop();
    expect(held(browser)).toBe(0);
    vi.advanceTimersByTime(60_000);
    browser.fire("focus");
    expect(calls).toEqual([]);
    expect(window.moves).toEqual([`replace ${href}`]);
  });

  test("can be stopped in its own callbacks", () => {
    const browser = new FakeBrowser();
    const onHint = vi.fn<() => void>(() => stop());
    const stop = createPopup({ environment: browser }).watch({ ...watcher().callbacks, id, onHint });
    vi.advanceTimersByTime(60_000);
    expect(onHint).toHaveBeenCalledOnce();
    expect(held(browser)).toBe(0);
  });

  test("closes its window when it is stopped, if it is asked to", () => {
    const { stop, window } = watching();
    stop({ closeWindow: true });
    expect(window.moves).toEqual([`replace ${href}`, "close"]);
  });

  test("does not try to close a window without an opener, because browsers refuse that", () => {
    const browser = new FakeBrowser();
    const window = new FakeWindow();
    browser.next = window;
    const popup = createPopup({ environment: browser });
    popup.open({ id, href });
    popup.watch({ ...watcher().callbacks, id })({ closeWindow: true });
    expect(window.moves).toEqual(["opener null", `replace ${href}`]);
  });

  test("closes nothing when it is stopped if there is no window", () => {
    const browser = new FakeBrowser();
    createPopup({ environment: browser }).watch({ ...watcher().callbacks, id })({ closeWindow: true });
    expect(held(browser)).toBe(0);
  });

  test("forgets its window when it is stopped, so that the next click opens a new one", () => {
    const { browser, popup, stop } = watching();
    stop();
    browser.next = new FakeWindow();
    popup.open({ id, href, trustedOrigin });
    expect(browser.opened).toHaveLength(2);
  });

  test("uses the clock that it is given", () => {
    const browser = new FakeBrowser();
    const clock = createManualClock();
    const { calls, callbacks } = watcher();
    createPopup({ environment: browser, clock }).watch({ id, ...callbacks });
    vi.advanceTimersByTime(60_000);
    expect(calls).toEqual([]);
    clock.advance(5_000);
    expect(calls).toEqual(["interval", "interval", "interval"]);
  });
});
