import { create } from "storybook/theming";

/** Storybook with the fonts and colours of the cards. */
export const theme = create({
  base: "light",
  brandTitle: "elicit-kit",
  brandTarget: "_self",
  fontBase: 'Inter, system-ui, -apple-system, "Segoe UI", sans-serif',
  fontCode: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  colorPrimary: "#18181b",
  colorSecondary: "#3f51c7",
  appBg: "#fafafa",
  appBorderColor: "#e4e4e7",
  appBorderRadius: 10,
  textColor: "#18181b",
  textMutedColor: "#5c5c66",
  barTextColor: "#5c5c66",
  inputBorderRadius: 8,
});
