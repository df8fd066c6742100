/**
 * Applies the host's colours to the kit's tokens. A text colour is used only together with its background, and only if
 * the contrast is sufficient.
 */
import { isObject } from "../../../src/contract/json.ts";

type Variables = Readonly<Record<string, unknown>>;

/** Applies the theme and the style variables of `hostContext`. */
export function takeHostLook(context: Readonly<Record<string, unknown>>): void {
  const { documentElement: root } = document;
  const { theme, styles } = context;
  if (theme === "light" || theme === "dark") root.dataset["theme"] = theme;
  const variables = isObject(styles) ? styles["variables"] : undefined;
  if (!isObject(variables)) return;
  const set = (token: string, value: string | undefined) => {
    if (value !== undefined) root.style.setProperty(token, value);
  };
  const surface = textOf(variables, "--color-background-primary");
  const text = textOf(variables, "--color-text-primary");
  if (contrast(surface, text) >= READABLE) {
    set("--elicit-surface", surface);
    set("--elicit-text", text);
    set("--elicit-line", textOf(variables, "--color-border-primary"));
    const inset = textOf(variables, "--color-background-secondary");
    const muted = textOf(variables, "--color-text-secondary");
    const isLegible = [inset, surface].every((ground) => contrast(ground, muted) >= READABLE);
    if (isLegible && contrast(inset, text) >= READABLE) {
      set("--elicit-inset", inset);
      set("--elicit-muted", muted);
    }
    const ring = textOf(variables, "--color-ring-primary");
    if (contrast(surface, ring) >= VISIBLE) set("--elicit-focus", ring);
  }
  const accent = textOf(variables, "--color-background-inverse");
  const onAccent = textOf(variables, "--color-text-inverse");
  if (contrast(accent, onAccent) >= READABLE) {
    set("--elicit-accent", accent);
    set("--elicit-on-accent", onAccent);
  }
  set("--elicit-font", textOf(variables, "--font-sans"));
  set("--elicit-radius", textOf(variables, "--border-radius-lg"));
}

/** The minimum contrast of WCAG 2.2, for text and for parts of controls. */
const READABLE = 4.5;
const VISIBLE = 3;

function textOf(variables: Variables, name: string): string | undefined {
  const value = variables[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The contrast of two CSS colours as this page renders them. 0 if one of them is not an opaque colour. */
function contrast(one: string | undefined, other: string | undefined): number {
  const [a, b] = [luminanceOf(one), luminanceOf(other)];
  if (a === undefined || b === undefined) return 0;
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminanceOf(colour: string | undefined): number | undefined {
  if (colour === undefined || !CSS.supports("color", colour)) return undefined;
  const probe = document.createElement("i");
  probe.style.color = colour;
  document.documentElement.append(probe);
  // `light-dark()` has a value only in the page, so the browser resolves it.
  const shown = getComputedStyle(probe).color;
  probe.remove();
  const canvas = document.createElement("canvas").getContext("2d");
  if (canvas === null) return undefined;
  canvas.fillStyle = shown;
  canvas.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
  if (alpha < 255) return undefined;
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(value: number): number {
  return value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
}
