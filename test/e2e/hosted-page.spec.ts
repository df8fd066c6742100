import { type BrowserContextOptions, type Page, expect, test } from "@playwright/test";
import { violations } from "./axe.ts";
import { clickAndMayClose, closedBy } from "./closing.ts";
import { type HostedSite, type SiteOptions, startHostedSite } from "./hosted-page/site.ts";

const LONG = "Reisekostenabrechnungssystemverwaltungszentrale ".repeat(6).trim();

const overflow = (page: Page) => page.evaluate("document.documentElement.scrollWidth - innerWidth");

/** Links to the pages that a user may see, with the signed-in user. */
async function pagesOf(
  site: HostedSite,
): Promise<readonly { name: string; link: string; person?: string }[]> {
  const { elicitations } = site;
  return [
    { name: "consent", link: await site.link() },
    {
      name: "problem",
      link: await site.link((id) => elicitations.fail(id, "Access to Tracker was not granted.")),
    },
    {
      name: "done",
      link: await site.link((id) => elicitations.complete(id, () => site.connect("ada@tracker.example"))),
    },
    { name: "accounts", link: `${site.url}/auth/accounts` },
    { name: "declined", link: await site.link((id) => elicitations.decline(id)) },
    { name: "wrong", link: await site.link(), person: "bob" },
    { name: "unknown", link: await site.link(), person: "nobody" },
  ];
}

async function withSite(options: SiteOptions, use: (site: HostedSite) => Promise<void>): Promise<void> {
  const site = await startHostedSite(options);
  try {
    await use(site);
  } finally {
    await site.close();
  }
}

interface Look {
  look: string;
  context: BrowserContextOptions;
  isColour?: boolean;
  tag?: "@long";
}

const LOOKS: readonly Look[] = [
  { look: "light", context: { viewport: { width: 480, height: 640 } }, isColour: true },
  {
    look: "dark",
    context: { viewport: { width: 480, height: 640 }, colorScheme: "dark" },
    isColour: true,
    tag: "@long",
  },
  {
    look: "at 320 px in German",
    context: { viewport: { width: 320, height: 640 }, locale: "de-DE" },
    tag: "@long",
  },
  { look: "in Arabic", context: { viewport: { width: 360, height: 780 }, locale: "ar" } },
  { look: "in forced colours", context: { forcedColors: "active" }, tag: "@long" },
  {
    look: "on a wide screen in Japanese",
    context: { viewport: { width: 1280, height: 900 }, locale: "ja-JP" },
    tag: "@long",
  },
];

for (const { look, context, isColour = false, tag = [] } of LOOKS) {
  test(
    `every hosted page is accessible and does not scroll sideways, ${look}`,
    { tag },
    async ({ browser }) => {
      await withSite({}, async (site) => {
        const window = await browser.newContext(context);
        const page = await window.newPage();
        for (const { name, link, person = "ada" } of await pagesOf(site)) {
          await window.addCookies([{ name: "person", value: person, url: site.url }]);
          await page.goto(link);
          await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
          expect([name, await overflow(page)]).toEqual([name, 0]);
          // Colours are checked on every page. The first page covers everything else that axe checks.
          if (isColour || name === "consent") expect([name, await violations(page)]).toEqual([name, []]);
          await expect(page.locator(":disabled")).toHaveCount(0);
          // Text at 200 %, as with a browser setting.
          await page.evaluate("document.documentElement.style.fontSize = '200%'");
          expect([name, "200 %", await overflow(page)]).toEqual([name, "200 %", 0]);
          // Left of the page, or right of one from right to left, nothing scrolls: it would be cut off.
          const cut =
            "[...document.querySelectorAll('.three :is(.tile, bdi)')].map((each) => each.getBoundingClientRect())";
          expect(
            await page.evaluate(`${cut}.filter(({ left, right }) => left < 0 || right > innerWidth)`),
          ).toEqual([]);
        }
        await window.close();
      });
    },
  );
}

test(
  "a name of 300 characters, an unreadable colour and a long account name fit on a page of 320 px",
  { tag: "@long" },
  async ({ browser }) => {
    const options = {
      service: LONG.slice(0, 300),
      requester: LONG.slice(0, 300),
      account: `${"ada".repeat(40)}@acme.example`,
      brand: { name: LONG.slice(0, 120), accent: "#ffd400" },
    };
    await withSite(options, async (site) => {
      for (const locale of ["en-US", "ar"]) {
        const window = await browser.newContext({ viewport: { width: 320, height: 640 }, locale });
        const page = await window.newPage();
        await page.goto(await site.link());
        expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
        await page.evaluate("document.documentElement.style.fontSize = '200%'");
        expect(await overflow(page)).toBe(0);
        await window.close();
      }
    });
  },
);

test("the page of an unknown user keeps its buttons away from the edge of the window", async ({
  browser,
}) => {
  await withSite({}, async (site) => {
    for (const javaScriptEnabled of [true, false]) {
      const window = await browser.newContext({ javaScriptEnabled, viewport: { width: 480, height: 640 } });
      await window.addCookies([{ name: "person", value: "nobody", url: site.url }]);
      const page = await window.newPage();
      await page.goto(await site.link());
      const box = await page.getByRole("link", { name: "Try again" }).boundingBox();
      expect(Math.round((box?.y ?? 640) + (box?.height ?? 0))).toBeLessThanOrEqual(640 - 16);
      await window.close();
    }
  });
});

test("the arrow of Details points down when it is open, also from right to left", async ({ browser }) => {
  await withSite({}, async (site) => {
    for (const locale of ["en-US", "ar"]) {
      const window = await browser.newContext({ locale });
      const page = await window.newPage();
      await page.goto(await site.link());
      const summary = page.locator("summary");
      await summary.click();
      // The tip of the arrow is the middle of its three points.
      const tip = await summary.locator("path").evaluate((path) => {
        const { e, f, a, b, c, d } = (path as SVGPathElement).getScreenCTM()!;
        const at = ({ x, y }: DOMPoint) => ({ x: a * x + c * y + e, y: b * x + d * y + f });
        const line = path as SVGPathElement;
        const length = line.getTotalLength();
        return at(line.getPointAtLength(length / 2)).y - at(line.getPointAtLength(0)).y;
      });
      expect([locale, tip > 1]).toEqual([locale, true]);
      await window.close();
    }
  });
});

test("an English title on an Arabic page stands at the edge where the page begins", async ({ browser }) => {
  await withSite({ form: FLIGHT }, async (site) => {
    const window = await browser.newContext({ locale: "ar", viewport: { width: 480, height: 640 } });
    const page = await window.newPage();
    await page.goto(await site.link());
    await expect(page.locator("h1")).toHaveCSS("direction", "ltr");
    await expect(page.locator("h1")).toHaveCSS("text-align", "right");
    await window.close();
  });
});

test("a wrong field has a thicker border in forced colours, where every border has one colour", async ({
  browser,
}) => {
  await withSite({ form: FLIGHT }, async (site) => {
    const window = await browser.newContext({ forcedColors: "active" });
    const page = await window.newPage();
    await page.goto(await site.link());
    await expect(page.getByLabel("Destination")).toHaveCSS("border-top-width", "1px");
    await page.getByRole("button", { name: "Send" }).click();
    await expect(page.getByLabel("Destination")).toHaveCSS("border-top-width", "3px");
    await window.close();
  });
});

test("a user without JavaScript declines on the hosted page, and returns to the chat", async ({
  browser,
}) => {
  await withSite({}, async (site) => {
    const window = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 360, height: 780 },
    });
    const page = await window.newPage();
    const link = await site.link();
    await page.goto(link);
    await page.getByRole("button", { name: "Decline" }).click();
    await expect(page.getByRole("heading")).toHaveText("Tracker was not connected");
    await expect(page.getByRole("link", { name: "Back to your chat" })).toHaveAttribute("href", /^https:/);
    expect((await site.record(link))?.status).toBe("declined");
    await window.close();
  });
});

test(
  "a user without JavaScript removes the connected account with the keyboard alone",
  { tag: "@long" },
  async ({ browser }) => {
    await withSite({}, async (site) => {
      const window = await browser.newContext({ javaScriptEnabled: false });
      const page = await window.newPage();
      await page.goto(
        await site.link((id) => site.elicitations.complete(id, () => site.connect("ada@tracker.example"))),
      );
      await expect(page.getByText("ada@tracker.example")).toBeVisible();
      await page.keyboard.press("Tab");
      await expect(page.getByRole("button", { name: "Remove" })).toBeFocused();
      await page.keyboard.press("Enter");
      await expect(page.getByRole("heading")).toHaveText("Tracker is no longer connected");
      expect(await site.isConnected()).toBe(false);
      await window.close();
    });
  },
);

test(
  "the link “Back to your chat” closes a window that the chat has opened",
  { tag: "@long" },
  async ({ browser }) => {
    await withSite({}, async (site) => {
      const window = await browser.newContext();
      await window.addCookies([{ name: "person", value: "bob", url: site.url }]);
      const chat = await window.newPage();
      await chat.goto(`${site.url}/auth/connect/status`);
      const opening = chat.waitForEvent("popup");
      await chat.evaluate((url) => void open(url, "", "popup,width=500,height=650"), await site.link());
      const popup = await opening;
      await closedBy(popup, () => clickAndMayClose(popup.getByRole("link", { name: "Back to your chat" })));
      await window.close();
    });
  },
);

test(
  "a window whose request is complete closes by itself, unless the user does something in it",
  { tag: "@long" },
  async ({ browser }) => {
    await withSite({}, async (site) => {
      const window = await browser.newContext();
      const chat = await window.newPage();
      await chat.goto(`${site.url}/auth/connect/status`);
      const open = async () => {
        const link = await site.link((id) =>
          site.elicitations.complete(id, () => site.connect("ada@tracker.example")),
        );
        const opening = chat.waitForEvent("popup");
        await chat.evaluate((url) => void globalThis.open(url, "", "popup,width=500,height=650"), link);
        return opening;
      };
      const left = await open();
      const closed = left.waitForEvent("close");
      await expect(left.getByText("This window closes in a moment.")).toBeVisible();
      await closed;
      const used = await open();
      await expect(used.getByText("This window closes in a moment.")).toBeVisible();
      await used.keyboard.press("Tab");
      await expect(used.getByText("This window closes in a moment.")).toBeHidden();
      await used.waitForTimeout(3500);
      await used.getByRole("button", { name: "Remove" }).click();
      await expect(used.getByRole("heading")).toHaveText("Tracker is no longer connected");
      await window.close();
    });
  },
);

const FLIGHT: NonNullable<SiteOptions["form"]> = {
  message: "I need a few details to book your flight.",
  requestedSchema: {
    type: "object",
    properties: {
      destination: { type: "string", title: "Destination", minLength: 3, examples: ["Lisbon"] },
      date: { type: "string", format: "date", title: "Departure" },
      cabin: {
        type: "string",
        title: "Cabin",
        default: "economy",
        oneOf: [
          { const: "economy", title: "Economy" },
          { const: "business", title: "Business" },
        ],
      },
      travellers: { type: "integer", title: "Travellers", minimum: 1, maximum: 9, default: 1 },
      extras: {
        type: "array",
        title: "Extras",
        items: {
          anyOf: [
            { const: "breakfast", title: "Breakfast" },
            { const: "parking", title: "Parking" },
          ],
        },
      },
      meeting: { type: "string", format: "date-time", title: "Meeting" },
      flexible: { type: "boolean", title: "My dates are flexible", default: false },
      pin: { type: "string", title: "PIN of your card", format: "password" },
    },
    required: ["destination", "date"],
  },
};

test("a user without JavaScript, on a phone, corrects and answers a form, and the same turn ends", async ({
  browser,
}) => {
  await withSite({ form: FLIGHT }, async (site) => {
    const phone = { javaScriptEnabled: false, hasTouch: true, viewport: { width: 360, height: 780 } };
    const window = await browser.newContext(phone);
    const page = await window.newPage();
    const link = await site.link();
    await page.goto(link);
    await page.getByLabel("Destination").fill("X");
    await page.getByLabel("Business").check();
    await page.getByLabel("My dates are flexible").check();
    await page.getByRole("checkbox", { name: "I want to share this" }).check();
    // Enter submits the form, and presses no other button.
    await page.getByLabel("Destination").press("Enter");

    await expect(page.getByRole("alert")).toContainText("Please check these answers.");
    await expect(page.getByLabel("Destination")).toHaveValue("X");
    await expect(page.getByLabel("Destination")).toHaveAccessibleDescription(
      "At least 3 characters, please.",
    );
    await expect(page.getByLabel("Business")).toBeChecked();
    await page.getByRole("alert").getByRole("link", { name: "Departure" }).click();
    await expect(page.getByLabel("Departure")).toBeInViewport();
    expect((await site.record(link))?.status).toBe("pending");

    await page.getByLabel("Destination").fill("Lisbon");
    await page.getByLabel("Departure").fill("2027-01-02");
    await page.getByLabel("Breakfast").check();
    await page.getByLabel("Meeting").fill("2027-01-03T09:30");
    await page.getByLabel("Time zone").selectOption("UTC+01:00");
    await page.getByRole("checkbox", { name: "I want to share this" }).check();
    await page.getByRole("button", { name: /Send|Submit/ }).click();
    await expect(page.getByRole("heading")).toHaveText("Sent");
    expect(await site.result(link)).toEqual({
      outcome: "accepted",
      content: {
        destination: "Lisbon",
        date: "2027-01-02",
        cabin: "business",
        travellers: 1,
        extras: ["breakfast"],
        meeting: "2027-01-03T09:30:00+01:00",
        flexible: true,
      },
    });
    await window.close();
  });
});

const SEAT: NonNullable<SiteOptions["form"]> = {
  message: "Which seat do you like?",
  tool: { id: "flights", name: "book_flight" },
  remember: { days: 30, kind: "Seats" },
  requestedSchema: {
    type: "object",
    properties: {
      seat: {
        type: "string",
        title: "Seat",
        oneOf: ["Window", "Aisle"].map((title) => ({ const: title, title })),
      },
    },
    required: ["seat"],
  },
};

test(
  "a user without JavaScript lets their answer be remembered, and the next question gets it",
  { tag: "@long" },
  async ({ browser }) => {
    await withSite({ form: SEAT }, async (site) => {
      const window = await browser.newContext({ javaScriptEnabled: false });
      const page = await window.newPage();
      await page.goto(await site.link());
      const box = page.getByRole("checkbox", { name: "Use this answer again for 30 days" });
      await expect(box).not.toBeChecked();
      await expect(box).toHaveAccessibleDescription("For all questions of this tool about “Seats”.");
      await box.press("Space");
      await page.getByRole("button", { name: "Send" }).click();
      await expect(page.getByRole("alert")).toContainText("Please check these answers.");
      await expect(box).toBeChecked();
      await page.getByLabel("Aisle").check();
      await page.getByRole("button", { name: "Send" }).click();
      await expect(page.getByRole("heading")).toHaveText("Sent");
      expect(await site.askAgain()).toMatchObject({ outcome: "accepted", content: { seat: "Aisle" } });

      await page.goto(`${site.url}/auth/accounts`);
      await expect(page.getByRole("listitem")).toContainText("Aisle");
      await page.getByRole("listitem").getByRole("button").click();
      await page.goto(await site.link());
      await expect(page.getByRole("button", { name: "Send" })).toBeVisible();
      await window.close();
    });
  },
);

test(
  "the checkbox for remembering an answer is accessible and does not scroll sideways",
  { tag: "@long" },
  async ({ browser }) => {
    await withSite({ form: { ...SEAT, remember: { days: 30, kind: LONG } } }, async (site) => {
      for (const context of [
        { viewport: { width: 480, height: 640 } },
        { viewport: { width: 320, height: 640 }, locale: "ar", colorScheme: "dark" as const },
      ]) {
        const window = await browser.newContext(context);
        const page = await window.newPage();
        await page.goto(await site.link());
        await expect(page.locator("[name=remember]")).toBeVisible();
        expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
        await page.evaluate("document.documentElement.style.fontSize = '200%'");
        expect(await overflow(page)).toBe(0);
        await window.close();
      }
    });
  },
);

for (const { look, context } of LOOKS) {
  const tag = look === "light" ? [] : "@long";
  test(
    `a form with every kind of control is accessible and does not scroll sideways, ${look}`,
    { tag },
    async ({ browser }) => {
      await withSite({ form: FLIGHT }, async (site) => {
        const window = await browser.newContext(context);
        const page = await window.newPage();
        await page.goto(await site.link());
        expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
        await page.locator("[name=action][value=accept]").click();
        await expect(page.getByRole("alert")).toBeVisible();
        expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
        await page.evaluate("document.documentElement.style.fontSize = '200%'");
        expect(await overflow(page)).toBe(0);
        await window.close();
      });
    },
  );
}

const GOOD_KEY = "sk-good-1234";
const KEYS: SiteOptions = {
  providers: {
    tracker: {
      service: "Tracker",
      apiKey: {
        check: async (key) => key.startsWith("sk-good") && { account: "ada@tracker.example" },
        keyUrl: "https://tracker.example/keys",
      },
    },
  },
};

test("a user without JavaScript, on a phone, adds an API key, replaces it and removes it", async ({
  browser,
}) => {
  await withSite(KEYS, async (site) => {
    const phone = { javaScriptEnabled: false, hasTouch: true, viewport: { width: 360, height: 780 } };
    const window = await browser.newContext(phone);
    const page = await window.newPage();
    const link = await site.link();
    await page.goto(link);
    await page.getByLabel("Your API key for Tracker").fill("sk-wrong-0000");
    await page.getByRole("button", { name: "Save key" }).click();
    await expect(page.getByRole("alert")).toContainText("Tracker did not accept this key.");
    await expect(page.getByLabel("Your API key for Tracker")).toHaveValue("");
    expect(await site.isConnected()).toBe(false);

    await page.getByLabel("Your API key for Tracker").fill(GOOD_KEY);
    // Enter sends the key, and does not decline.
    await page.getByLabel("Your API key for Tracker").press("Enter");
    await expect(page.getByRole("heading")).toHaveText("Tracker is connected");
    expect(await site.result(link)).toEqual({ outcome: "accepted", content: {} });
    await expect(page.getByText("ada@tracker.example", { exact: true })).toBeVisible();
    expect(await page.content()).not.toContain(GOOD_KEY);

    await page.getByText("Replace key").click();
    await page.getByLabel("New API key for Tracker").fill("sk-wrong-5678");
    await page.getByRole("button", { name: "Save key" }).click();
    await expect(page.getByRole("alert")).toContainText("Tracker did not accept this key.");
    await page.getByLabel("New API key for Tracker").fill("sk-good-5678");
    await page.getByRole("button", { name: "Save key" }).click();
    await expect(page.getByRole("heading")).toHaveText("Tracker is connected");
    await page.getByRole("button", { name: "Remove" }).click();
    await expect(page.getByRole("heading")).toHaveText("Tracker is no longer connected");
    expect(await site.isConnected()).toBe(false);
    await window.close();
  });
});

// The field and its page have the styles of the forms above.
for (const { look, context } of LOOKS.filter((one) => ["light", "at 320 px in German"].includes(one.look))) {
  const tag = look === "light" ? [] : "@long";
  test(
    `the page for an API key is accessible and does not scroll sideways, ${look}`,
    { tag },
    async ({ browser }) => {
      await withSite({ ...KEYS, account: LONG }, async (site) => {
        const window = await browser.newContext(context);
        const page = await window.newPage();
        await page.goto(await site.link());
        expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
        await page.locator("#key").fill("sk-wrong-0000");
        await page.locator("#key").press("Enter");
        await expect(page.getByRole("alert")).toBeVisible();
        expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
        await page.locator("#key").fill(GOOD_KEY);
        await page.locator("#key").press("Enter");
        await expect(page.locator(".mark[data-good]")).toBeVisible();
        expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
        await window.close();
      });
    },
  );
}
