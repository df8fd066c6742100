import type { Catalogue } from "./catalogue.ts";

/** What a page says that could not load its cards. */
export type NotLoadedWords = Pick<Catalogue, "locale" | "dir" | "tryAgain" | "decline" | "notLoaded">;

export const enNotLoaded: NotLoadedWords = {
  locale: "en",
  dir: "ltr",
  tryAgain: "Try again",
  decline: "Decline",
  notLoaded: "This question could not be loaded.",
};
