import type { McpUiHostContext, McpUiStyles } from "@modelcontextprotocol/ext-apps/app-bridge";

/** This chat's own colours, which it also passes to views. */
const VARIABLES = {
  "--color-background-primary": "light-dark(#ffffff, #2a2926)",
  "--color-background-secondary": "light-dark(#f4f2ec, #33312d)",
  "--color-background-inverse": "light-dark(#205c8a, #9fcbee)",
  "--color-text-primary": "light-dark(#26241f, #eceae4)",
  "--color-text-secondary": "light-dark(#625d52, #b3aea2)",
  "--color-text-inverse": "light-dark(#ffffff, #0c2436)",
  "--color-border-primary": "light-dark(#e3dfd5, #3b3933)",
  "--color-ring-primary": "light-dark(#205c8a, #9fcbee)",
  "--border-radius-lg": "1.125rem",
};

export const THEMES = { light: "Light", dark: "Dark" };
export type Theme = keyof typeof THEMES;

/** The languages of the card. The chat itself is in English. */
export const LOCALES = {
  en: "English",
  de: "Deutsch",
  es: "Español",
  fr: "Français",
  ja: "日本語",
  ar: "العربية",
};
export type Locale = keyof typeof LOCALES;

export interface Look {
  theme: Theme;
  locale: Locale;
}

/** The host context that the chat sends to a view. */
export function contextOf({ theme, locale }: { theme: Theme; locale: string }): McpUiHostContext {
  // The type requires every variable, but by the specification a host sends only those that it has.
  return { theme, locale, styles: { variables: VARIABLES as McpUiStyles } };
}

export function applyLook({ theme }: Look): void {
  const root = document.documentElement;
  root.dataset["theme"] = theme;
  for (const [name, value] of Object.entries(VARIABLES)) root.style.setProperty(name, value);
}
