import "elicit-kit/styles.css";
import "elicit-kit/dock.css";
import { afterEach, describe, expect, it } from "vitest";
import { cdp, page } from "vitest/browser";
import { CONVERSATION, createScript } from "../../src/client/testing/scripted-client.ts";
import { formRequest, urlRequest } from "../../src/contract/testing/requests.ts";
import { Docked } from "../../stories/examples/docked.tsx";
import { mount } from "./mount.ts";

async function touch(enabled: boolean): Promise<void> {
  await cdp().send("Emulation.setTouchEmulationEnabled", { enabled, maxTouchPoints: 1 });
}

afterEach(() => touch(false));

const text = { type: "string" } as const;
const form = formRequest({
  elicitationId: "trip",
  context: { trigger: "tool", layout: "form" },
  requestedSchema: {
    type: "object",
    title: "Flight to book",
    properties: { to: text, from: text, on: text, seat: text, meal: text, bags: text },
  },
});
const link = urlRequest({ elicitationId: "tracker", service: { name: "Tracker" } });

async function show(first: "form" | "link"): Promise<HTMLElement> {
  const requests = first === "form" ? [form, link] : [link, form];
  const { client } = createScript({ requests });
  const chat = mount(
    <div
      style={{ display: "grid", gridTemplateRows: "minmax(0, 1fr) auto", blockSize: "calc(100dvh - 16px)" }}
    >
      <Docked
        elicitation={{ client, conversationId: CONVERSATION }}
        messages={<p>Two questions first.</p>}
        composer={<textarea aria-label="Message" />}
      />
    </div>,
  );
  await expect.poll(() => chat.querySelectorAll(".elicit-dock form")).toHaveLength(1);
  return chat;
}

const shown = (chat: HTMLElement) => chat.querySelector<HTMLElement>(".elicit-dock > [data-shown]")!;

describe.each(["form", "link"] as const)("a %s at the composer", (first) => {
  it.each([
    ["on a desktop", 1280, 800],
    ["on a small phone", 320, 640],
  ])("keeps the conversation and its own buttons visible %s", async (_, width, height) => {
    await page.viewport(width, height);
    const chat = await show(first);
    const dock = chat.querySelector(".elicit-dock")!.getBoundingClientRect();
    expect(dock.height).toBeLessThanOrEqual(height * 0.6);
    expect(dock.bottom).toBeLessThanOrEqual(height);
    const lines = [...chat.querySelectorAll(".elicit-wait")].map((line) => line.getBoundingClientRect());
    for (const line of lines) expect(line.bottom).toBeLessThanOrEqual(dock.top);
    for (const button of shown(chat).querySelectorAll(".elicit-actions button, .elicit-close")) {
      const { top, bottom, left, width: wide, height: high } = button.getBoundingClientRect();
      expect(top).toBeGreaterThanOrEqual(dock.top);
      expect(bottom).toBeLessThanOrEqual(dock.bottom);
      expect(document.elementFromPoint(left + wide / 2, top + high / 2)?.closest("button")).toBe(button);
    }
    expect(document.documentElement.scrollWidth).toBe(width);
  });

  it("can be scrolled with text at 200 %, and does not extend beyond the page", async () => {
    await page.viewport(195, 390);
    const chat = await show(first);
    const dock = chat.querySelector(".elicit-dock")!;
    expect(dock.getBoundingClientRect().bottom).toBeLessThanOrEqual(390);
    expect(document.documentElement.scrollWidth).toBe(195);
    for (const button of dock.querySelectorAll<HTMLElement>("[data-shown] .elicit-actions button")) {
      button.focus();
      const { top, left, width, height } = button.getBoundingClientRect();
      expect(document.elementFromPoint(left + width / 2, top + height / 2)?.closest("button")).toBe(button);
    }
  });

  it("has controls for the other question beside its title on touch screens", async () => {
    await page.viewport(390, 780);
    await touch(true);
    const chat = await show(first);
    const [title, close] = [...shown(chat).querySelectorAll("h3, .elicit-close")];
    const words = document.createRange();
    words.selectNodeContents(title!);
    for (const button of chat.querySelectorAll(".elicit-turner > button")) {
      const place = button.getBoundingClientRect();
      expect(Math.min(place.width, place.height)).toBeGreaterThanOrEqual(44);
      expect(place.left).toBeGreaterThanOrEqual(words.getBoundingClientRect().right);
      expect(place.right).toBeLessThanOrEqual(close!.getBoundingClientRect().left);
    }
  });
});

it("the conversation does not scroll while the user switches to another question", async () => {
  await page.viewport(390, 780);
  const chat = await show("form");
  const places = () =>
    [...chat.querySelectorAll("[aria-label=Conversation] > *")].map(
      (item) => item.getBoundingClientRect().top,
    );
  const before = places();
  chat.querySelector<HTMLElement>(".elicit-turner > :last-child")!.click();
  await expect.poll(() => shown(chat).textContent).toContain("Connect Tracker");
  expect(places()).toEqual(before);
});
