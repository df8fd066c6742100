import { defineMain } from "@storybook/react-vite/node";
import { msw } from "msw/vite";
import { sourceAlias } from "../tools/source-alias.mjs";

export default defineMain({
  framework: "@storybook/react-vite",
  stories: ["../stories/**/*.mdx", "../stories/**/*.stories.tsx"],
  addons: ["@storybook/addon-docs", "@storybook/addon-a11y", "@storybook/addon-vitest"],
  staticDirs: [
    { from: "../src/mock-server/connect.html", to: "/connect.html" },
    // What the guides show and lead to.
    { from: "../docs", to: "/docs" },
    { from: "../README.md", to: "/README.md" },
  ],
  core: { disableTelemetry: true, disableWhatsNewNotifications: true, enableCrashReports: false },
  typescript: { reactDocgen: "react-docgen" },
  viteFinal: (config) => {
    // The settings of the library build do not belong in the book.
    delete config.build?.lib;
    delete config.build?.rolldownOptions;
    const plugins = [...(config.plugins ?? []), msw({ mode: "worker-only" })];
    return { ...config, plugins, resolve: { ...config.resolve, alias: sourceAlias } };
  },
});
