import { createLate } from "../../client/late.ts";

/** The list with every card, without the questions of forms. */
export const lateCards = /* @__PURE__ */ createLate(() => import("./cards.tsx"));

/** The questions of forms. */
export const lateForm = /* @__PURE__ */ createLate(() => import("../form-elicitation/FormElicitation.tsx"));

/** The place at the composer. */
export const lateDock = /* @__PURE__ */ createLate(() => import("./dock.tsx"));
