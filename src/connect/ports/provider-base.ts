import type { LocalText } from "../../words/page/languages.ts";

/** How the page shows a service: by OAuth, by an API key or in a vault. */
export interface ProviderBase {
  /** What people call it: "Linear". */
  service: string;
  /**
   * The service's icon: a `data:` URL of a square image of at most 64 KiB (PNG, JPEG, GIF, WebP, AVIF or SVG).
   * @default the first letter
   */
  iconDataUrl?: string | undefined;
  /**
   * Words for each scope. They complete a sentence that begins with "Can": `{ "issues:write": "create
   * issues for you" }`. A text, or one for each language of the page. Several scopes may have the same words. A scope
   * without words is shown as it is.
   */
  scopeWords?: Readonly<Record<string, LocalText>> | undefined;
}
