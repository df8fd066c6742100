import { addons } from "storybook/manager-api";
import { theme } from "./theme.ts";

// Without roots the documentation stands first, where the order of the pages has it.
addons.setConfig({ theme, sidebar: { showRoots: false } });
