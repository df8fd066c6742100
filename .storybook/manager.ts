import { addons } from "storybook/manager-api";
import { theme } from "./theme.ts";

// Without roots, the sidebar lists the documentation first, in the order of the pages.
addons.setConfig({ theme, sidebar: { showRoots: false } });
