import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, type Page } from "@playwright/test";

const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** The rules of axe that a page breaks, as it is now. */
export async function violations(page: Page): Promise<unknown> {
  await page.evaluate(AXE);
  return page.evaluate("axe.run().then(({ violations }) => violations.map(({ id }) => id))");
}

/** No axe violation, and nothing wider than the window. */
export async function expectSound(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([]);
  const [content, room] = await page.evaluate(
    () => [document.documentElement.scrollWidth, innerWidth] as const,
  );
  expect(content).toBeLessThanOrEqual(room);
}
