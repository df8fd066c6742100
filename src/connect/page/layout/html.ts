import type { html } from "hono/html";

/** Markup with all values escaped. */
export type Html = ReturnType<typeof html>;
