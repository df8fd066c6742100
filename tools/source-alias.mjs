import { fileURLToPath } from "node:url";

const source = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Public entry → source file, for tools that read the kit from source (tests, stories). The demo does not: it
 *  takes the built package. */
export const sourceAlias = [
  { find: /^elicit-kit$/, replacement: source("src/react/index.ts") },
  { find: /^elicit-kit\/parts$/, replacement: source("src/react/parts.ts") },
  { find: /^elicit-kit\/dialog$/, replacement: source("src/react/dialog.ts") },
  { find: /^elicit-kit\/catalogues\/(\w+)$/, replacement: source("src/catalogues/$1.ts") },
  { find: /^elicit-kit\/styles\.css$/, replacement: source("src/react/styles.css") },
  { find: /^elicit-kit\/tokens\.css$/, replacement: source("src/look/tokens.css") },
  { find: /^elicit-kit\/runtime$/, replacement: source("src/runtime/core/index.ts") },
  { find: /^elicit-kit\/registrable-domain$/, replacement: source("src/client/registrable-domain.ts") },
  { find: /^elicit-kit\/mock-server$/, replacement: source("src/mock-server/index.ts") },
  { find: /^elicit-kit\/mock-server\/node$/, replacement: source("src/mock-server/node.ts") },
  { find: /^elicit-kit\/mock-server\/connect\.html/, replacement: source("src/mock-server/connect.html") },
  { find: /^elicit-kit\/([\w/-]+)$/, replacement: source("src/$1/index.ts") },
];
