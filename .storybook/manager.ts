import { addons } from "storybook/manager-api";
import { darkTheme, theme } from "./theme.ts";

/** Stories without controls: whole pages, which an empty panel would only make smaller. */
const WITHOUT_PANEL = /^(?:playground|pages|guides|cards-all-states|journeys-(?!in-a-chat))/;

// Without roots, the sidebar lists the documentation first, in the order of the pages.
addons.setConfig({
  theme: matchMedia("(prefers-color-scheme: dark)").matches ? darkTheme : theme,
  sidebar: {
    showRoots: false,
    // "Window Closed", made from the name of an export, becomes "Window closed". Names with capitals of their own stay.
    renderLabel: ({ type, name }) =>
      type === "story" ? name.replaceAll(/ [A-Z](?=[a-z ])/g, (letter) => letter.toLowerCase()) : name,
  },
  layoutCustomisations: {
    showPanel: ({ storyId }, shown) => (WITHOUT_PANEL.test(storyId ?? "") ? false : shown),
  },
});
