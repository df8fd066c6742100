import { createServer } from "node:http";
import { DEMO_SOURCE, expect, startDemo, test } from "./demo.ts";
import { listen } from "../stages/listen.ts";

test.use({ demoProgram: DEMO_SOURCE });

test("npm start prints five addresses, with the chat on another site than the hosted page and the OAuth server", async ({
  demo,
}) => {
  expect(demo.chat).toMatch(/^http:\/\/localhost:\d+$/);
  expect(demo.runtime).toMatch(/^http:\/\/localhost:\d+$/);
  expect(demo.auth).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(demo.oauth).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(demo.tracker).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
});

test(
  "npm start serves the chat page without output in the browser's console",
  { tag: "@long" },
  async ({ page, context }) => {
    const said: string[] = [];
    context.on("console", (message) => said.push(message.text()));
    context.on("weberror", (failure) => said.push(String(failure.error())));
    await page.goto("/");
    await expect(page.getByRole("textbox", { name: "Message" })).toBeVisible();
    expect(said).toEqual([]);
  },
);

test("npm start uses the next port if one is taken, and prints that", { tag: "@long" }, async () => {
  const { port, close } = await listen(createServer());
  const demo = await startDemo({ PORT: String(port) }, DEMO_SOURCE);
  expect(demo.output()).toContain(`elicit-kit: port ${port} (chat) is taken, so chat is on `);
  expect(new URL(demo.chat).port).not.toBe(String(port));
  expect((await fetch(demo.chat)).status).toBe(200);
  expect(await demo.stop()).toBe(0);
  await close();
});

test.describe("when the demo stops", () => {
  // While the servers stop, the page reads the outcomes of its requests and reopens its inbox. The streams end properly,
  // without ERR_INCOMPLETE_CHUNKED_ENCODING.
  // A file of the page may still be loading.
  test.use({
    expectedInConsole:
      /net::ERR_CONNECTION_\w+ \(.*\/(?:timeline|elicitations)|net::ERR_CONTENT_LENGTH_MISMATCH/,
  });

  test("npm start ends on Ctrl-C while a turn waits for the user", async ({ page, demo }) => {
    await page.goto("/");
    await page.getByRole("button", { name: "Book me a flight" }).click();
    await expect(page.getByText("I need a few details to book your flight.")).toBeVisible();
    expect(await demo.stop()).toBe(0);
    await expect(fetch(demo.chat)).rejects.toThrow("fetch failed");
  });
});
