import { useContext, useEffect, useLayoutEffect, type Context } from "react";

/**
 * Runs before paint. On a server it is `useEffect`, which does not run there, because React 18 warns about layout
 * effects.
 */
export const useBrowserLayoutEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;

/**
 * Returns what the root around a part shares. Throws if there is none. Names are the public ones:
 * `ConnectPromptParts.Url`.
 */
export function useShared<Value>(context: Context<Value | undefined>, part: string, root: string): Value {
  const value = useContext(context);
  if (value === undefined) {
    throw new Error(`elicit-kit: <${part}> has no root to take its state from. Place it within <${root}>.`);
  }
  return value;
}
