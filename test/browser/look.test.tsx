import "elicit-kit/styles.css";
import { Elicitations, type Catalogue } from "elicit-kit";
import { ar } from "elicit-kit/catalogues/ar";
import { en } from "elicit-kit/catalogues/en";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, describe, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { CONVERSATION, createScript, formRequest } from "../../stories/scripted-client.ts";

let root: Root | undefined;
let container: HTMLElement | undefined;
afterEach(() => {
  root?.unmount();
  container?.remove();
  document.documentElement.removeAttribute("style");
});

const request = formRequest({
  requestedSchema: {
    type: "object",
    properties: {
      note: { type: "string", title: "Note" },
      departure: { type: "string", title: "Departure", format: "date-time" },
      size: { type: "string", title: "Size", enum: ["Small", "Large"] },
      news: { type: "boolean", title: "Send me offers" },
    },
  },
});

async function show(width: string, catalogue: Catalogue): Promise<HTMLElement> {
  const script = createScript({ requests: [request] });
  container = document.createElement("main");
  container.style.inlineSize = width;
  document.body.append(container);
  root = createRoot(container);
  root.render(<Elicitations client={script.client} conversationId={CONVERSATION} catalogue={catalogue} />);
  const card = page.getByRole("group", { name: catalogue.title("form", undefined) });
  await expect.element(card).toBeVisible();
  return container;
}

describe("the form", () => {
  it("stays within its card when text is half as large again", async () => {
    document.documentElement.style.fontSize = "24px";
    const chat = await show("375px", en);
    const card = chat.querySelector(".elicit-card")!;
    const edge = card.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(card).paddingRight);
    const sticking = [...card.querySelectorAll(".elicit-fields *")].filter(
      (element) => element.getBoundingClientRect().right > edge,
    );
    expect(sticking.map(({ outerHTML }) => outerHTML)).toEqual([]);
  });

  it("keeps an English question beside its control in an Arabic chat", async () => {
    const chat = await show("375px", ar);
    const text = document.createRange();
    text.selectNodeContents([...chat.querySelectorAll("label")].at(-1)!);
    const gap =
      chat.querySelector("input[type=checkbox]")!.getBoundingClientRect().left -
      text.getBoundingClientRect().right;
    expect(gap).toBeGreaterThan(0);
    expect(gap).toBeLessThan(24);
  });

  it("turns what is typed by its own letters, whatever the language of the chat", async () => {
    await show("375px", ar);
    const note = page.getByRole("textbox", { name: /^Note/ });
    await userEvent.fill(note, "Ring twice!");
    await expect.element(note).toHaveStyle({ direction: "ltr", textAlign: "right" });
    await userEvent.fill(note, "دق مرتين!");
    await expect.element(note).toHaveStyle({ direction: "rtl", textAlign: "right" });
  });
});
