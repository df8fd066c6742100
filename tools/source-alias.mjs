import { fileURLToPath } from "node:url";
import { entries } from "./entries.mjs";

/** Files that are served as they are. */
const FILES = {
  "elicit-kit/styles.css": "src/react/styles.css",
  "elicit-kit/tokens.css": "src/look/tokens.css",
  "elicit-kit/mock-server/connect.html": "mock-server/connect.html",
};

/** Public entry → source file, for tools that read the kit from source (tests, stories). The demo does not: it
 *  takes the built package. */
export const sourceAlias = [...entries.map(({ name, source }) => [name, source]), ...Object.entries(FILES)]
  .map(([name, source]) => ({
    // With the query of a bundler, such as `?url`.
    find: new RegExp(`^${name}(?=$|\\?)`),
    replacement: fileURLToPath(new URL(`../${source}`, import.meta.url)),
  }))
  // The cards of the registry are made of components of an app. These stand in for them.
  .concat({
    find: /^@\/registry\/default\/ui\//,
    replacement: fileURLToPath(new URL("../registry/ui/", import.meta.url)),
  });
