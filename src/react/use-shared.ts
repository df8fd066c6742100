import { type Context, useContext } from "react";

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
