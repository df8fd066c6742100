import { type BrowserContext, expect, type Frame, type Page } from "@playwright/test";

/** Watches the focus in all pages of a context. */
export async function watchFocus(context: BrowserContext): Promise<void> {
  await context.addInitScript(watch);
}

/**
 * Runs in the page: writes down each element that gets the focus, and "body" when the screen shows that none has it. A radio has the name of its group, because Tab enters a group from both sides.
 */
function watch(): void {
  const log: string[] = [];
  Object.assign(globalThis, { focusLog: log });

  function textOf(element: Element): string {
    const ids = element.getAttribute("aria-labelledby")?.split(" ") ?? [];
    const by = ids.map((id) => document.getElementById(id)?.textContent).join(" ");
    const labels: NodeListOf<Element> | undefined = Reflect.get(element, "labels") ?? undefined;
    const label = [...(labels ?? [])].map(({ textContent }) => textContent).join(" ");
    return by || element.getAttribute("aria-label") || label || (element.textContent ?? "");
  }
  function describe(element: Element): string {
    const isRadio = element.getAttribute("type") === "radio";
    const named = isRadio ? (element.closest("[role=radiogroup], fieldset") ?? element) : element;
    const words = textOf(named).trim().replaceAll(/\s+/g, " ").slice(0, 32);
    return `${isRadio ? "radio" : element.tagName.toLowerCase()} ${words}`;
  }
  addEventListener("focusin", ({ target }) => target instanceof Element && log.push(describe(target)), true);
  function look(): void {
    const isLost = document.hasFocus() && document.activeElement === document.body;
    if (isLost && log.length > 0 && log.at(-1) !== "body") log.push("body");
    requestAnimationFrame(look);
  }
  requestAnimationFrame(look);
}

/** The elements that have had the focus, in order. */
function focusLog(page: Page | Frame): Promise<readonly string[]> {
  return page.evaluate(() => {
    const log: unknown = Reflect.get(globalThis, "focusLog");
    return Array.isArray(log) ? log.map(String) : [];
  });
}

export const focusOf = async (page: Page | Frame): Promise<string> =>
  (await focusLog(page)).at(-1) ?? "nothing";

/** Presses `key` until an element in `frame` that `wanted` describes has the focus. Each stop comes once, and none is the body. */
export async function walkTo(
  page: Page,
  wanted: RegExp | string,
  key = "Tab",
  typed = "",
  frame: Page | Frame = page,
): Promise<string[]> {
  const stops: string[] = [];
  let { length } = await focusLog(frame);
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press(key);
    const log = await focusLog(frame);
    // A date has several stops inside of one input, and no event for them.
    const passed = log.slice(length);
    ({ length } = log);
    expect(passed.length, `one stop for each ${key}: ${passed.join(", ")}`).toBeLessThanOrEqual(1);
    const [now] = passed;
    if (now === undefined) continue;
    expect(now, `after ${stops.at(-1)}`).not.toBe("body");
    expect(stops, "no stop comes twice").not.toContain(now);
    stops.push(now);
    if (typeof wanted === "string" ? now === wanted : wanted.test(now)) return stops;
    if (typed !== "" && /^(input|textarea) /.test(now)) await page.keyboard.type(typed);
  }
  throw new Error(`${key} never came to ${String(wanted)}, only to: ${stops.join(", ")}`);
}

/** Walks to `end` with Tab, types into each input, and walks back with Shift+Tab through the same stops. */
export async function walkThereAndBack(page: Page, end: RegExp, typed: string): Promise<string[]> {
  const start = await focusOf(page);
  const there = await walkTo(page, end, "Tab", typed);
  const back = await walkTo(page, start, "Shift+Tab");
  expect(back.toReversed().slice(1)).toEqual(there.slice(0, -1));
  return there;
}
