import "elicit-kit/styles.css";
import axe from "axe-core";
import { Elicitations, type Catalogue } from "elicit-kit";
import { ChannelError } from "elicit-kit/client";
import { ar } from "elicit-kit/catalogues/ar";
import { de } from "elicit-kit/catalogues/de";
import { en } from "elicit-kit/catalogues/en";
import type { UrlElicitationRequest } from "elicit-kit/contract";
import { useState } from "react";
import { afterEach, describe, expect, it } from "vitest";
import { cdp, page, userEvent } from "vitest/browser";
import {
  CONVERSATION,
  createScript,
  type Script,
  type ScriptOptions,
} from "../../src/client/testing/scripted-client.ts";
import { formRequest, urlRequest } from "../../src/contract/testing/requests.ts";
import { mount } from "./mount.ts";

const html = document.documentElement;
afterEach(async () => {
  html.removeAttribute("style");
  html.removeAttribute("data-theme");
  await emulate();
  await touch(false);
});

/** Whether the user has a touch screen. */
async function touch(enabled: boolean): Promise<void> {
  await cdp().send("Emulation.setTouchEmulationEnabled", { enabled, maxTouchPoints: 1 });
}

/** System settings of the user: `{ "forced-colors": "active" }`. */
async function emulate(features: Readonly<Record<string, string>> = {}): Promise<void> {
  await cdp().send("Emulation.setEmulatedMedia", {
    features: Object.entries(features).map(([name, value]) => ({ name, value })),
  });
}

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8H0z" fill="#4f46e5"/></svg>',
)}`;
const request = (changes: Partial<UrlElicitationRequest> = {}) =>
  urlRequest({
    service: { name: "Tracker", iconDataUrl: icon },
    requester: { name: "Demo agent" },
    message: "To create the issue “Login bug”, it needs your Tracker account.",
    url: "https://auth.example.com/auth/connect?elicitationId=ndvITy_QLzi0vBuXK4m9Qw",
    ...changes,
  });
const local = request({ url: "http://127.0.0.1:4120/auth/connect?elicitationId=69cH6lr5fsj_ShDJsHAiQw" });
const lookalike = request({ service: undefined, url: "https://xn--80ak6aa92e.com/account/signin" });
const round = { id: "round-1", size: 2 };

interface Case extends ScriptOptions {
  start?: (script: Script) => void;
}

const offline = () =>
  Promise.reject(new ChannelError("not reached", { retryable: true, cause: new TypeError("offline") }));
const open = ({ client }: Script) => void client.connect("url-1");
const finish = (script: Script) => {
  open(script);
  void script.client.accept("url-1");
};

/** Every state of the card, and extreme requests. */
const CASES: Readonly<Record<string, Case>> = {
  asked: { requests: [request({ expiresAt: new Date(Date.now() + 110_000).toISOString() })] },
  "asked with a long reason": { requests: [request({ message: "First line.\nSecond line." })] },
  "asked by a third party": {
    requests: [request({ service: undefined, requester: { name: "Agent", claimedName: "GitHub" } })],
  },
  note: { requests: [local] },
  caution: { requests: [request({ url: "https://192.168.0.17:8443/login/oauth/authorize?client_id=a" })] },
  danger: { requests: [lookalike] },
  blocked: { requests: [request({ url: "https://accounts.example.com@evil.example/" })] },
  waiting: { requests: [request()], start: open },
  "waiting for another tab": { requests: [request()], start: ({ client }) => client.markOpened("url-1") },
  "blocked window": { requests: [request()], popupsBlocked: true, start: open },
  "not finished": {
    requests: [request()],
    respond: async () => [{ elicitationId: "url-1", kind: "pending" }],
    start: finish,
  },
  "provider error": {
    requests: [request({ progress: { status: "pending", lastError: "access_denied" } })],
  },
  sending: { requests: [request()], respond: () => new Promise(() => undefined), start: finish },
  undelivered: {
    requests: [request()],
    respond: offline,
    start: ({ client }) => void client.decline("url-1"),
  },
  "a round": { requests: [request({ round }), formRequest({ round })] },
  receipts: {
    requests: (["accepted", "declined", "cancelled", "expired", "withdrawn", "failed"] as const).map(
      (outcome) =>
        request({
          elicitationId: outcome,
          resolution: { outcome, at: "2026-11-21T12:00:00Z", reason: "the code was refused" },
        }),
    ),
  },
  "a name of 300 characters": {
    requests: [request({ service: { name: "x".repeat(300) }, requester: { name: "y".repeat(300) } })],
  },
  "a message of 8 KiB": { requests: [request({ message: "word ".repeat(1_638) })] },
  "a URL of 2,000 characters": {
    requests: [request({ url: `https://auth.example.com/${"a1b2".repeat(494)}` })],
  },
  "a long host": { requests: [request({ url: `https://${"tenant-of-a-customer.".repeat(8)}example.com/` })] },
  "six at once": {
    requests: [1, 2, 3, 4, 5, 6].map((index) => request({ elicitationId: `url-${index}` })),
  },
};

function Chat({ start, catalogue, ...options }: Case & { catalogue?: Catalogue | undefined }) {
  const [script] = useState(() => {
    const made = createScript(options);
    start?.(made);
    return made;
  });
  return <Elicitations client={script.client} conversationId={CONVERSATION} catalogue={catalogue} />;
}

async function show(
  shown: readonly Case[],
  width = "480px",
  catalogue: Catalogue = en,
): Promise<HTMLElement> {
  const container = mount(
    shown.map((options, index) => <Chat key={index} {...options} catalogue={catalogue} />),
    width,
  );
  await expect
    .poll(() => container.querySelectorAll(".elicit-card").length)
    .toBeGreaterThanOrEqual(shown.length);
  // A card fades in within 180 ms. Animations of intermediate states are cancelled.
  await Promise.allSettled(
    container
      .getAnimations({ subtree: true })
      .filter(ends)
      .map(({ finished }) => finished),
  );
  return container;
}

const ends = ({ effect }: Animation) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY;

/** Elements outside of the column, cards with two primary buttons, and axe violations including contrast. */
async function faultsOf(container: HTMLElement): Promise<string[]> {
  const { left, right } = container.getBoundingClientRect();
  const sticking = [...container.querySelectorAll(".elicit-card *")].filter((element) => {
    const box = element.getBoundingClientRect();
    return element.tagName !== "OUTPUT" && (box.right > right + 1 || box.left < left - 1);
  });
  const torn = [...container.querySelectorAll(".elicit-card")].filter(
    (card) => card.querySelectorAll(".elicit-primary, .elicit-fallback > :first-child").length > 1,
  );
  const { violations } = await axe.run(container);
  return [
    ...sticking.map(({ outerHTML }) => `sticks out: ${outerHTML}`),
    ...torn.map(({ outerHTML }) => `two primary buttons: ${outerHTML}`),
    ...violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`)),
  ];
}

describe("the connect card", () => {
  it.each([
    ["in a light chat", "480px", en, {}, ""],
    ["in a dark chat", "480px", en, { theme: "dark" }, ""],
    ["on a small phone, in German", "320px", de, { theme: "dark" }, ""],
    ["on a small phone, in Arabic", "320px", ar, {}, ""],
    ["on a small phone, with text twice as large", "320px", en, {}, "32px"],
    ["on a small phone, in Arabic, with text twice as large", "320px", ar, {}, "32px"],
  ] as const)("has no visual faults %s", async (_, width, catalogue, dataset, fontSize) => {
    Object.assign(html.dataset, { theme: "light" }, dataset);
    html.style.fontSize = fontSize;
    html.style.background = "theme" in dataset ? "#0f0f11" : "#f7f7f8";
    // Text that fades in has too little contrast for a moment.
    await emulate({ "prefers-reduced-motion": "reduce" });
    expect(await faultsOf(await show(Object.values(CASES), width, catalogue))).toEqual([]);
  });

  it("has no visual faults with high-contrast colours, where each button has a border", async () => {
    await emulate({ "forced-colors": "active", "prefers-reduced-motion": "reduce" });
    const container = await show(Object.values(CASES), "320px");
    expect(await faultsOf(container)).toEqual([]);
    const bare = [...container.querySelectorAll(".elicit-actions :is(button, a)")].filter(
      (button) => getComputedStyle(button).borderTopWidth === "0px",
    );
    expect(bare).toEqual([]);
    const tiles = [...container.querySelectorAll(".elicit-tile")];
    expect(tiles.map((tile) => getComputedStyle(tile).borderTopWidth)).toEqual(tiles.map(() => "1px"));
    const icons = [...container.querySelectorAll(".elicit-icon")].filter(
      (each) => getComputedStyle(each).color !== getComputedStyle(each.parentElement!).color,
    );
    expect(icons.map((each) => each.parentElement!.className)).toEqual([]);
  });

  it.each([
    ["with a URL of two lines and a reason of two lines", request()],
    ["with an address of this machine", local],
  ])("is at most 220 px high before the page is opened, %s", async (_, asked) => {
    const container = await show([{ requests: [asked] }]);
    const lines = (selector: string) => {
      const text = container.querySelector(selector)!;
      return Math.round(
        text.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(text).lineHeight),
      );
    };
    expect([lines(".elicit-lead"), lines(".elicit-url > bdi")]).toEqual([2, 2]);
    expect(container.querySelector(".elicit-card")!.getBoundingClientRect().height).toBeLessThanOrEqual(220);
  });

  it("is at most 125 px high while the page is open", async () => {
    const container = await show([CASES["waiting"]!]);
    expect(container.querySelector(".elicit-card")!.getBoundingClientRect().height).toBeLessThanOrEqual(125);
  });

  it("shows Decline first if the address imitates another one", async () => {
    const container = await show([{ requests: [lookalike] }]);
    await expect.element(page.getByText("This is not apple.com")).toBeVisible();
    const labels = [...container.querySelectorAll(".elicit-actions button")].map(
      ({ textContent }) => textContent,
    );
    expect(labels).toEqual(["Decline", "Connect anyway"]);
    const grounds = ["Decline", "Connect anyway"].map(
      (name) => getComputedStyle(page.getByRole("button", { name }).element()).backgroundColor,
    );
    expect(grounds[0]).not.toBe(grounds[1]);
    expect(grounds[1]).toBe("rgba(0, 0, 0, 0)");
  });

  it("keeps its buttons near below a URL of 2,000 characters, which can be read completely with the keyboard", async () => {
    const container = await show([CASES["a URL of 2,000 characters"]!], "320px");
    expect(container.getBoundingClientRect().height).toBeLessThan(600);
    const url = container.querySelector<HTMLElement>(".elicit-url > bdi")!;
    expect(url.textContent).toHaveLength(2_001);
    expect(url.scrollHeight).toBeGreaterThan(url.clientHeight);
    expect(url.tabIndex).toBe(0);
  });

  it.each([
    ["that is no image", "data:image/png;base64,AAAA"],
    ["that is too large", `data:image/png;base64,${"A".repeat(12_000)}`],
    ["from another host", "https://evil.example/icon.png"],
  ])("shows the first letter of the service instead of an icon %s", async (_, iconDataUrl) => {
    const container = await show([{ requests: [request({ service: { name: "„tracker“", iconDataUrl } })] }]);
    await expect.poll(() => container.querySelector(".elicit-tile")?.textContent).toBe("T");
    expect(container.querySelector("img")).toBeNull();
  });

  it("shows the icon of the service", async () => {
    const container = await show([{ requests: [request()] }]);
    const image = container.querySelector<HTMLImageElement>(".elicit-tile > img")!;
    await image.decode();
    expect(image.getBoundingClientRect()).toMatchObject({ width: 40, height: 40 });
  });

  it("has targets of 44 px on touch screens", async () => {
    await touch(true);
    const container = await show(Object.values(CASES), "320px");
    expect(matchMedia("(pointer: coarse)").matches).toBe(true);
    const small = [...container.querySelectorAll(".elicit-card :is(button, a)")].filter((target) => {
      const { width, height } = target.getBoundingClientRect();
      return width < 44 || height < 44;
    });
    expect(small.map(({ outerHTML }) => outerHTML.slice(0, 90))).toEqual([]);
  });

  it("animates only if the user has not requested reduced motion", async () => {
    const moving = async () => {
      const container = await show([CASES["waiting"]!]);
      return container.getAnimations({ subtree: true }).length;
    };
    await emulate({ "prefers-reduced-motion": "reduce" });
    expect(await moving()).toBe(0);
    await emulate({ "prefers-reduced-motion": "no-preference" });
    expect(await moving()).toBeGreaterThan(0);
  });

  it("does not collapse in a container that is as wide as its content", async () => {
    const container = await show([{ requests: [request()] }], "fit-content");
    expect(container.querySelector(".elicit-card")!.getBoundingClientRect().width).toBeGreaterThan(200);
  });

  it("stays in place under the pointer while its answer is being sent", async () => {
    await show([{ requests: [request()], respond: () => new Promise(() => undefined) }]);
    const decline = page.getByRole("button", { name: "Decline" });
    const before = decline.element().getBoundingClientRect();
    await userEvent.click(decline);
    await expect.element(page.getByText("Sending…", { exact: true }).first()).toBeVisible();
    expect(decline.element().getBoundingClientRect()).toEqual(before);
  });
});
