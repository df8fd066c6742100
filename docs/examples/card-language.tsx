"use client";
import { type Catalogue, ElicitationProvider } from "elicit-kit";
import { en } from "elicit-kit/catalogues/en";
import { type ReactNode, useEffect, useState } from "react";

const loaders: Readonly<Record<string, () => Promise<Catalogue>>> = {
  ar: async () => (await import("elicit-kit/catalogues/ar")).ar,
  de: async () => (await import("elicit-kit/catalogues/de")).de,
  es: async () => (await import("elicit-kit/catalogues/es")).es,
  fr: async () => (await import("elicit-kit/catalogues/fr")).fr,
  ja: async () => (await import("elicit-kit/catalogues/ja")).ja,
};

/** All cards inside speak the language of your app, such as `de-AT`. Another language than the six is English. */
export function CardLanguage({ language, children }: { language: string; children: ReactNode }) {
  const [catalogue, setCatalogue] = useState<Catalogue>(en);
  useEffect(() => {
    let isCurrent = true;
    const load = loaders[language.split("-")[0] ?? ""] ?? (async () => en);
    load().then(
      (loaded) => isCurrent && setCatalogue(loaded),
      () => undefined, // The chunk did not load: the cards stay as they are.
    );
    return () => {
      isCurrent = false;
    };
  }, [language]);
  return <ElicitationProvider catalogue={catalogue}>{children}</ElicitationProvider>;
}
