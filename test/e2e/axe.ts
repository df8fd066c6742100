import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, type Frame, type Page } from "@playwright/test";

const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/**
 * The axe rules that a page breaks (except those in `without`), after all content has faded in. `evaluate` is not
 * restricted by the page's policy.
 */
export async function violations(page: Page | Frame, without: readonly string[] = []): Promise<unknown> {
  await page.evaluate(AXE);
  await page.evaluate(arrived);
  const rules = JSON.stringify(Object.fromEntries(without.map((id) => [id, { enabled: false }])));
  return page.evaluate(
    `axe.run({ rules: ${rules} }).then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html))`,
  );
}

/** Runs in the page. Semi-transparent content that is fading in has too little contrast. A rotating ring never ends. */
async function arrived(): Promise<void> {
  const arriving = document.getAnimations().filter(({ effect }) => {
    return Number.isFinite(effect?.getComputedTiming().endTime);
  });
  await Promise.allSettled(arriving.map(({ finished }) => finished));
}

/** No axe violation, and no content wider than the window. */
export async function expectSound(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([]);
  const [content, room] = await page.evaluate(
    () => [document.documentElement.scrollWidth, innerWidth] as const,
  );
  expect(content).toBeLessThanOrEqual(room);
}
