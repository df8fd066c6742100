import { type Context, useContext } from "react";

/** What the root around `part` shares. Throws when there is none. Names as people write them: `ConnectPromptParts.Url`. */
export function useShared<Value>(context: Context<Value | undefined>, part: string, root: string): Value {
  const value = useContext(context);
  if (value === undefined) {
    throw new Error(`elicit-kit: <${part}> has no root to take its state from. Place it within <${root}>.`);
  }
  return value;
}
