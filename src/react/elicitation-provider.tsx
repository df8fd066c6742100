"use client";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";
import type { CardSettings } from "./card-props.ts";

/** Returns the registrable domain of a host, or `undefined` if the host has none. */
export type GetRegistrableDomain = (asciiHost: string) => string | undefined;

/** The settings of `ElicitationProvider` for all cards inside it. */
export interface ElicitationSettings extends CardSettings {
  /**
   * Finds the registrable domain of a host in the Public Suffix List. The cards then show only that part of a link in
   * bold, instead of the whole host. `elicit-kit/registrable-domain` exports one.
   */
  getRegistrableDomain?: GetRegistrableDomain | undefined;
  /** Whether a link to this machine may be opened by plain http, with a note. @default true */
  allowLoopbackHttp?: boolean | undefined;
}

export interface ElicitationProviderProps extends ElicitationSettings {
  /**
   * Loads `getRegistrableDomain` with the first card that shows a link, so that the list is not part of the first load:
   * `() => import("elicit-kit/registrable-domain")`.
   */
  loadRegistrableDomain?: (() => Promise<{ getRegistrableDomain: GetRegistrableDomain }>) | undefined;
  children?: ReactNode;
}

interface Shared extends ElicitationSettings {
  /** A card shows a link. */
  readonly onLink?: (() => void) | undefined;
}

/** The settings of the providers around a component. */
export const SettingsContext = /* @__PURE__ */ createContext<Shared>({});

/**
 * Sets default props for all cards inside it. Cards work without a provider. A nested provider overrides only the
 * settings that it has.
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
        // Loading failed: the whole host stays bold, and the next link loads it again.
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
