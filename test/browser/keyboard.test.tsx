import "elicit-kit/styles.css";
import { Elicitations } from "elicit-kit";
import { ElicitationDialog } from "elicit-kit/dialog";
import { describe, expect, it } from "vitest";
import { userEvent } from "vitest/browser";
import { ChannelError } from "../../src/client/channel.ts";
import { offline } from "../../src/client/testing/fake-channel.ts";
import {
  CONVERSATION,
  createScript,
  type Script,
  type ScriptOptions,
} from "../../src/client/testing/scripted-client.ts";
import { formRequest, question, urlRequest } from "../../src/contract/testing/requests.ts";
import { lateCards, lateForm } from "../../src/react/elicitations/lazy-cards.ts";
import { accessibilityTree, announced, focused } from "./accessibility-tree.ts";
import { mount } from "./mount.ts";

let container: HTMLElement;

async function show(options: ScriptOptions, Part = Elicitations): Promise<Script> {
  // A control that appears while a test presses Tab would move the focus.
  await Promise.all([lateCards.load(), lateForm.load()]);
  const script = createScript(options);
  container = mount(
    <>
      <label>
        Message <textarea />
      </label>
      <Part client={script.client} conversationId={CONVERSATION} />
    </>,
  );
  await expect.poll(() => container.querySelector("textarea")).toBeTruthy();
  return script;
}

const press = (keys: string) => userEvent.keyboard(keys);

/**
 * Presses Tab until the element has the focus, as a user without a mouse does. A heading is no stop of Tab: the card gives
 * it the focus when a control has disappeared.
 */
async function tabTo(wanted: string): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < 30; presses++) {
    await press("{Tab}");
    const now = await focused();
    if (now === wanted) return;
    passed.push(now);
    if (now.startsWith("heading ")) break;
  }
  throw new Error(`Tab never came to "${wanted}", only to: ${passed.join(", ")}`);
}

describe("with the keyboard alone, a user", () => {
  it("connects an account: opens the page, returns, finishes", async () => {
    // The tests run in a frame. A card takes the focus only if the user is in its frame.
    window.focus();
    const script = await show({ requests: [urlRequest()] });
    await expect.poll(focused).toBe("heading Connect your account");
    await tabTo("button Connect");
    await press("{Enter}");
    expect(script.visited).toEqual([urlRequest().url]);
    await expect.poll(announced).toBe("Finish in the window that opened.");
    expect(await focused()).toBe("button Show window");
    await press("{Tab}");
    expect(await focused()).toBe("button I’ve finished");
    await press(" ");
    await expect.poll(announced).toBe("Connected.");
    expect(script.sent).toMatchObject([{ action: "accept" }]);
    expect(await focused()).toBe("heading Connect your account");
  });

  it("opens the page by a link when the browser blocks the window", async () => {
    await show({ requests: [urlRequest()], popupsBlocked: true });
    await tabTo("button Connect");
    await press("{Enter}");
    await expect.poll(announced).toBe("Your browser did not open the window.");
    await tabTo("link Open in a new tab");
    await tabTo("link Continue in this tab");
  });

  it.each([
    ["button Decline", "{Enter}", "decline", "You declined."],
    ["button Not now", " ", "cancel", "Dismissed."],
    ["button Copy", "{Escape}", "cancel", "Dismissed."],
  ])("ends the request from the %s with the key %s", async (place, key, action, receipt) => {
    const script = await show({ requests: [urlRequest()] });
    await tabTo(place);
    await press(key);
    await expect.poll(announced).toBe(receipt);
    expect(script.sent).toMatchObject([{ action }]);
  });

  it("fills in every kind of control and submits", async () => {
    const script = await show({
      requests: [
        formRequest({
          context: {
            trigger: "tool",
            layout: "form",
            fields: { nights: { control: "slider" }, stars: { control: "rating" } },
          },
          requestedSchema: {
            type: "object",
            properties: {
              name: { type: "string", title: "Name" },
              nights: { type: "integer", title: "Nights", minimum: 1, maximum: 9 },
              stars: { type: "integer", title: "Stars", minimum: 1, maximum: 5 },
              late: { type: "boolean", title: "Late arrival" },
              room: { type: "string", title: "Room", enum: ["single", "double", "suite"] },
              bed: { type: "string", title: "Bed", enum: ["a", "b", "c", "d", "e", "f"] },
              extras: {
                type: "array",
                title: "Extras",
                items: { type: "string", enum: ["breakfast", "parking"] },
                maxItems: 2,
              },
            },
            required: ["name"],
          },
        }),
      ],
    });
    await tabTo("textbox Name");
    await press("Ana");
    await tabTo("slider Nights");
    await press("{ArrowRight}{ArrowRight}");
    await tabTo("radio 1");
    await press(" {ArrowRight}{ArrowRight}{ArrowRight}");
    await tabTo("checkbox Late arrival");
    await press(" ");
    await tabTo("radio single");
    await press(" {ArrowDown}");
    await tabTo("combobox Bed");
    await press("c");
    await tabTo("checkbox parking");
    await press(" ");
    await tabTo("button Send");
    await press("{Enter}");
    await expect.poll(announced).toBe("Sent.");
    expect(script.sent[0]?.content).toEqual({
      name: "Ana",
      nights: 3,
      stars: 4,
      late: true,
      room: "double",
      bed: "c",
      extras: ["parking"],
    });
  });

  it.each([
    ["textbox When", "noon", { type: "string" }],
    ["textbox When", "long", { type: "string", maxLength: 2000 }],
    ["textbox When", "12", { type: "integer" }],
    ["radio a", " ", { type: "string", enum: ["a", "b"] }],
    ["combobox When", "b", { type: "string", enum: [..."abcdefghi"] }],
  ])(
    "moves from the %s to the next with Tab after typing %s, and back with Shift+Tab",
    async (place, keys, schema) => {
      const script = await show({
        requests: [
          formRequest({
            requestedSchema: {
              type: "object",
              properties: { value: { ...schema, title: "When" }, last: { type: "string", title: "Last" } },
              required: ["value", "last"],
            },
          }),
        ],
      });
      await tabTo(place);
      await press(keys);
      await press("{Tab}");
      expect(await focused()).toBe("textbox Last");
      await press("x{Shift>}{Tab}{/Shift}");
      expect(await focused()).toBe(place);
      expect(script.sent).toEqual([]);
    },
  );

  it("corrects an error: the field gets the focus and describes the error", async () => {
    const script = await show({ requests: [formRequest()] });
    await tabTo("button Send");
    await press("{Enter}");
    await expect.poll(focused).toBe("textbox City");
    const field = (await accessibilityTree()).find(({ role, name }) => role === "textbox" && name === "City");
    expect(field).toMatchObject({
      description: "Please fill this in.",
      properties: { invalid: "true", required: true },
    });
    await press("Lisbon{Enter}");
    await expect.poll(announced).toBe("Sent.");
    expect(script.sent).toMatchObject([{ content: { city: "Lisbon" } }]);
  });

  it("retries an undelivered answer, and keeps the focus on the button", async () => {
    // The server asks for a long pause, so that only the user sends it again.
    const busy = () =>
      new ChannelError("not reached", { retryable: true, retryAfterMs: 60_000, cause: offline() });
    const script = await show({ requests: [formRequest()], respond: busy });
    await tabTo("textbox City");
    await press("Lisbon{Enter}");
    await expect.poll(announced).toContain("The server does not answer.");
    await tabTo("button Send again");
    await press("{Enter}");
    await expect.poll(() => script.sent).toHaveLength(2);
    await expect.poll(() => script.client.getSnapshot().items[0]?.status).toBe("undelivered");
    expect(await focused()).toBe("button Send again");
  });

  it.each(["date", "date-time"])("gets an error for half a %s, which is not dropped", async (format) => {
    const script = await show({ requests: [question({ type: "string", title: "When", format })] });
    await tabTo("spinbutton Month Month");
    await press("03{Enter}");
    const errors = () =>
      [...container.querySelectorAll(".elicit-error")].map(({ textContent }) => textContent);
    await expect.poll(errors).toEqual([expect.stringMatching(/^Please enter a date/)]);
    expect(script.sent).toEqual([]);
  });

  it.each([
    ["date", "120126", /^2026-12-01$/],
    ["date-time", "120126{ArrowRight}0930a", /^2026-12-01T09:30:00/],
  ])("gets an error for a year of two digits in a %s, until it has four", async (format, typed, sent) => {
    const script = await show({ requests: [question({ type: "string", title: "When", format }, true)] });
    await tabTo("spinbutton Month Month");
    await press(`${typed}{Enter}`);
    const errors = () =>
      [...container.querySelectorAll(".elicit-error")].map(({ textContent }) => textContent);
    await expect.poll(errors).toEqual([expect.stringMatching(/^Please enter a date/)]);
    expect(script.sent).toEqual([]);
    await tabTo("spinbutton Year Year");
    await press("2026{Enter}");
    await expect.poll(announced).toBe("Sent.");
    expect(script.sent[0]?.content?.["value"]).toMatch(sent);
  });

  it("filters a long list and selects from it", async () => {
    const cities = Array.from({ length: 200 }, (_, index) => `City ${index}`);
    const script = await show({
      requests: [question({ type: "string", title: "Where", enum: cities }, true)],
    });
    await tabTo("searchbox Search");
    await press("city 137");
    await tabTo("radio City 137");
    await press(" ");
    await tabTo("button Send");
    await press("{Enter}");
    await expect.poll(announced).toBe("Sent.");
    expect(script.sent[0]?.content).toEqual({ value: "City 137" });
  });

  it("moves through the results of a search with the arrow keys, which select", async () => {
    const cities = Array.from({ length: 20 }, (_, index) => `City ${index}`);
    await show({ requests: [question({ type: "string", title: "Where", enum: cities }, true)] });
    await tabTo("searchbox Search");
    await press("city 1{Tab}");
    const passed: string[] = [];
    for (let presses = 0; presses < 4; presses++) {
      await press("{ArrowDown}");
      passed.push(await focused());
    }
    expect(passed).toEqual(["radio City 10", "radio City 11", "radio City 12", "radio City 13"]);
  });

  it("confirms secrets before they are sent", async () => {
    const script = await show({
      requests: [
        formRequest({
          requestedSchema: {
            type: "object",
            properties: { password: { type: "string", title: "Password" } },
          },
        }),
      ],
    });
    await tabTo("textbox Password");
    await press("s3cret{Enter}");
    await expect.poll(focused).toBe("checkbox I want to share this");
    expect(script.sent).toEqual([]);
    await press(" ");
    await tabTo("button Send");
    await press("{Enter}");
    await expect.poll(announced).toBe("Sent.");
  });

  it.each([
    ["textbox When", "noon", { type: "string" }],
    // Chromium's own calendar and list: the first Escape closes them, the next one leaves the control.
    ["spinbutton Month Month", "03{Alt>}{ArrowDown}{/Alt}{Escape}", { type: "string", format: "date" }],
    ["combobox When", "b{Alt>}{ArrowDown}{/Alt}{Escape}", { type: "string", enum: [..."abcdef"] }],
    ["radio a", " ", { type: "string", enum: ["a", "b"] }],
  ])("leaves the %s with Escape, and is asked before the input is discarded", async (place, keys, schema) => {
    const script = await show({ requests: [question({ ...schema, title: "When" })] });
    await tabTo(place);
    await press(keys);
    await press("{Escape}");
    expect(document.activeElement?.getAttribute("data-field")).toBe("value");
    await press("{Escape}");
    await expect.poll(focused).toBe("button Keep editing");
    expect(script.sent).toEqual([]);
    await tabTo("button Discard");
    await press("{Enter}");
    await expect.poll(announced).toBe("Dismissed.");
    expect(script.sent).toMatchObject([{ action: "cancel" }]);
  });

  it("stays within the dialog, leaves it with Escape, and returns to the composer", async () => {
    const script = await show({}, ElicitationDialog);
    await userEvent.click(container.querySelector("textarea")!);
    script.ask(urlRequest());
    await expect.poll(focused).toBe("heading Connect your account");
    const names = new Set<string>();
    for (let presses = 0; presses < 8; presses++) {
      await press("{Tab}");
      names.add(await focused());
    }
    expect([...names]).toEqual(["button Not now", "button Copy", "button Connect", "button Decline"]);
    expect((await accessibilityTree()).some(({ name }) => name === "Message")).toBe(false);
    await press("{Escape}");
    await expect.poll(focused).toBe("textbox Message");
    await expect.poll(announced).toBe("Dismissed.");
  });
});

describe("for a screen reader", () => {
  it("a card is a named group, and its heading describes why the user is asked", async () => {
    await show({ requests: [urlRequest(), formRequest()] });
    await expect.poll(focused).toContain("heading");
    const spoken = (await accessibilityTree()).map(({ role, name }) => `${role} ${name}`);
    expect(spoken).toContain("group Connect your account");
    expect(spoken).toContain("group Where should the parcel go?");
    expect(spoken).toContain("group Link to auth.example.com");
    const heading = (await accessibilityTree()).find(({ role }) => role === "heading");
    expect(heading?.description).toBe("To list your repositories, GitHub needs your permission.");
  });

  it("a request that arrives while the user types is announced and does not take the focus", async () => {
    const script = await show({});
    await userEvent.click(container.querySelector("textarea")!);
    script.ask(formRequest());
    await expect.poll(announced).toBe("Where should the parcel go?");
    expect(await focused()).toBe("textbox Message");
  });
});
