import { useSyncExternalStore } from "react";
import type { Late, LateState } from "../client/late.ts";

/** The code that a component loads later, or the reason why it is not here. */
export const useLate = <Code>(late: Late<Code>): Code | LateState =>
  useSyncExternalStore(late.subscribe, late.now, onServer);

const onServer = (): LateState => "absent";
