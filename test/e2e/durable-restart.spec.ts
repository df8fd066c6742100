import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../stages/listen.ts";
import { ChatPage } from "./chat-page.ts";
import { expect, startDemo, test } from "./demo.ts";

test.use({
  // The test starts its own demos.
  baseURL: "about:blank",
  // While the demo is away, the page retries reading the turn.
  expectedInConsole: /net::ERR_\w+|status of 503|blocked by CORS policy/,
});

test(
  "when the demo is killed or stopped while a card waits, the same message continues after the restart, in the page that stayed open",
  { tag: "@long" },
  async ({ page }) => {
    test.setTimeout(120_000);
    const folder = await mkdtemp(join(tmpdir(), "elicit-kit-demo-"));
    // A port followed by free ports, so that the page finds the demo at the same addresses again.
    const env = { DURABLE: "1", DEMO_STATE: folder, PORT: String(await freePort()) };
    let demo = await startDemo(env);
    const chat = new ChatPage(page, demo);
    await chat.open();

    await chat.say("Book me a flight");
    const first = chat.formCards.last();
    await first.getByLabel("Destination").fill("Osl");
    await demo.kill();
    // The user's input in between stays, too.
    await first.getByLabel("Destination").pressSequentially("o");
    demo = await startDemo(env);
    await first.getByLabel("Departure date").fill("2099-05-01");
    await first.getByRole("button", { name: "Send" }).click();
    await expect(chat.log).toContainText("Done: Flight to Oslo");
    await expect(chat.turn).toContainText("Done");

    await chat.say("Book me a flight");
    const second = chat.formCards.last();
    await expect(second.getByLabel("Destination")).toBeVisible();
    expect(await demo.stop()).toBe(0);
    demo = await startDemo(env);
    await chat.fillFlight("Rome", "2099-05-01", second);
    await expect(chat.log).toContainText("Done: Flight to Rome");
    await expect(chat.turn).toContainText("Done");
    await expect(page.getByRole("alert")).toHaveCount(0);

    await page.reload();
    await expect(chat.log).toContainText("Done: Flight to Oslo");
    await expect(chat.log).toContainText("Done: Flight to Rome");
    expect(await demo.stop()).toBe(0);
    await rm(folder, { recursive: true });
  },
);
