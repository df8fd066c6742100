import type { Locator, Page } from "@playwright/test";
import { expectSound } from "./axe.ts";
import { ChatPage, finishConnecting, trackerCalls } from "./chat-page.ts";
import { expect, test } from "./demo.ts";

// The other specs run with reduced motion.
test.use({ contextOptions: { reducedMotion: "no-preference" } });

interface TurnState {
  readonly phase: string;
  readonly isAsked: boolean;
  /** How many waits the strip shows. */
  readonly waits: number;
  readonly tools: readonly string[];
}

/** The states that the turn goes through from now on. Some last for too short a time to look at them. */
async function watchTurn(page: Page): Promise<readonly TurnState[]> {
  const seen: TurnState[] = [];
  await page.exposeFunction("tellState", (state: TurnState) => void seen.push(state));
  await page.evaluate(() => {
    let last: string | undefined;
    new MutationObserver(() => {
      // The example of the first screen has a strip, too.
      const strip = document.querySelector<HTMLElement>(".strip:not([inert] *)");
      const phase = strip?.dataset["phase"];
      if (phase === undefined) return;
      const state = {
        phase,
        isAsked: document.querySelector("[data-elicitation] [data-mode=form]:not([inert] *)") !== null,
        waits: strip?.querySelectorAll("[data-kind=wait]").length ?? 0,
        tools: [...document.querySelectorAll<HTMLElement>(".tool:not([inert] *)")].map(
          (tool) => `${tool.querySelector("b")?.textContent}: ${tool.dataset["state"]}`,
        ),
      };
      if (JSON.stringify(state) === last) return;
      last = JSON.stringify(state);
      const tell: unknown = Reflect.get(globalThis, "tellState");
      if (typeof tell === "function") tell(state);
    }).observe(document.body, { attributes: true, childList: true, subtree: true });
  });
  return seen;
}

test("the timeline shows one turn: running, paused, resumed and done, with the same times after a reload", async ({
  page,
  demo,
}) => {
  const chat = new ChatPage(page, demo);
  await chat.open();
  await expect(chat.turn).toHaveCount(0);
  const seen = await watchTurn(page);
  await chat.say("Create an issue about the login bug");
  await expect(chat.turn).toContainText(/Paused.*0:(?!00)\d\d/);
  await expect(chat.log.locator(".tool")).toContainText(/^Create an issue: waits for you · 0:\d\d$/);
  await finishConnecting(await chat.connect());
  await expect(chat.turn).toContainText(/Done in one turn.*\d s · .*\d s waiting/);
  const phases = seen.map(({ phase }) => phase);
  expect(phases.filter((phase, index) => phase !== phases[index - 1])).toEqual([
    "running",
    "paused",
    "resumed",
    "done",
  ]);
  await expect(chat.log.locator(".tool")).toHaveText("Create an issue: done");
  await expect(chat.log).toContainText("#1 Login bug");

  const times = await chat.turn.locator(".time").innerText();
  await page.reload();
  await expect(chat.turn.locator(".time")).toHaveText(times);
});

test("the agent works while its question is open, waits at its end, and continues in the same message", async ({
  page,
  demo,
}) => {
  const chat = new ChatPage(page, demo);
  await chat.open();
  const seen = await watchTurn(page);
  await chat.suggest(/Work while it asks/);
  await expect
    .poll(() => seen)
    .toContainEqual(
      expect.objectContaining({
        phase: "running",
        isAsked: true,
        tools: expect.arrayContaining(["Check the weather: running"]),
      }),
    );
  await expect(chat.log).toContainText("I will book the flight with your answer.");
  await expect(chat.turn).toHaveAttribute("data-phase", "paused");
  await chat.fillFlight("Lisbon", "2099-03-01");
  await expect(chat.log).toContainText("Done: Flight to Lisbon");
  await expect(chat.turn).toHaveAttribute("data-phase", "done");
});

test(
  "nothing on the page is animated while it only waits for the user",
  { tag: "@long" },
  async ({ page, demo }) => {
    const chat = new ChatPage(page, demo);
    await chat.openForm();
    // The card is visible before its questions have loaded, and comes in again with them.
    await expect(chat.formCards.getByLabel("Destination")).toBeVisible();
    await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0);
    await page.evaluate(() => {
      for (const type of ["transitionrun", "animationstart"])
        document.addEventListener(type, () => (document.documentElement.dataset["moved"] = type));
    });
    const time = chat.turn.locator(".time");
    const before = await time.innerText();
    await expect(time).not.toHaveText(before);
    await expect(page.locator("html")).not.toHaveAttribute("data-moved");
  },
);

test("the strip does not count the time as a wait in which the agent works beside its question", async ({
  page,
  demo,
}) => {
  const chat = new ChatPage(page, demo);
  await chat.open();
  const seen = await watchTurn(page);
  // The agent asks in the background, and then looks up the weather.
  await chat.say("Book me a flight, and check the weather meanwhile");
  await expect
    .poll(() => seen)
    .toContainEqual(expect.objectContaining({ phase: "running", isAsked: true, waits: 0 }));
  await expect(chat.turn).toHaveAttribute("data-phase", "paused");
  await expect(chat.turn.locator("[data-kind=wait]")).toHaveCount(1);
  expect(seen.filter(({ phase, waits }) => phase === "running" && waits > 0)).toEqual([]);
  await chat.fillFlight("Lisbon", "2099-03-04");
  await expect(chat.log).toContainText("Flight to Lisbon");
  await expect(chat.turn).toHaveAttribute("data-phase", "done");
});

test(
  "a reload while the turn waits shows how long it has waited",
  { tag: "@long" },
  async ({ page, demo }) => {
    const chat = new ChatPage(page, demo);
    await chat.open();
    await chat.say("Book me a flight");
    await expect(chat.turn).toContainText(/0:(?!0[01])\d\d/);
    await page.reload();
    await expect(chat.turn).toContainText("Paused");
    await expect(chat.turn.locator(".time")).toHaveText(/0:(?!0[01])\d\d/);
    await expect(chat.turn.locator("[data-kind=wait]")).toHaveCount(1);
  },
);

test(
  "a message that is sent while the agent waits withdraws the question, and gets a reply",
  { tag: "@long" },
  async ({ page, demo }) => {
    const chat = new ChatPage(page, demo);
    await chat.open();
    await chat.say("Create an issue about the login bug");
    await expect(chat.connectCards).toBeVisible();
    await expect(page.getByRole("button", { name: "Stop" })).toBeVisible();
    await chat.say("Book me a flight");
    await expect(chat.formCards).toBeVisible();
    await expect(chat.connectCards).toContainText("No longer needed");
    await expect(page.getByRole("button", { name: "Stop" })).toBeVisible();
    await chat.fillFlight("Lisbon", "2099-03-04");
    await expect(chat.log).toContainText("Done: Flight to Lisbon");
  },
);

test(
  "each of two questions is below its own tool call, and a button scrolls to the hidden one",
  { tag: "@long" },
  async ({ page, demo }) => {
    await page.setViewportSize({ width: 600, height: 560 });
    const chat = new ChatPage(page, demo);
    await chat.open();
    await chat.say("Do both: an issue and a flight");
    await expect(chat.formCards).toBeVisible();
    const rows = chat.log.locator(".turn > li", { has: page.locator(".tool") });
    await expect(rows.nth(0)).toContainText("Create an issue: waits for you");
    await expect(rows.nth(0).locator(chat.connectCards)).toBeVisible();
    await expect(rows.nth(1)).toContainText("Book a flight: waits for you");
    await expect(rows.nth(1).locator(chat.formCards)).toBeVisible();
    await expect(rows.nth(0)).toContainText("Question 1 of 2");
    await expect(rows.nth(1)).toContainText("Question 2 of 2");

    const pill = page.getByRole("button", { name: "2 questions waiting" });
    for (const card of [chat.connectCards, chat.formCards, chat.connectCards]) {
      await page.evaluate((top) => scrollTo(0, top), card === chat.connectCards ? 5000 : 0);
      await pill.click();
      await expect(card.getByRole("heading")).toBeFocused();
      await expect(card.getByRole("heading")).toBeInViewport();
    }
    await chat.formCards.getByRole("button", { name: "Decline" }).click();
    await expect(rows.nth(1)).toContainText("Book a flight: not done");
    await expect(pill).toHaveCount(0);
    await expect(rows.nth(0)).toContainText("Question 1 of 2");
  },
);

test(
  "Tab leads to the header and to the button of the hidden question, and leaves the page where it is",
  { tag: "@long" },
  async ({ page, demo }) => {
    await page.setViewportSize({ width: 600, height: 640 });
    const chat = new ChatPage(page, demo);
    await openBoth(chat);
    const pill = page.getByRole("button", { name: "2 questions waiting" });
    await page.evaluate(() => scrollTo(0, 0));
    await page.getByLabel("Message").click();
    await page.keyboard.press("Shift+Tab");
    await expect(pill).toBeFocused();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await page.keyboard.press("Enter");
    await expect(chat.formCards.getByRole("heading")).toBeFocused();
    await expect(chat.formCards.getByRole("heading")).toBeInViewport();

    const scrolled = await page.evaluate(() => scrollY);
    expect(scrolled).toBeGreaterThan(0);
    const newChat = page.getByRole("button", { name: "New chat" });
    do await page.keyboard.press("Shift+Tab");
    while (!(await newChat.evaluate((button) => button === document.activeElement)));
    await page.keyboard.press("Shift+Tab");
    await expect(page.getByRole("button", { name: "Signed in as" })).toBeFocused();
  },
);

test(
  "a press on the button counts although the question comes into view during it, and the page does not grow with the button",
  { tag: "@long" },
  async ({ page, demo }) => {
    await page.setViewportSize({ width: 600, height: 640 });
    const chat = new ChatPage(page, demo);
    await chat.openForm();
    await chat.fillFlight("Lisbon", "2099-03-01");
    await expect(chat.log.getByText("Done: Flight to Lisbon")).toBeVisible();
    await chat.say("Book me a flight");
    const card = chat.formCards.last();
    await expect(card.getByRole("button", { name: "Send" })).toBeVisible();
    const heightOfPage = (): Promise<number> => page.evaluate(() => document.documentElement.scrollHeight);
    await expect(chat.turn).toContainText("waiting for you");
    const height = await heightOfPage();

    await page.evaluate(() => scrollTo(0, 0));
    await page.getByRole("button", { name: "1 question waiting" }).hover();
    expect(await heightOfPage()).toBe(height);
    await page.mouse.down();
    await showWholly(card);
    await page.mouse.up();
    await expect(card.getByRole("heading")).toBeFocused();
    await expect(chat.turn).toContainText("waiting for you");
  },
);

test("a new question in a long conversation scrolls into view", { tag: "@long" }, async ({ page, demo }) => {
  await page.setViewportSize({ width: 900, height: 700 });
  const chat = new ChatPage(page, demo);
  await chat.open();
  for (const day of [1, 2, 3]) {
    await chat.say("Book me a flight");
    const card = chat.formCards.last();
    await expect(card.getByRole("heading")).toBeInViewport();
    await expect(card.getByRole("button", { name: "Send" })).toBeInViewport();
    await chat.fillFlight("Lisbon", `2099-03-0${day}`, card);
    await expect(chat.log.getByText("Done: Flight to Lisbon")).toHaveCount(day);
  }
});

test(
  "after Disconnect, the agent asks for the account again, and Start over also removes the chats",
  { tag: "@long" },
  async ({ page, demo }) => {
    const chat = new ChatPage(page, demo);
    await chat.open();
    await chat.openMenu();
    await expect(page.getByText("No account is connected.")).toBeVisible();
    await page.keyboard.press("Escape");
    await chat.say("Create an issue about the login bug");
    await finishConnecting(await chat.connect());
    await expect(chat.log).toContainText(/Done: .*#1/);

    await chat.openMenu();
    await page.getByRole("button", { name: "Disconnect Tracker" }).click();
    await chat.say("Create an issue about the logout bug");
    await expect(chat.connectCards).toHaveCount(2);
    await chat.connectCards.last().getByRole("button", { name: "Decline" }).click();
    await expect(chat.turn).toContainText("Ended in one turn");
    expect(await trackerCalls(demo)).toEqual({
      withCredential: 1,
      withBadCredential: 0,
      withoutCredential: 0,
    });

    const before = page.url();
    await chat.openMenu();
    let question = "";
    page.once("dialog", (dialog) => {
      question = dialog.message();
      void dialog.accept();
    });
    await page.getByRole("button", { name: "Start over" }).click();
    expect(question).toContain("forgets your chats");
    await expect(page.getByRole("heading", { name: "The agent asks you, then continues" })).toBeVisible();
    await page.goto("about:blank");
    await page.goto(before);
    await expect(page.getByRole("heading", { name: "The agent asks you, then continues" })).toBeVisible();
  },
);

test(
  "the first screen shows an animation of one turn, which any key stops",
  { tag: "@long" },
  async ({ page, demo }) => {
    const chat = new ChatPage(page, demo);
    await chat.open();
    const first = page.locator(".first");
    await expect(first).toContainText("Booked: Casa do Rio, 2 nights. The same turn continued.");
    // What the play has sent with the card's own button.
    await expect(first.locator("[data-over]")).toContainText("Casa do Rio");
    await expect(first.locator(".tool")).toHaveText("Book a hotel: done");
    await expect(first.locator(".made")).toContainText("Lisbon · 2 nights");
    await expect(first.locator(".strip")).toContainText("Done in one turn6.0 s · 3.0 s waiting");
    const frames: string[] = [];
    await page.exposeFunction("tellFrame", (frame: string) => void frames.push(frame));
    await first.evaluate((shown) => {
      new MutationObserver(() => {
        const waits = shown.querySelectorAll("li[data-waits]").length;
        const tell: unknown = Reflect.get(globalThis, "tellFrame");
        if (typeof tell === "function") tell(`${shown.getAttribute("data-frame")}, waits: ${waits}`);
      }).observe(shown, { attributes: true, attributeFilter: ["data-frame"] });
    });
    // Nothing in it is focusable.
    await expect(first.locator(".pane").first()).toHaveAttribute("inert", "");
    await first.getByRole("button", { name: "Play again" }).click();
    await expect
      .poll(() => frames)
      .toEqual(["0, waits: 0", "1, waits: 1", "2, waits: 1", "3, waits: 0", "4, waits: 0"]);
    await first.getByRole("button", { name: "Play again" }).click();
    await page.keyboard.press("Tab");
    await expect(first).toHaveAttribute("data-frame", "4");
  },
);

test("the composer of the first screen stands right below the suggestions, as wide as they are", async ({
  page,
  demo,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await new ChatPage(page, demo).open();
  const tries = await boxOf(page, ".tries");
  const composer = await boxOf(page, ".dock-box");
  expect(composer.x).toBe(tries.x);
  expect(composer.width).toBe(tries.width);
  expect(composer.y - tries.y - tries.height).toBeLessThan(32);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("the first screen shows what to try, and nothing moves while its turn plays", async ({
    page,
    demo,
  }) => {
    const chat = new ChatPage(page, demo);
    await chat.open();
    await expect(page.getByRole("button", { name: /^Issue/ })).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("button", { name: "More" })).toBeInViewport({ ratio: 1 });
    const first = page.locator(".first");
    await expect(first).toHaveAttribute("data-frame", "4");
    const places: string[] = [];
    await page.exposeFunction("tellPlaces", (now: string) => void places.push(now));
    await first.evaluate((shown) => {
      new MutationObserver(() => {
        const boxes = [".tries", ".first > .code"].map((name) =>
          document.querySelector(name)?.getBoundingClientRect(),
        );
        const tell: unknown = Reflect.get(globalThis, "tellPlaces");
        if (typeof tell === "function") tell(JSON.stringify(boxes));
      }).observe(shown, { attributes: true, attributeFilter: ["data-frame"] });
    });
    await first.getByRole("button", { name: "Play again" }).click();
    await expect.poll(() => places).toHaveLength(5);
    expect(new Set(places).size).toBe(1);
  });
});

test("More opens its list above the page, and moves nothing", { tag: "@long" }, async ({ page, demo }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const chat = new ChatPage(page, demo);
  await chat.open();
  const before = await boxOf(page, ".tries");
  await page.getByRole("button", { name: "More" }).click();
  const list = page.getByRole("list").filter({ hasText: "An MCP server asks" });
  await expect(list).toBeInViewport({ ratio: 1 });
  expect(await boxOf(page, ".tries")).toEqual(before);
  await page.keyboard.press("Escape");
  await expect(list).toBeHidden();
  await expect(page.getByRole("button", { name: "More" })).toBeFocused();
});

async function boxOf(page: Page, selector: string) {
  return (await page.locator(selector).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
}

test.describe("with reduced motion", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });

  test(
    "the first screen shows the end of its animation at once",
    { tag: "@long" },
    async ({ page, demo }) => {
      const chat = new ChatPage(page, demo);
      await chat.open();
      await expect(page.locator(".first")).toHaveAttribute("data-frame", "4");
      await expect(page.locator(".first .stage")).toContainText("The same turn continued.");
      await expectSound(page);
    },
  );
});

test("the suggestion is shown again after a decline", { tag: "@long" }, async ({ page, demo }) => {
  const chat = new ChatPage(page, demo);
  await chat.open();
  await page.getByRole("button", { name: "Book me a flight" }).click();
  await chat.decline(chat.formCards);
  await expect(page.getByRole("button", { name: "Fill in a form" })).toBeVisible();
});

test(
  "the agent asks again when the user enters a date in the past",
  { tag: "@long" },
  async ({ page, demo }) => {
    const chat = new ChatPage(page, demo);
    await chat.open();
    await page.getByRole("button", { name: "Book me a flight" }).click();
    await chat.fillFlight("Lisbon", "2020-03-04");
    await expect(chat.formCards.last()).toContainText("4 March 2020 is over");
  },
);

test(
  "the page uses the browser's language, and remembers a chosen language and theme",
  { tag: "@long" },
  async ({ browser, demo }) => {
    const context = await browser.newContext({ locale: "de-AT" });
    const page = await context.newPage();
    await page.goto(demo.chat);
    await expect(page.getByRole("heading", { level: 2 })).toHaveText(
      "Der Agent fragt Sie und macht dann weiter",
    );
    await page.getByRole("button", { name: "Angemeldet als alice" }).click();
    await page.getByLabel("Sprache").selectOption({ label: "العربية" });
    await page.getByRole("radio", { name: "داكن" }).check({ force: true });
    await page.keyboard.press("Escape");
    const html = page.locator("html");
    await expect(html).toHaveAttribute("dir", "rtl");
    await page.getByRole("button", { name: "Book me a flight" }).click();
    await expect(page.locator(".elicit-card")).toHaveAttribute("dir", "rtl");

    await page.reload();
    await expect(html).toHaveAttribute("lang", "ar");
    await expect(html).toHaveAttribute("data-theme", "dark");
    await expect(html).toHaveCSS("color-scheme", "dark");
    await expect(page.getByRole("button", { name: "إيقاف" })).toBeVisible();
    await context.close();
  },
);

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(colorScheme, { tag: colorScheme === "dark" ? "@long" : [] }, () => {
    test.use({ colorScheme, viewport: { width: 320, height: 640 } });

    test(`the page has no axe violation and no sideways scroll at 320 px (${colorScheme})`, async ({
      page,
      demo,
    }) => {
      const chat = new ChatPage(page, demo);
      await chat.open();
      await expectSound(page);
      await chat.openMenu();
      await expectSound(page);
      await page.keyboard.press("Escape");
      await chat.say("Do both: an issue and a flight");
      await expect(chat.formCards).toBeVisible();
      await expectSound(page);
      await chat.decline(chat.connectCards);
      await chat.decline(chat.formCards);
      await expect(chat.turn).toContainText("Ended in one turn");
      await expectSound(page);
    });
  });
}

/** Opens a chat with two questions, of which one is out of sight on a low window. */
async function openBoth(chat: ChatPage): Promise<void> {
  await chat.open();
  await chat.say("Do both: an issue and a flight");
  await expect(chat.connectCards).toBeVisible();
  await expect(chat.formCards.getByRole("button", { name: "Send" })).toBeVisible();
}

/** Scrolls a card to the middle, and waits until an observer of the page knows that. */
async function showWholly(card: Locator): Promise<void> {
  await card.evaluate(async (element) => {
    element.scrollIntoView({ block: "center" });
    for (let frame = 0; frame < 4; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  });
}
