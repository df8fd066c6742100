import { readFileSync } from "node:fs";
import type { TurnTimeline } from "elicit-kit/runtime";
import { expect, test } from "vitest";
import { drawTimeline } from "./timeline.ts";

/** A turn that connects an account and asks for a flight at the same time. */
const BOTH: TurnTimeline = {
  from: 0,
  to: 31_400,
  waits: [
    {
      elicitationId: "a",
      message: "To go on, the assistant needs access to your Tracker account.",
      from: 1_200,
      to: 18_900,
      outcome: "accepted",
    },
    {
      elicitationId: "b",
      message: "I need a few details to book your flight.",
      from: 1_300,
      to: 29_800,
      outcome: "declined",
    },
  ],
};

test("the picture of the docs is what the demo draws", () => {
  const picture = new URL("../../docs/images/timeline.svg", import.meta.url);
  expect(drawTimeline(BOTH)).toBe(readFileSync(picture, "utf8"));
});

test("what a request says is text in the picture, whatever it looks like", () => {
  const [wait] = BOTH.waits;
  const drawn = drawTimeline({ ...BOTH, waits: [{ ...wait!, message: '</text><script>"x"</script>' }] });
  expect(drawn).not.toContain("<script");
  expect(drawn).toContain("&#60;script&#62;");
});

test("a turn without a request is one bar", () => {
  expect(drawTimeline({ from: 5, to: 5, waits: [] }).match(/<rect fill/g)).toHaveLength(1);
});
