import { DocsContainer, type DocsContainerProps } from "@storybook/addon-docs/blocks";
import { type ReactNode, useEffect, useState } from "react";
import { addons } from "storybook/preview-api";
import { GLOBALS_UPDATED } from "storybook/internal/core-events";
import { darkTheme, theme } from "./theme.ts";

/** A documentation page in the theme that the toolbar shows. */
export function ThemedDocs(props: DocsContainerProps & { children?: ReactNode }) {
  const [name, setName] = useState(themeInUrl);
  useEffect(() => {
    const channel = addons.getChannel();
    const follow = ({ globals }: { globals: Readonly<Record<string, unknown>> }) =>
      setName(String(globals["theme"]));
    channel.on(GLOBALS_UPDATED, follow);
    return () => channel.off(GLOBALS_UPDATED, follow);
  }, []);
  const scheme = isDark(name) ? "dark" : "light";
  useEffect(() => {
    document.documentElement.dataset["docs"] = scheme;
  }, [scheme]);
  return <DocsContainer {...props} theme={scheme === "dark" ? darkTheme : theme} />;
}

/** The toolbar's theme when the page loads, such as `?globals=theme:dark;language:de`. */
function themeInUrl(): string {
  const globals = new URLSearchParams(location.search).get("globals") ?? "";
  return /(?:^|;)theme:(\w+)/.exec(globals)?.[1] ?? "system";
}

function isDark(name: string): boolean {
  if (name === "system") return matchMedia("(prefers-color-scheme: dark)").matches;
  return name === "dark";
}
