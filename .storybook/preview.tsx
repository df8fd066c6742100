import addonA11y from "@storybook/addon-a11y";
import addonDocs from "@storybook/addon-docs";
import { definePreview } from "@storybook/react-vite";
import { configure } from "storybook/test";
import { en, type Catalogue } from "elicit-kit";
import { patience } from "../test/patience.ts";
import "elicit-kit/styles.css";
import "./preview.css";

configure({ asyncUtilTimeout: patience.expect.poll.timeout });

/** `STORYBOOK_LOOK=dark|rtl|narrow` shows, and tests, every story in that look. */
const look: unknown = import.meta.env["STORYBOOK_LOOK"];

export default definePreview({
  addons: [addonDocs(), addonA11y()],
  parameters: {
    a11y: { test: "error" },
    controls: { disable: true },
    layout: "fullscreen",
    options: {
      storySort: {
        order: [
          "Documentation",
          [
            "AI SDK",
            "Reload",
            "Own route",
            "OpenAI compatible",
            "Runtime",
            "Deploying",
            "Rules for agents",
            "Headless",
            "Theming",
            "Testing",
            "Security",
          ],
          "ConnectPrompt",
          "FormElicitation",
          "Elicitations",
          "ElicitationDialog",
          "Journeys",
          "One card, every protocol",
          "Guides",
        ],
      },
    },
  },
  tags: ["autodocs"],
  globalTypes: {
    theme: { toolbar: { title: "Theme", items: ["system", "light", "dark"], dynamicTitle: true } },
    dir: { toolbar: { title: "Direction", items: ["ltr", "rtl"], dynamicTitle: true } },
    width: { toolbar: { title: "Width", items: ["full", "320"], dynamicTitle: true } },
  },
  initialGlobals: {
    theme: look === "dark" ? "dark" : "light",
    dir: look === "rtl" ? "rtl" : "ltr",
    width: look === "narrow" ? "320" : "full",
  },
  decorators: [
    (Story, { globals, args }) => (
      <main data-theme={String(globals["theme"])} data-width={String(globals["width"])}>
        <Story args={globals["dir"] === "rtl" ? { ...args, catalogue: mirrored(args["catalogue"]) } : args} />
      </main>
    ),
  ],
});

/** The same words from right to left: what a play function looks for stays the same. */
function mirrored(catalogue: unknown): Catalogue {
  return { ...en, ...(typeof catalogue === "object" ? catalogue : {}), dir: "rtl" };
}
