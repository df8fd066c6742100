import { create } from "storybook/theming";

/** Storybook with the fonts and colours of the cards. */
const common = {
  brandTitle: "elicit-kit",
  brandTarget: "_self",
  fontBase: 'Inter, system-ui, -apple-system, "Segoe UI", sans-serif',
  fontCode: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  appBorderRadius: 10,
  inputBorderRadius: 8,
};

export const theme = create({
  ...common,
  base: "light",
  colorPrimary: "#18181b",
  colorSecondary: "#3f51c7",
  appBg: "#fafafa",
  appBorderColor: "#e4e4e7",
  textColor: "#18181b",
  textMutedColor: "#5c5c66",
  barTextColor: "#5c5c66",
});

export const darkTheme = create({
  ...common,
  base: "dark",
  colorPrimary: "#f4f4f5",
  colorSecondary: "#a5b4fc",
  appBg: "#0f0f11",
  appContentBg: "#0f0f11",
  appPreviewBg: "#0f0f11",
  appBorderColor: "#303036",
  textColor: "#f4f4f5",
  textMutedColor: "#a8a8b3",
  barTextColor: "#a8a8b3",
});
