import type { LocalText } from "../../words/page/languages.ts";

/** What the page shows of a service, whichever way it is connected. */
export interface ProviderBase {
  /** What people call it: "Linear". */
  service: string;
  /**
   * The service's icon: a `data:` URL of a square image of at most 64 KiB (PNG, JPEG, GIF, WebP, AVIF or SVG).
   * @default the first letter
   */
  iconDataUrl?: string | undefined;
  /**
   * What each scope allows, in words that people understand, as the end of "Can": `{ "issues:write": "create
   * issues for you" }`. A text, or one for each language of the page. Several scopes may have the same words. A scope
   * without words is shown as it is.
   */
  scopeWords?: Readonly<Record<string, LocalText>> | undefined;
}
