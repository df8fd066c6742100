/** The card inside a host with MCP Apps: the AppBridge of ext-apps in a real browser, and a server of the built package. */
import { type Locator, type Page, expect } from "@playwright/test";
import { violations } from "./axe.ts";
import { call, result, test, view } from "./mcp-app/stage.ts";

const heightOf = (frame: Locator) => frame.evaluate((element) => element.getBoundingClientRect().height);

/** Answers both questions of the tool. */
async function answer(page: Page): Promise<void> {
  const street = view(page).getByRole("textbox", { name: "Street" });
  await street.fill("Rua Augusta 1");
  await view(page).getByRole("button", { name: "Send" }).click();
  await view(page).getByRole("radio", { name: "express" }).check();
  await view(page).getByRole("button", { name: "Send" }).click();
}

test.describe("a host that shows the view while the call runs", () => {
  test.use({ pace: 2.5 });

  for (const era of ["2025-11-25", "2026-07-28"]) {
    test(
      `gets the result of the same call, in MCP ${era}`,
      { tag: era === "2025-11-25" ? "@long" : [] },
      async ({ page, stage }) => {
        await call(page, stage.url({ era }));
        await expect(view(page).getByText("Parcel server").first()).toBeVisible();
        await answer(page);
        await expect(result(page)).toContainText("Booked express to Rua Augusta 1.");
        expect(stage.booked).toEqual(["Rua Augusta 1"]);
        await expect(page.locator("#messages")).toBeEmpty();
        // There is no question any more, so the view takes no space.
        await expect.poll(() => heightOf(page.locator("iframe"))).toBe(0);
      },
    );
  }

  test(
    "gets the result even if it passes no arguments to the view, as claude.ai does",
    { tag: "@long" },
    async ({ page, stage }) => {
      await call(page, stage.url({ late: "1" }));
      await answer(page);
      await expect(result(page)).toContainText("Booked express");
    },
  );

  test("gets the tool's result for a decline", { tag: "@long" }, async ({ page, stage }) => {
    await call(page, stage.url());
    await view(page).getByRole("button", { name: "Decline" }).click();
    await expect(result(page)).toContainText("declined");
  });

  test("opens a page only by a click, and the user sees its whole address", async ({ page, stage }) => {
    stage.asksForPage();
    await call(page, stage.url());
    await expect(view(page).getByText("/checkout/1").first()).toBeVisible();
    await expect(page.locator("#links")).toBeEmpty();
    await view(page).getByRole("button", { name: "Open page" }).click();
    await expect(page.locator("#links")).toContainText("https://pay.parcel.example/checkout/1");
    stage.finishPage();
    await expect(result(page)).toContainText("Paid: accepted");
  });

  test("withdraws the card when it ends the call early", { tag: "@long" }, async ({ page, stage }) => {
    await call(page, stage.url({ timeout: "1" }));
    await expect(view(page).getByRole("textbox", { name: "Street" })).toBeVisible();
    await expect(view(page).getByText("No longer needed", { exact: true })).toBeVisible();
    await expect(result(page)).not.toBeEmpty();
  });
});

test.describe("the card continues a call", () => {
  for (const mode of ["after", "serial"]) {
    test(
      `in a host with the option ${mode}, and adds the result to the conversation once`,
      { tag: mode === "serial" ? "@long" : [] },
      async ({ page, stage }) => {
        await call(page, stage.url({ [mode]: "1" }));
        await expect(result(page)).toContainText("elicitation_result");
        await answer(page);
        await expect(page.locator("#messages")).toContainText("Booked express to Rua Augusta 1.");
        await expect(page.locator("#context")).toContainText("Booked express to Rua Augusta 1.");
        expect(stage.booked).toEqual(["Rua Augusta 1"]);
      },
    );
  }

  test(
    "in a host that passes the view neither arguments nor result",
    { tag: "@long" },
    async ({ page, stage }) => {
      await call(page, stage.url({ mute: "1", after: "1" }));
      await answer(page);
      await expect(page.locator("#messages")).toContainText("Booked express");
    },
  );
});

for (const refuses of ["no-capability", "throws", "is-error"]) {
  test(
    `the model gets the result from a host that does not accept it from the card (${refuses})`,
    { tag: "@long" },
    async ({ page, stage }) => {
      await call(page, stage.url({ after: "1", refuses }));
      await expect(result(page)).toContainText("elicitation_result");
      await answer(page);
      await expect.poll(() => stage.booked).toEqual(["Rua Augusta 1"]);
      await page.getByRole("button", { name: "Wait" }).click();
      await expect(page.locator("#waited")).toContainText("Booked express to Rua Augusta 1.");
    },
  );
}

for (const after of [false, true]) {
  test(
    `the model gets the result from AppRenderer of mcp-ui, which takes none from the card (view ${after ? "after" : "during"} the call)`,
    { tag: after ? [] : "@long" },
    async ({ page, stage }) => {
      await call(page, stage.url({ page: "/renderer", ...(after && { after: "1" }) }));
      const card = page.frameLocator("iframe").frameLocator("iframe[title=View]");
      if (after) await expect(result(page)).toContainText("elicitation_result");
      await card.getByRole("textbox", { name: "Street" }).fill("Rua Augusta 1");
      await card.getByRole("button", { name: "Send" }).click();
      await card.getByRole("radio", { name: "express" }).check();
      await card.getByRole("button", { name: "Send" }).click();
      await expect.poll(() => stage.booked).toEqual(["Rua Augusta 1"]);
      if (after) await page.getByRole("button", { name: "Wait" }).click();
      await expect(page.locator(after ? "#waited" : "#result")).toContainText(
        "Booked express to Rua Augusta 1.",
      );
    },
  );
}

test.describe("a call that reaches its time limit", () => {
  // A fast clock: 45 seconds take 18.
  test.use({ pace: 0.4 });

  test(
    "is handed over to the card while the user types, and the input stays",
    { tag: "@long" },
    async ({ page, stage }) => {
      await call(page, stage.url());
      const street = view(page).getByRole("textbox", { name: "Street" });
      await street.fill("Rua Augusta");
      await expect(result(page)).toContainText("elicitation_result");
      await expect(street).toHaveValue("Rua Augusta");
      await answer(page);
      await expect(page.locator("#messages")).toContainText("Booked express to Rua Augusta 1.");
      expect(stage.booked).toEqual(["Rua Augusta 1"]);
    },
  );
});

for (const era of ["2025-11-25", "2026-07-28"]) {
  test(
    `a host that supports elicitation shows the card for its forms, in MCP ${era}`,
    { tag: era === "2025-11-25" ? "@long" : [] },
    async ({ page, stage }) => {
      await call(page, stage.url({ "own-forms": "1", era }));
      await answer(page);
      await expect(result(page)).toContainText("Booked express to Rua Augusta 1.");
      expect(stage.booked).toEqual(["Rua Augusta 1"]);
    },
  );
}

test(
  "the card uses the host's language, theme and legible colours",
  { tag: "@long" },
  async ({ page, stage }) => {
    const variables = {
      "--color-background-primary": "light-dark(#fff, #202020)",
      "--color-text-primary": "light-dark(#111, #eee)",
      "--color-background-inverse": "#777",
      "--color-text-inverse": "#888",
    };
    await call(page, stage.url({ locale: "de-DE", theme: "dark", variables: JSON.stringify(variables) }));
    await expect(view(page).getByRole("button", { name: "Absenden" })).toBeVisible();
    const token = (name: string) =>
      view(page)
        .locator("html")
        .evaluate((html, of) => html.style.getPropertyValue(of), name);
    expect(await token("--elicit-surface")).toBe("light-dark(#fff, #202020)");
    // An illegible pair is left out.
    expect(await token("--elicit-accent")).toBe("");
    for (const [locale, lang, dir] of [
      ["ar-EG", "ar", "rtl"],
      ["ja", "ja", "ltr"],
      ["pt-BR", "en", "ltr"],
    ] as const) {
      await call(page, stage.url({ locale }));
      await expect(view(page).getByRole("textbox", { name: "Street" })).toBeVisible();
      await expect(view(page).locator("html")).toHaveAttribute("lang", lang);
      await expect(view(page).locator("html")).toHaveAttribute("dir", dir);
    }
  },
);

test("the card has no axe violation in either theme, and can be answered with the keyboard", async ({
  page,
  stage,
}) => {
  for (const theme of ["light", "dark"]) {
    await call(page, stage.url({ theme }));
    const street = view(page).getByRole("textbox", { name: "Street" });
    await expect(street).toBeVisible();
    const title = view(page)
      .locator("html")
      .evaluate(({ ownerDocument }) => ownerDocument.title);
    expect(await title).toBe("Your answer is needed");
    const frame = page.frames().at(-1);
    // The card is in the page of a host, among the host's headings, so its own is an <h3>.
    expect(frame && (await violations(frame, ["page-has-heading-one"]))).toEqual([]);
    await street.focus();
    await page.keyboard.type("Rua Augusta 1");
    await page.keyboard.press("Enter");
    await view(page).getByRole("radio", { name: "express" }).focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await expect(result(page)).toContainText("Booked express to Rua Augusta 1.");
  }
});

test(
  "the card has a control for each kind of question, and the tool gets every answer",
  { tag: "@long" },
  async ({ page, stage }) => {
    await call(page, stage.url({ tool: "survey" }));
    const card = view(page);
    for (const [name, value] of [
      ["City", "Lisbon"],
      ["Story", "It began long ago."],
      ["Email", "ada@example.com"],
      ["Site", "https://example.com/"],
      ["Day", "2026-11-21"],
      ["Start", "2026-11-21T09:30"],
      ["Price", "12.5"],
    ] as const)
      await card.getByLabel(name, { exact: true }).fill(value);
    await card.getByRole("combobox", { name: "Time zone" }).selectOption("UTC");
    await card.getByRole("button", { name: "One more" }).click();
    await card.getByRole("button", { name: "One more" }).click();
    await pick(card.getByRole("radiogroup", { name: "Smoking" }).getByRole("radio", { name: "No" }));
    await card.getByRole("checkbox", { name: "News" }).check();
    await pick(card.getByRole("radio", { name: "back" }));
    await card.getByRole("combobox", { name: "Month" }).selectOption("C");
    await card.getByRole("searchbox").fill("S");
    await pick(card.getByRole("radio", { name: "S", exact: true }));
    for (const name of ["bread", "wine"]) await pick(card.getByRole("checkbox", { name }));
    await card.getByRole("button", { name: "Send" }).click();
    await expect(result(page)).toContainText("accepted");
    const [{ text }] = JSON.parse((await result(page).textContent()) ?? "");
    expect(JSON.parse(text).value).toEqual({
      city: "Lisbon",
      story: "It began long ago.",
      email: "ada@example.com",
      site: "https://example.com/",
      day: "2026-11-21",
      start: "2026-11-21T09:30:00Z",
      guests: 2,
      price: 12.5,
      smoking: false,
      news: true,
      row: "back",
      month: "C",
      land: "S",
      extras: ["bread", "wine"],
    });
  },
);

test("the card is one file without other resources, which strict hosts accept", async ({ page, stage }) => {
  const refused: string[] = [];
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) refused.push(message.text());
  });
  await page.setViewportSize({ width: 320, height: 900 });
  await call(page, stage.url());
  await expect(view(page).getByRole("textbox", { name: "Street" })).toBeVisible();
  const overflow = await view(page)
    .locator("html")
    .evaluate((html) => html.scrollWidth - html.clientWidth);
  expect(overflow).toBe(0);
  expect(refused).toEqual([]);
  const html = await page.locator("iframe").getAttribute("srcdoc");
  const bytes = Buffer.from(html ?? "");
  // Hosts refuse views of more than a megabyte, and phones load this one for each call.
  expect(bytes.length).toBeLessThan(292_000);
});

/** Selects an option. A search still re-renders its list for a moment, so an early press could be lost. */
async function pick(option: Locator): Promise<void> {
  await expect(async () => {
    await option.click({ force: true });
    await expect(option).toBeChecked({ timeout: 500 });
  }).toPass();
}
