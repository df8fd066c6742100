import addonA11y from "@storybook/addon-a11y";
import addonDocs from "@storybook/addon-docs";
import { definePreview } from "@storybook/react-vite";
import "elicit-kit/styles.css";
import "./preview.css";

export default definePreview({
  addons: [addonDocs(), addonA11y()],
  parameters: { a11y: { test: "error" }, controls: { disable: true }, layout: "fullscreen" },
  tags: ["autodocs"],
  globalTypes: {
    theme: { toolbar: { title: "Theme", items: ["system", "light", "dark"], dynamicTitle: true } },
  },
  initialGlobals: { theme: "light" },
  decorators: [
    (Story, { globals }) => (
      <main data-theme={String(globals["theme"])}>
        <Story />
      </main>
    ),
  ],
});
