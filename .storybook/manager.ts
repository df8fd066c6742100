import { addons } from "storybook/manager-api";
import { theme } from "./theme.ts";

/** Nothing to control and nothing to check stands in its panel. */
const WITHOUT_PANEL: readonly (string | undefined)[] = ["playground--chat"];

// Without roots, the sidebar lists the documentation first, in the order of the pages.
addons.setConfig({
  theme,
  sidebar: { showRoots: false },
  layoutCustomisations: {
    showPanel: ({ storyId }, shown) => (WITHOUT_PANEL.includes(storyId) ? false : shown),
  },
});
