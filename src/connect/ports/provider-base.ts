import type { LocalText } from "../../words/page/languages.ts";

/** How the page shows a service, for OAuth, API keys and vaults. */
export interface ProviderBase {
  /** The name of the service for users: "Linear". */
  service: string;
  /**
   * The service's icon: a `data:` URL of a square image of at most 64 KiB (PNG, JPEG, GIF, WebP, AVIF or SVG).
   * @default the first letter
   */
  iconDataUrl?: string | undefined;
  /**
   * A text for each scope. They complete a sentence that begins with "Can": `{ "issues:write": "create issues for you"
   * }`. A text, or one for each language of the page. Several scopes may have the same text. A scope without a text is
   * shown unchanged.
   */
  scopeWords?: Readonly<Record<string, LocalText>> | undefined;
}
