import type { html } from "hono/html";

/** Markup in which every value is escaped. */
export type Html = ReturnType<typeof html>;
