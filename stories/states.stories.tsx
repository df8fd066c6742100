import { expect, waitFor } from "storybook/test";
import preview from "../.storybook/preview.tsx";
import { dark, narrow, rtl } from "./looks.ts";
import { States } from "./states.tsx";

/**
 * Both cards in all their states on one sheet. The toolbar switches it, like every story, to dark, right-to-left and
 * narrow.
 */
const meta = preview.meta({
  title: "Cards/All states",
  component: States,
  // The page shows the same card many times, each with the same name.
  parameters: { column: false, a11y: { config: { rules: [{ id: "landmark-unique", enabled: false }] } } },
});

// Named as its group, it stands in the tree without a group.
export const All = meta.story({ name: "All states" });

All.test("opens at its top, although a card with errors takes the focus", async ({ canvas }) => {
  await waitFor(() => expect(document.activeElement).toHaveAttribute("aria-invalid", "true"));
  await expect(canvas.getAllByText("Please fill this in.")).not.toHaveLength(0);
  await waitFor(() => expect(document.scrollingElement?.scrollTop).toBe(0));
});

// For the tests only: axe finds no violation in any state in any look of the toolbar.
export const Dark = All.extend({ ...dark, tags: ["!dev"] });
export const Rtl = All.extend({ ...rtl, tags: ["!dev"] });
export const Narrow = All.extend({ ...narrow, tags: ["!dev"] });
