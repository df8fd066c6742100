import { useSyncExternalStore } from "react";
import { createLate, type Late, type LateState } from "../../client/late.ts";

/** The list with every card, without the questions of forms. */
export const lateCards = /* @__PURE__ */ createLate(() => import("./cards.tsx"));

/** The questions of forms. */
export const lateForm = /* @__PURE__ */ createLate(() => import("../form-elicitation/FormElicitation.tsx"));

/** The place at the composer. */
export const lateDock = /* @__PURE__ */ createLate(() => import("./dock.tsx"));

/** The code that a component loads later, or the reason why it is not here. */
export const useLate = <Code>(late: Late<Code>): Code | LateState =>
  useSyncExternalStore(late.subscribe, late.now, onServer);

const onServer = (): LateState => "absent";
