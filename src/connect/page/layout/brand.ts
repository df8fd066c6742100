import type { PageImages } from "./images.ts";
import { KitError } from "../../../contract/kit-error.ts";

/** The operator's branding of the hosted page. */
export interface Brand {
  /** Shown at the top of every page: "Acme". */
  name: string;
  /** A `data:` URL of a square image of at most 64 KiB (PNG, JPEG, GIF, WebP, AVIF or SVG). @default the first letter */
  logoDataUrl?: string | undefined;
  /**
   * The colour of the main button, as `#rgb` or `#rrggbb`: one for both colour schemes, or one for each. Its text is
   * white or black, whichever is readable.
   */
  accent?: string | { readonly light: string; readonly dark: string } | undefined;
}

export interface PageBrand {
  readonly name: string;
  /** The path of the logo on the page. */
  readonly logo: string | undefined;
}

/** The colours of the page's cards in light and dark: `--elicit-surface` of the tokens. */
export const SURFACES = { light: "#ffffff", dark: "#1a1a1d" } as const;
const MIN_TEXT_CONTRAST = 4.5;
/** The contrast between the edge of a control and its surroundings (WCAG 2.2, 1.4.11). */
const MIN_EDGE_CONTRAST = 3;

/** Checks the brand, and adds its logo to the images of the page. */
export function brandOf(brand: Brand | undefined, images: PageImages): PageBrand | undefined {
  if (brand === undefined) return undefined;
  const { name, logoDataUrl } = brand;
  if (name.trim() === "") throw new KitError("elicit-kit: brand.name of a hosted page must not be empty.");
  return { name, logo: logoDataUrl && images.add(logoDataUrl, "brand.logoDataUrl") };
}

/**
 * The style with the brand's colour, which must follow the tokens, and warnings for the operator. Text on the colour is
 * always readable, and the edge of the main button and the focus ring are always visible, whatever the colour.
 */
export function accentStyle(accent: Brand["accent"]): { css: string; warnings: readonly string[] } {
  if (accent === undefined) return { css: "", warnings: [] };
  const { light, dark } = typeof accent === "string" ? { light: accent, dark: accent } : accent;
  for (const colour of [light, dark]) {
    if (isHexColour(colour)) continue;
    throw new KitError(
      `elicit-kit: brand.accent of a hosted page must be a colour as #rgb or #rrggbb, but it is: ${JSON.stringify(colour)}`,
    );
  }
  const text = { light: textOn(light), dark: textOn(dark) };
  const isVisible = {
    light: contrastOf(light, SURFACES.light) >= MIN_EDGE_CONTRAST,
    dark: contrastOf(dark, SURFACES.dark) >= MIN_EDGE_CONTRAST,
  };
  const css = `:root {
  --elicit-accent: light-dark(${light}, ${dark});
  --elicit-on-accent: light-dark(${text.light}, ${text.dark});
  --elicit-focus: light-dark(${isVisible.light ? light : "var(--elicit-text)"}, ${isVisible.dark ? dark : "var(--elicit-text)"});
  --page-primary-edge: light-dark(${isVisible.light ? light : "var(--elicit-border)"}, ${isVisible.dark ? dark : "var(--elicit-border)"});
}
`;
  const warnings: string[] = [];
  if (text.light !== "#fff") {
    warnings.push(
      `White text on brand.accent ${light} has a contrast of ${ratio(light, "#fff")}, and text needs ${MIN_TEXT_CONTRAST}, so the page writes on it in black.`,
    );
  }
  for (const [scheme, colour] of [["light", light] as const, ["dark", dark] as const]) {
    if (isVisible[scheme]) continue;
    warnings.push(
      `brand.accent ${colour} has a contrast of ${ratio(colour, SURFACES[scheme])} to the ${scheme} page, and a button needs ${MIN_EDGE_CONTRAST}, so the page draws an edge around it. Set accent: { light, dark } to choose a colour for each.`,
    );
  }
  return { css, warnings };
}

/** White if it is readable, and otherwise black. One of them always is. */
function textOn(colour: string): string {
  return contrastOf(colour, "#fff") >= MIN_TEXT_CONTRAST ? "#fff" : "#000";
}

function ratio(one: string, other: string): string {
  return (Math.floor(contrastOf(one, other) * 10) / 10).toFixed(1);
}

/** An operator's colour: `#rgb` or `#rrggbb`. */
const HEX = /^#(?:[\da-f]{3}|[\da-f]{6})$/i;

function isHexColour(value: string): boolean {
  return HEX.test(value);
}

/** The contrast of two colours, 1 to 21 (WCAG 2.2, "contrast ratio"). Both must be {@link isHexColour}. */
export function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** WCAG 2.2, "relative luminance". */
function luminanceOf(colour: string): number {
  const digits = colour.slice(1);
  const full = digits.length === 3 ? digits.replaceAll(/./g, "$&$&") : digits;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const channel = Number.parseInt(full.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

declare const process: { env: { NODE_ENV?: string } } | undefined;

/** Warns once at the start, because links do not work: only the chat's window can identify the user to this page. */
export function warnOfDeadLinks(): void {
  console.warn(
    "elicit-kit: this hosted page knows people only by the window that their chat has opened, so links that are copied, sent or opened in the same tab are refused. Set vouch, and hostedPage of createRuntime, or session and login.",
  );
}

/** Says once at the start, in development, how the page adapts a colour with too little contrast. */
export function warnOfBrand(warnings: readonly string[]): void {
  if (typeof process !== "undefined" && process.env.NODE_ENV === "production") return;
  for (const warning of warnings) console.warn(`elicit-kit: ${warning}`);
}
