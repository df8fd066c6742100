import { createLate, type Late } from "./late.ts";

/** What answers requests: apart from the first load, because many pages are never asked. */
export const lateDesk: Late<typeof import("./desk.ts")> = /* @__PURE__ */ createLate(
  () => import("./desk.ts"),
);
