import addonA11y from "@storybook/addon-a11y";
import addonDocs from "@storybook/addon-docs";
import { definePreview } from "@storybook/react-vite";
import { configure } from "storybook/test";
import { en, type Catalogue } from "elicit-kit";
import { ar } from "../src/words/cards/ar.ts";
import { de } from "../src/words/cards/de.ts";
import { es } from "../src/words/cards/es.ts";
import { fr } from "../src/words/cards/fr.ts";
import { ja } from "../src/words/cards/ja.ts";
import { lateCards, lateForm } from "../src/react/elicitations/lazy-cards.ts";
import { patience } from "../test/patience.ts";
import { extractArgTypes } from "./props.ts";
import { showValues } from "./control-values.ts";
import { ThemedDocs } from "./themed-docs.tsx";
import "elicit-kit/styles.css";
import "./preview.css";

configure({ asyncUtilTimeout: patience.expect.poll.timeout });

/** The languages of the cards. The language also sets the text direction. */
const LANGUAGES: Readonly<Record<string, { title: string; catalogue: Catalogue }>> = {
  en: { title: "English", catalogue: en },
  ar: { title: "العربية", catalogue: ar },
  de: { title: "Deutsch", catalogue: de },
  es: { title: "Español", catalogue: es },
  fr: { title: "Français", catalogue: fr },
  ja: { title: "日本語", catalogue: ja },
  // The English texts from right to left, so that play functions can find them.
  mirrored: { title: "English, right to left", catalogue: { ...en, dir: "rtl" } },
};

/** With `STORYBOOK_LOOK=dark|rtl|narrow`, Storybook renders and tests every story in that look. */
const look: unknown = import.meta.env["STORYBOOK_LOOK"];

// Storybook's types do not declare the function that creates the rows of a props table.
const docs = { extractArgTypes, container: ThemedDocs, toc: { headingSelector: "h2" } };

export default definePreview({
  addons: [addonDocs(), addonA11y()],
  parameters: {
    a11y: { test: "error" },
    controls: { disable: true },
    docs,
    layout: "fullscreen",
    options: {
      storySort: {
        order: [
          "Welcome",
          "Playground",
          "Cards",
          [
            "All states",
            "Connect an account",
            "Fill in a form",
            "Several questions",
            "At the composer",
            "In a dialog",
            "Unusual requests",
          ],
          "Controls",
          "Journeys",
          "Pages",
          "Guides",
          [
            "Start",
            ["Quickstart", "AI SDK versions", "Own stream text", "Own route", "Package"],
            "Ask",
            ["From a tool", "Sentences", "Somebody else", "Pages", "Rules for agents"],
            "Accounts",
            ["Any tool", "Hosted page", "MCP sign in", "User servers", "MCP clients", "API keys", "Vaults"],
            "Show",
            ["Theming", "Own cards", "Hook", "Without react", "Reload"],
            "Protocols",
            [
              "MCP",
              "MCP server",
              "MCP tools",
              "Hosts without elicitation",
              "MCP page",
              "A2A",
              "A2A page",
              "A2A server",
              "AG-UI",
              "ACP",
              "Slack",
              "Slack users",
              "Slack own app",
              "OpenAI compatible",
              "Other protocols",
            ],
            "Reference",
            ["A2A extension", "First server"],
            "Run",
            [
              "Runtime",
              "Deploying",
              "Processes",
              "Vercel",
              "Notify",
              "Decision log",
              "Operator",
              "Durable",
              "Telemetry",
              "Ports",
              "Limits",
            ],
            "Testing",
            ["Mock server", "Slack", "Your server"],
            "Help",
            ["FAQ", "Troubleshooting", "Migrating", "Comparison"],
            "Contract",
            "Trust",
            ["Security", "Licences"],
          ],
        ],
      },
    },
  },
  globalTypes: {
    theme: {
      toolbar: { title: "Theme", icon: "contrast", items: ["system", "light", "dark"], dynamicTitle: true },
    },
    language: {
      toolbar: {
        title: "Language",
        icon: "globe",
        items: Object.entries(LANGUAGES).map(([value, { title }]) => ({ value, title })),
        dynamicTitle: true,
      },
    },
    width: {
      toolbar: {
        title: "Width",
        icon: "mobile",
        items: [
          { value: "full", title: "Full width" },
          { value: "320", title: "320 px" },
        ],
        dynamicTitle: true,
      },
    },
  },
  initialGlobals: {
    theme: look === "dark" ? "dark" : "light",
    language: look === "rtl" ? "mirrored" : "en",
    width: look === "narrow" ? "320" : "full",
  },
  // On a slow machine, play functions could otherwise start before the cards have loaded.
  loaders: [() => Promise.all([lateCards.load(), lateForm.load()])],
  argsEnhancers: [showValues],
  decorators: [
    (Story, { globals, args, parameters, viewMode }) => (
      <main
        // The heading styles of documentation pages must not apply to the cards.
        className="sb-unstyled"
        data-theme={String(globals["theme"])}
        data-width={String(globals["width"])}
        data-view={viewMode}
        data-column={parameters["column"] === false ? undefined : ""}
      >
        <Story
          args={{
            ...args,
            catalogue: args["catalogue"] ?? LANGUAGES[String(globals["language"])]?.catalogue,
          }}
        />
      </main>
    ),
  ],
});
