import { fileURLToPath } from "node:url";
import { entries } from "./entries.mjs";

/** Files that are served without a change. */
const FILES = {
  "elicit-kit/styles.css": "src/react/styles.css",
  "elicit-kit/dock.css": "src/react/styles/dock.css",
  "elicit-kit/inbox.css": "src/react/styles/inbox.css",
  "elicit-kit/mock-server/connect.html": "mock-server/connect.html",
};

/**
 * Maps public entries to source files, for tools that use the kit's sources (tests, stories). The demo uses the built
 * package instead.
 */
export const sourceAlias = [...entries.map(({ name, source }) => [name, source]), ...Object.entries(FILES)]
  .map(([name, source]) => ({
    // With the query of a bundler, such as `?url`.
    find: new RegExp(`^${name}(?=$|\\?)`),
    replacement: fileURLToPath(new URL(`../${source}`, import.meta.url)),
  }))
  // The registry's cards import components of the app. These files replace them.
  .concat({
    find: /^@\/registry\/default\/ui\//,
    replacement: fileURLToPath(new URL("../registry/ui/", import.meta.url)),
  });
