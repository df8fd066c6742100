import "elicit-kit/styles.css";
import styles from "elicit-kit/styles.css?inline";
import { Elicitations } from "elicit-kit";
import type { ReactNode } from "react";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { cdp, userEvent } from "vitest/browser";
import {
  CONVERSATION,
  createScript,
  type Script,
  type ScriptOptions,
} from "../../src/client/testing/scripted-client.ts";
import { formRequest, urlRequest } from "../../src/contract/testing/requests.ts";
import { lateForm } from "../../src/react/elicitations/lazy-cards.ts";
import { mount } from "./mount.ts";

async function reduceMotion(value: "reduce" | "no-preference"): Promise<void> {
  const session = cdp() as unknown as { send(method: string, params: object): Promise<unknown> };
  const features = [{ name: "prefers-reduced-motion", value }];
  await session.send("Emulation.setEmulatedMedia", { features });
}

beforeEach(() => reduceMotion("no-preference"));
afterEach(() => reduceMotion("reduce"));

const isOver = (card: HTMLElement) => card.dataset["over"] !== undefined;

interface Stage {
  readonly script: Script;
  readonly card: HTMLElement;
  readonly below: Element;
}

/** Shows one card with a line of text below it, also in a shadow root, and waits until it stands still. */
async function showCard(options: ScriptOptions, inShadow = false): Promise<Stage> {
  const script = createScript(options);
  const content = (
    <>
      <Elicitations client={script.client} conversationId={CONVERSATION} />
      <p>Found one.</p>
    </>
  );
  const place = inShadow ? mountInShadow(content) : mount(content, "480px");
  const isForm = options.requests?.[0]?.mode === "form";
  await expect
    .poll(() => place.querySelector(`[data-elicitation] ${isForm ? "input" : "button"}`))
    .toBeTruthy();
  const card = place.querySelector<HTMLElement>("[data-elicitation]")!;
  // The code of the animation is loaded once for all cards. The first frames after it measure the card.
  await import("../../src/react/prompt/receipt-motion.ts");
  await expect.poll(() => card.getAnimations().length).toBe(0);
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  return { script, card, below: place.querySelector(":scope > p")! };
}

function mountInShadow(content: ReactNode): HTMLElement {
  const host = document.createElement("div");
  const shadow = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  shadow.adoptedStyleSheets = [sheet];
  document.body.append(host);
  onTestFinished(() => host.remove());
  return mount(content, "480px", shadow);
}

/** How much of a text can be seen, from 0 to 1: its opacity and that of everything around it, in the card. */
function visibility(text: Element, card: Element): number {
  let sum = 1;
  for (let at: Element | null = text; at !== null && card.contains(at); at = at.parentElement) {
    const { opacity, clipPath, visibility: shown } = getComputedStyle(at);
    sum *= clipPath !== "none" || shown === "hidden" ? 0 : Number(opacity);
  }
  return text.checkVisibility() ? sum : 0;
}

/** The words of the card that can be seen in the current frame, with their visibility. */
function seen(card: HTMLElement): readonly number[] {
  const box = card.getBoundingClientRect();
  return [...card.querySelectorAll("h3, label, button, p, summary")]
    .filter((text) => text.getBoundingClientRect().top < box.bottom && text.textContent !== "")
    .map((text) => visibility(text, card));
}

interface Frame {
  readonly most: number;
  readonly below: number;
  readonly isOver: boolean;
  readonly focus: Element | null;
}

/** Looks at each painted frame until the card is a receipt that stands still. */
async function watchFrames({ card, below }: Stage, act: () => unknown): Promise<readonly Frame[]> {
  const frames: Frame[] = [];
  const root = card.getRootNode() as Document | ShadowRoot;
  const look = () =>
    frames.push({
      most: Math.max(0, ...seen(card)),
      below: below.getBoundingClientRect().top,
      isOver: isOver(card),
      focus: root.activeElement,
    });
  const watch = async () => {
    do {
      await new Promise(requestAnimationFrame);
      look();
    } while (!isOver(card) || card.getAnimations({ subtree: true }).length > 0);
  };
  look();
  await Promise.all([watch(), act()]);
  look();
  return frames;
}

const FORM = { requests: [formRequest()] };
const LINK = { requests: [urlRequest()] };

/** Holds the code of forms back, also if an earlier test has loaded it. Returns a function that lets it arrive. */
async function holdForms(): Promise<() => void> {
  await lateForm.load();
  const listeners = new Set<() => void>();
  const now = vi.spyOn(lateForm, "now").mockReturnValue("loading");
  const subscribe = vi.spyOn(lateForm, "subscribe").mockImplementation((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  });
  onTestFinished(() => subscribe.mockRestore());
  return () => {
    now.mockRestore();
    for (const listener of listeners) listener();
  };
}

it("a card fades in once, also if its questions load later", async () => {
  const arrive = await holdForms();
  const script = createScript({});
  const place = mount(<Elicitations client={script.client} conversationId={CONVERSATION} />, "480px");
  const fades: (string | undefined)[] = [];
  place.addEventListener("animationstart", ({ target, animationName }) => {
    if (animationName !== "elicit-arrive" || !(target instanceof HTMLElement)) return;
    fades.push(target.dataset["elicitation"]);
  });
  script.ask(formRequest());
  await expect.poll(() => fades).toEqual(["form-1"]);
  expect(place.textContent).toContain("Loading the form…");
  arrive();
  await expect.poll(() => place.querySelector("[data-elicitation] input")).toBeTruthy();
  // Events come in the order of their frames.
  script.ask(formRequest({ elicitationId: "form-2" }));
  await expect.poll(() => fades).toContain("form-2");
  expect(fades).toEqual(["form-1", "form-2"]);
});

describe("a card that becomes a receipt", () => {
  it.each([
    ["a form", FORM, false],
    ["a link in a shadow root", LINK, true],
  ])("shows words in each frame: %s", async (_name, options, inShadow) => {
    const stage = await showCard(options, inShadow);
    const id = stage.card.dataset["elicitation"]!;
    const frames = await watchFrames(stage, () => stage.script.client.decline(id));
    expect(frames.filter(({ isOver: over }) => over).length).toBeGreaterThan(1);
    expect(Math.min(...frames.map(({ most }) => most))).toBeGreaterThan(0.2);
    expect(frames.at(-1)!.most).toBe(1);
    expect(stage.card.querySelector("[inert]")).toBeNull();
  });

  it("lets its rows fade from where they were, and the line comes before they are gone", async () => {
    const { script, card } = await showCard(FORM);
    const places = () =>
      [...card.querySelectorAll(":is(.elicit-title, label, input, .elicit-actions)")].map(placeOf);
    const before = places();
    const paused = pausedAtTheEnd(card);
    void script.client.decline("form-1");
    const motions = await paused;
    const ghost = card.querySelector<HTMLElement>("[inert]")!;
    expect(
      [...ghost.querySelectorAll(":is(.elicit-title, label, input, .elicit-actions)")].map(placeOf),
    ).toEqual(before);
    const at = (ms: number) => {
      for (const motion of motions) motion.currentTime = ms;
      const receipt = card.querySelector(".elicit-receipt")!;
      return [visibility(ghost, card), visibility(receipt, card)] as const;
    };
    expect(at(0)).toEqual([1, 0.01]);
    const [rows, line] = at(90);
    expect(rows).toBeGreaterThan(0.1);
    expect(line).toBeGreaterThan(0.1);
    expect(at(120)[0]).toBe(0);
    for (const motion of motions) motion.finish();
    await expect.poll(() => card.querySelector("[inert]")).toBeNull();
    expect(card.getBoundingClientRect().height).toBeLessThan(30);
  });

  it("lets the content below follow its height, without a jump", async () => {
    const { script, card, below } = await showCard(FORM);
    const place = () => below.getBoundingClientRect().top;
    const before = place();
    const paused = pausedAtTheEnd(card);
    void script.client.decline("form-1");
    const motions = await paused;
    const frames = Array.from({ length: 12 }, (_, index) => {
      for (const motion of motions) motion.currentTime = (index * 1000) / 60;
      return place();
    });
    for (const motion of motions) motion.finish();
    const after = place();
    const way = before - after;
    expect(way).toBeGreaterThan(100);
    expect(frames[0]).toBeCloseTo(before, 0);
    expect(frames.at(-1)).toBeCloseTo(after, 0);
    const steps = frames.slice(1).map((top, index) => frames[index]! - top);
    expect(Math.max(...steps)).toBeLessThan(way / 3);
  });

  it.each([false, true])(
    "leaves the focus on the pressed button until the line has it (shadow root: %s)",
    async (inShadow) => {
      const stage = await showCard(LINK, inShadow);
      const decline = [...stage.card.querySelectorAll("button")].find(
        ({ textContent }) => textContent === "Decline",
      )!;
      decline.focus();
      const frames = await watchFrames(stage, () => userEvent.keyboard("{Enter}"));
      const title = stage.card.querySelector(".elicit-title");
      expect(new Set(frames.map(({ focus }) => focus))).toEqual(new Set([decline, title]));
    },
  );

  it("is its last frame at once with reduced motion", async () => {
    await reduceMotion("reduce");
    const stage = await showCard(FORM);
    const frames = await watchFrames(stage, () => stage.script.client.decline("form-1"));
    const over = frames.filter((frame) => frame.isOver);
    expect(new Set(over.map(({ below }) => below)).size).toBe(1);
    expect(over[0]!.most).toBe(1);
    expect(stage.card.querySelector("[inert]")).toBeNull();
  });
});

const placeOf = (element: Element) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { left, top, width, height };
};

/** The animations with which a card becomes a receipt, paused in its first frame: the speed of the machine does not matter. */
function pausedAtTheEnd(card: HTMLElement): Promise<readonly Animation[]> {
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      observer.disconnect();
      requestAnimationFrame(() => {
        // Sizes are reported after this frame's layout, and then the height begins to move.
        setTimeout(() => {
          const motions = card
            .getAnimations({ subtree: true })
            .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
          for (const motion of motions) motion.pause();
          resolve(motions);
        });
      });
    });
    observer.observe(card, { attributeFilter: ["data-over"] });
  });
}
