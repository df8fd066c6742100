import { addons } from "storybook/manager-api";
import { theme } from "./theme.ts";

// Without roots, the documentation comes first, in the order of the pages.
addons.setConfig({ theme, sidebar: { showRoots: false } });
