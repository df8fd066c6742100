"use client";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";
import type { BoundElicitation } from "./bound-elicitation.ts";
import type { Catalogue } from "../words/cards/catalogue.ts";
import { en } from "../words/cards/en.ts";
import type { ElicitationComponents } from "./elicitation-prompt/ElicitationPrompt.tsx";

/** Returns the registrable domain of a host; `undefined` when the host has none. */
export type GetRegistrableDomain = (asciiHost: string) => string | undefined;

/** What every card takes. The prop of a card overrides what `ElicitationProvider` sets. */
export interface CardSettings {
  /** The kit's words in one language. @default that of `ElicitationProvider`, or English */
  catalogue?: Catalogue | undefined;
  /**
   * For forms that ask for passwords, keys or card numbers: `confirm` needs a second, explicit yes; `refuse` shows no fields.
   * @default that of `ElicitationProvider`, or "confirm"
   */
  secrets?: "confirm" | "refuse" | undefined;
  /** Your own cards and controls in place of the kit's. Keep the object outside of the component that passes it. */
  components?: ElicitationComponents | undefined;
  /**
   * With it, the receipt of an account that the user has declined to connect has a button "Connect after all". The tool has its
   * answer by then, so only the agent can ask anew: send it `message` as a message of the user. Keep the function the same.
   */
  onAskAgain?: ((message: string, elicitation: BoundElicitation) => void) | undefined;
}

/** What `ElicitationProvider` sets for all cards inside of it. */
export interface ElicitationSettings extends CardSettings {
  /**
   * Finds the registrable domain of a host in the Public Suffix List. The cards then show that part of a link in bold, and
   * without it the whole host. `elicit-kit/registrable-domain` has one.
   */
  getRegistrableDomain?: GetRegistrableDomain | undefined;
  /** Whether a link to this machine may be opened by plain http, with a note. @default true */
  allowLoopbackHttp?: boolean | undefined;
}

export interface ElicitationProviderProps extends ElicitationSettings {
  /**
   * Loads `getRegistrableDomain` with the first card that shows a link, so that the list costs the first load nothing:
   * `() => import("elicit-kit/registrable-domain")`.
   */
  loadRegistrableDomain?: (() => Promise<{ getRegistrableDomain: GetRegistrableDomain }>) | undefined;
  children?: ReactNode;
}

interface Shared extends ElicitationSettings {
  /** A card shows a link. */
  readonly onLink?: (() => void) | undefined;
}

const SettingsContext = /* @__PURE__ */ createContext<Shared>({});

/**
 * Sets once what all cards inside of it take. Cards need none, and a provider inside of another one changes what it sets.
 */
export function ElicitationProvider(props: ElicitationProviderProps) {
  const { children, loadRegistrableDomain, getRegistrableDomain, ...own } = props;
  const { catalogue, secrets, components, allowLoopbackHttp, onAskAgain } = own;
  const outer = useContext(SettingsContext);
  const [loaded, setLoaded] = useState<{ getRegistrableDomain: GetRegistrableDomain }>();
  const load = useRef(loadRegistrableDomain);
  useEffect(() => {
    load.current = loadRegistrableDomain;
  }, [loadRegistrableDomain]);
  const isLoader = loadRegistrableDomain !== undefined;
  const value = useMemo((): Shared => {
    let isAsked = false;
    function onLink(): void {
      if (isAsked) return;
      isAsked = true;
      load.current?.().then(setLoaded, () => {
        // The whole host stays bold; the next link asks again.
        isAsked = false;
      });
    }
    return {
      catalogue: catalogue ?? outer.catalogue,
      secrets: secrets ?? outer.secrets,
      components: components ?? outer.components,
      onAskAgain: onAskAgain ?? outer.onAskAgain,
      allowLoopbackHttp: allowLoopbackHttp ?? outer.allowLoopbackHttp,
      getRegistrableDomain:
        getRegistrableDomain ?? loaded?.getRegistrableDomain ?? outer.getRegistrableDomain,
      onLink: isLoader && loaded === undefined ? onLink : outer.onLink,
    };
  }, [
    catalogue,
    secrets,
    components,
    allowLoopbackHttp,
    onAskAgain,
    getRegistrableDomain,
    loaded,
    isLoader,
    outer,
  ]);
  return <SettingsContext.Provider value={value}>{children}</SettingsContext.Provider>;
}

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
