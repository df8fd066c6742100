import type { Locator, Page } from "@playwright/test";

/**
 * Clicks an element that may close its page. The page may be gone before Playwright has reported the click, which then
 * fails although it was done.
 */
export async function clickAndMayClose(target: Locator): Promise<void> {
  await target.click().catch((error: unknown) => {
    if (!/has been closed/.test(String(error))) throw error;
  });
}

/** Runs an action that closes a page, and waits until it has closed. */
export async function closedBy(page: Page, act: () => Promise<unknown>): Promise<void> {
  await Promise.all([page.waitForEvent("close"), act()]);
}
