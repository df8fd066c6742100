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

export const All = meta.story({});

// For the tests only: axe finds no violation in any state in any look of the toolbar.
export const Dark = All.extend({ ...dark, tags: ["!dev"] });
export const Rtl = All.extend({ ...rtl, tags: ["!dev"] });
export const Narrow = All.extend({ ...narrow, tags: ["!dev"] });
