import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChatPage, finishConnecting, trackerCalls } from "./chat-page.ts";
import { expect, startDemo, test } from "./demo.ts";

test(
  "a restart keeps the connected account: the next issue is created without asking",
  { tag: "@long" },
  async ({ page }) => {
    const folder = await mkdtemp(join(tmpdir(), "elicit-kit-demo-"));
    const first = await startDemo();
    const PORT = new URL(first.chat).port;
    await first.stop();
    const env = { PORT, DEMO_STATE: folder };

    const before = await startDemo(env);
    const chat = new ChatPage(page, before);
    await chat.open();
    await chat.say("Create an issue about the login bug");
    await finishConnecting(await chat.connect());
    await expect(chat.log).toContainText(/Done: .*#1/);
    // With its timers, the page has requested everything that it needs.
    await expect(chat.turn).toContainText("s waiting");
    // An open page would look for its inbox while the demo is away, and log that.
    await page.goto("about:blank");
    expect(await before.stop()).toBe(0);
    expect(await readFile(join(folder, "credentials"), "latin1")).not.toContain("tracker");

    const after = await startDemo(env);
    expect(after.tracker).toBe(before.tracker);
    const again = new ChatPage(page, after);
    await again.open();
    await again.say("Create an issue about the logout bug");
    await expect(again.log).toContainText(/Done: .*#1/);
    await expect(again.connectCards).toHaveCount(0);
    expect(await trackerCalls(after)).toEqual({
      withCredential: 1,
      withBadCredential: 0,
      withoutCredential: 0,
    });
    await expect(again.turn).toContainText(/Done.*\d s/);
    expect(await after.stop()).toBe(0);
    await rm(folder, { recursive: true });
  },
);
