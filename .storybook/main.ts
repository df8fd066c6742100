import { defineMain } from "@storybook/react-vite/node";
import { msw } from "msw/vite";
import { cardPage } from "../tools/card-page.ts";
import { sourceAlias } from "../tools/source-alias.mjs";

export default defineMain({
  framework: "@storybook/react-vite",
  stories: ["../stories/**/*.mdx", "../stories/**/*.stories.tsx"],
  addons: ["@storybook/addon-docs", "@storybook/addon-a11y", "@storybook/addon-vitest"],
  staticDirs: [
    { from: "../mock-server/connect.html", to: "/connect.html" },
    // Files that the guides show and link to. Storybook serves them under other paths: under their own paths, the
    // development server would return them as modules.
    { from: "../docs", to: "/files/docs" },
    { from: "../README.md", to: "/files/README.md" },
    { from: "../SECURITY.md", to: "/files/SECURITY.md" },
    { from: "../CHANGELOG.md", to: "/files/CHANGELOG.md" },
    { from: "../CONTRIBUTING.md", to: "/files/CONTRIBUTING.md" },
    { from: "../bench/RESULTS.md", to: "/files/bench/RESULTS.md" },
  ],
  // A story shows a state. Its tests (`Story.test`) start from that state.
  features: { experimentalTestSyntax: true, sidebarOnboardingChecklist: false },
  // The tests of stories are in no list: the tree is for readers.
  tags: { "test-fn": { defaultFilterSelection: "exclude" } },
  core: { disableTelemetry: true, disableWhatsNewNotifications: true, enableCrashReports: false },
  typescript: { reactDocgen: "react-docgen" },
  viteFinal: (config) => {
    // Storybook must not use the settings of the library build.
    delete config.build?.lib;
    delete config.build?.rolldownOptions;
    // Browsers that know `light-dark()`. Rewritten for older ones, it would not follow the theme of a story.
    const build = { ...config.build, cssTarget: ["chrome123", "firefox120", "safari17.5"] };
    const plugins = [...(config.plugins ?? []), cardPage, msw({ mode: "worker-only" })];
    return { ...config, build, plugins, resolve: { ...config.resolve, alias: sourceAlias } };
  },
});
