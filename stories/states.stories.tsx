import preview from "../.storybook/preview.tsx";
import { dark, narrow, rtl } from "./looks.ts";
import { States } from "./states.tsx";

/** Both cards in all their states on one sheet. The toolbar shows it, like every story, in the dark, from right to left, and narrow. */
const meta = preview.meta({
  title: "States",
  component: States,
  // The same card many times on one page has the same name each time.
  parameters: { a11y: { config: { rules: [{ id: "landmark-unique", enabled: false }] } } },
});

export const All = meta.story({});

// For the tests only: axe finds nothing in any state in any look of the toolbar.
export const Dark = All.extend({ ...dark, tags: ["!dev"] });
export const Rtl = All.extend({ ...rtl, tags: ["!dev"] });
export const Narrow = All.extend({ ...narrow, tags: ["!dev"] });
