import addonA11y from "@storybook/addon-a11y";
import addonDocs from "@storybook/addon-docs";
import { definePreview } from "@storybook/react-vite";
import { configure } from "storybook/test";
import { type Catalogue } from "elicit-kit";
import { en } from "elicit-kit/catalogues/en";
import { ar } from "../src/words/cards/ar.ts";
import { de } from "../src/words/cards/de.ts";
import { es } from "../src/words/cards/es.ts";
import { fr } from "../src/words/cards/fr.ts";
import { ja } from "../src/words/cards/ja.ts";
import { lateDesk } from "../src/client/late-desk.ts";
import { lateCards, lateDock, lateForm } from "../src/react/elicitations/lazy-cards.ts";
import { TOKENS_CSS } from "../src/look/tokens.ts";
import { patience } from "../test/patience.ts";
import { extractArgTypes } from "./props.ts";
import { showValues } from "./control-values.ts";
import { ThemedDocs } from "./themed-docs.tsx";
import "elicit-kit/styles.css";
import "elicit-kit/dock.css";
import "elicit-kit/inbox.css";
import "../demo/page/log.css";
import "./preview.css";

const tokens = document.createElement("style");
tokens.textContent = TOKENS_CSS;
document.head.prepend(tokens);

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
    // Nothing ever stands in these panels: stories call no callbacks, and their tests run in Vitest.
    actions: { disable: true },
    interactions: { disable: true },
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
            ["Quickstart", "You have a chat route", "Your auth", "The package"],
            "Ask",
            [
              "Ask from a tool",
              "Human in the loop: approve a tool call",
              "Use an answer again",
              "A sentence fills in a form",
              "Somebody else decides",
              "A page of your own",
              "Rules for agents",
            ],
            "Accounts",
            [
              "OAuth in chat: connect an account",
              "Connect GitHub",
              "Connect Google",
              "Connect Linear",
              "Connect Microsoft",
              "Connect Slack",
              "The hosted page",
              "MCP servers by their URL",
              "API keys",
              "Nango and other vaults",
            ],
            "Show",
            [
              "Options of useElicitation",
              "Theming",
              "Classes and states of the cards",
              "Languages and right-to-left",
              "Cards of your own",
              "The hook alone",
              "The inbox: questions of all conversations",
              "More time for a question",
              "Cards in a side panel",
              "A chat without the AI SDK",
              "Vue, Svelte and plain JavaScript",
              "A chat that survives a reload",
            ],
            "Protocols",
            [
              "MCP servers that ask",
              "Your agent as an MCP server",
              "Ask the user from your MCP server",
              "Cards in claude.ai and ChatGPT",
              "A browser client of MCP",
              "A2A",
              "AG-UI and CopilotKit",
              "ACP",
              "Slack",
              "Who may answer in Slack",
              "OpenAI-compatible agents",
              "Other protocols",
            ],
            "Run",
            [
              "The runtime",
              "Deploying",
              "More than one process",
              "Kubernetes and nginx",
              "Vercel",
              "Notify a user who is away",
              "The decision log",
              "The operator page",
              "Durable turns",
              "Telemetry",
            ],
            "Testing",
            ["The mock server", "A Slack for tests", "A server of your own"],
            "Help",
            ["Glossary", "Questions", "Troubleshooting", "Move to elicit-kit", "Comparison"],
            "The HTTP contract",
            "Reference",
            ["A first server", "The A2A extension", "Options of createRuntime", "Ports", "Limits"],
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
    theme: look === "dark" ? "dark" : "system",
    language: look === "rtl" ? "mirrored" : "en",
    width: look === "narrow" ? "320" : "full",
  },
  // On a slow machine, play functions could otherwise start before the cards have loaded.
  loaders: [() => Promise.all([lateDesk.load(), lateCards.load(), lateDock.load(), lateForm.load()])],
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
