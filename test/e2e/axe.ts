import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, type Frame, type Page } from "@playwright/test";

const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** The rules of axe that a page breaks (save those of `without`), and where, once all of it has faded in. `evaluate` is not held to the page's policy. */
export async function violations(page: Page | Frame, without: readonly string[] = []): Promise<unknown> {
  await page.evaluate(AXE);
  await page.evaluate(arrived);
  const rules = JSON.stringify(Object.fromEntries(without.map((id) => [id, { enabled: false }])));
  return page.evaluate(
    `axe.run({ rules: ${rules} }).then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html))`,
  );
}

/** Runs in the page. What is half transparent on its way in has no contrast yet. A ring that turns never ends. */
async function arrived(): Promise<void> {
  const arriving = document.getAnimations().filter(({ effect }) => {
    return Number.isFinite(effect?.getComputedTiming().endTime);
  });
  await Promise.allSettled(arriving.map(({ finished }) => finished));
}

/** No axe violation, and nothing wider than the window. */
export async function expectSound(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([]);
  const [content, room] = await page.evaluate(
    () => [document.documentElement.scrollWidth, innerWidth] as const,
  );
  expect(content).toBeLessThanOrEqual(room);
}
