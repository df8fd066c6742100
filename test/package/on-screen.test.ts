import { chromium } from "playwright";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { measureOnScreen, serveConnectApp } from "../../bench/on-screen.ts";
import { chromiumLaunchOptions } from "../../tools/chromium.mjs";

describe("an app of Vite in Chromium", () => {
  it("has loaded no more than the limits when a card stands, and only what its request needs", async () => {
    const measured = await measureOnScreen();
    expect(measured.filter(({ gzip, limit }) => gzip > limit).map(({ name, gzip }) => [name, gzip])).toEqual(
      [],
    );
    const [connect, form] = measured.map(({ modules }) => modules.map(([path]) => path));
    expect(connect?.filter((path) => path.startsWith("src/react/form-elicitation/"))).toEqual([]);
    expect(form).toContain("src/react/form-elicitation/FormElicitation.tsx");
    for (const paths of [connect, form]) {
      expect(paths?.filter((path) => /dock|inbox|dialog|\/(?:de|fr|es|ja|ar)\.ts$/.test(path))).toEqual([]);
    }
  });
});

describe("a question whose code cannot be loaded, in Chromium", () => {
  let app: Awaited<ReturnType<typeof serveConnectApp>>;
  beforeAll(async () => {
    app = await serveConnectApp();
  });
  afterAll(() => app.close());

  /** A page that loads its first script, and no other until `allow` is called. */
  async function open() {
    const browser = await chromium.launch(chromiumLaunchOptions());
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const first = new Set(app.chunks.find(({ isEntry }) => isEntry)?.imports.map((name) => `/${name}`));
    const isLate = ({ pathname }: URL) =>
      pathname.endsWith(".js") && pathname !== app.entry && !first.has(pathname);
    await page.route(isLate, (route) => route.abort());
    await page.goto(app.url);
    await page.getByText("This question could not be loaded.").first().waitFor();
    return { page, allow: () => page.unroute(isLate) };
  }

  it("appears when the user tries again", async () => {
    const { page, allow } = await open();
    await allow();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("button", { name: "Connect" }).waitFor();
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
  });

  it("can be declined, and the answer is sent at once", async () => {
    const { page } = await open();
    const sent = page.waitForRequest((request) => request.url().endsWith("/elicitation-responses"));
    await page.getByRole("button", { name: "Decline" }).click();
    expect((await sent).postDataJSON()).toMatchObject({ elicitationId: "question-1", action: "decline" });
    await page.getByRole("button", { name: "Decline" }).waitFor({ state: "detached" });
  });
});
