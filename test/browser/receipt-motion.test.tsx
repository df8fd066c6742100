import "elicit-kit/styles.css";
import { Elicitations } from "elicit-kit";
import { afterEach, expect, it } from "vitest";
import { cdp } from "vitest/browser";
import { CONVERSATION, createScript } from "../../src/client/testing/scripted-client.ts";
import { formRequest } from "../../src/contract/testing/requests.ts";
import { mount } from "./mount.ts";

async function reduceMotion(value: "reduce" | "no-preference"): Promise<void> {
  const session = cdp() as unknown as { send(method: string, params: object): Promise<unknown> };
  const features = [{ name: "prefers-reduced-motion", value }];
  await session.send("Emulation.setEmulatedMedia", { features });
}

afterEach(() => reduceMotion("reduce"));

/** Declines a form. Returns the positions of the text below it: before, and in each frame of the animation. */
async function placesBelow(): Promise<{ before: number; frames: readonly number[]; after: number }> {
  const script = createScript({ requests: [formRequest()] });
  const container = mount(
    <>
      <Elicitations client={script.client} conversationId={CONVERSATION} />
      <p>Found one.</p>
    </>,
    "480px",
  );
  await expect.poll(() => container.querySelector("input")).toBeTruthy();
  const below = container.querySelector(":scope > p")!;
  const card = container.querySelector<HTMLElement>("[data-elicitation]")!;
  await expect.poll(() => card.getAnimations().length).toBe(0);
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  const place = () => below.getBoundingClientRect().top;
  const before = place();
  // The animation is paused as soon as it begins, so that the speed of the machine does not matter.
  const started = new Promise<Animation | undefined>((resolve) => {
    const observer = new MutationObserver(() => {
      observer.disconnect();
      // Runs after the observer of the card, which starts the animation.
      queueMicrotask(() => {
        const motion = card.getAnimations().find(({ effect }) => isHeight(effect));
        motion?.pause();
        resolve(motion);
      });
    });
    observer.observe(card, { attributeFilter: ["data-over"] });
  });
  void script.client.decline("form-1");
  const motion = await started;
  const frames = Array.from({ length: 12 }, (_, index) => {
    if (motion) motion.currentTime = (index * 1000) / 60;
    return place();
  });
  motion?.cancel();
  return { before, frames, after: place() };
}

function isHeight(effect: AnimationEffect | null): boolean {
  return effect instanceof KeyframeEffect && effect.getKeyframes().some((frame) => "height" in frame);
}

it("content below a card follows its height when it becomes a receipt, without a jump", async () => {
  await reduceMotion("no-preference");
  const { before, frames, after } = await placesBelow();
  const way = before - after;
  expect(way).toBeGreaterThan(100);
  expect(frames[0]).toBeCloseTo(before, 0);
  expect(frames.at(-1)).toBeCloseTo(after, 0);
  const steps = frames.slice(1).map((place, index) => frames[index]! - place);
  expect(Math.max(...steps)).toBeLessThan(way / 3);
});

it("with reduced motion the receipt appears at once", async () => {
  const { frames, after } = await placesBelow();
  expect(frames[0]).toBe(after);
});
