/** The card as one HTML file, and its version. The build writes both: see tools/card-page.ts. */
export const CARD_HTML: string = "";
export const CARD_VERSION: string = "source";
