import { useContext } from "react";
import { en } from "../words/cards/en.ts";
import { type ElicitationSettings, SettingsContext } from "./elicitation-provider.tsx";

/** The settings of a card: its own props, then those of the provider, then the defaults. */
export function useSettings(own: ElicitationSettings) {
  const shared = useContext(SettingsContext);
  return {
    catalogue: own.catalogue ?? shared.catalogue ?? en,
    secrets: own.secrets ?? shared.secrets ?? "confirm",
    components: own.components ?? shared.components,
    onAskAgain: own.onAskAgain ?? shared.onAskAgain,
    getRegistrableDomain: own.getRegistrableDomain ?? shared.getRegistrableDomain,
    allowLoopbackHttp: own.allowLoopbackHttp ?? shared.allowLoopbackHttp,
    onLink: shared.onLink,
  } as const;
}
