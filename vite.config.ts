import { readFileSync } from "node:fs";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { TOKENS_CSS } from "./src/look/tokens.ts";
import { cardPage } from "./tools/card-page.ts";
import { entries } from "./tools/entries.mjs";

/** The exports that are served as they are. URL requests of the mock server lead to connect.html. */
const servedFiles: Plugin = {
  name: "served-files",
  generateBundle() {
    const page = readFileSync(new URL("mock-server/connect.html", import.meta.url), "utf8");
    this.emitFile({ type: "asset", fileName: "connect.html", source: page });
    this.emitFile({ type: "asset", fileName: "tokens.css", source: TOKENS_CSS });
  },
};

/** The library build: one file per public entry of package.json, shared code in chunks, nothing bundled in. */
export default defineConfig({
  plugins: [react(), servedFiles, cardPage],
  publicDir: false,
  build: {
    target: "es2022",
    // The code is not minified, and maps were more than half of the package.
    sourcemap: false,
    minify: false,
    cssCodeSplit: true,
    emptyOutDir: true,
    lib: {
      formats: ["es"],
      entry: {
        ...Object.fromEntries(entries.map(({ output, source }) => [output, source])),
        styles: "src/react/styles.css",
        dock: "src/react/styles/dock.css",
        inbox: "src/react/styles/inbox.css",
        cli: "extras/cli/start.ts",
      },
    },
    rolldownOptions: {
      // The compiler's own helpers are the one thing that is bundled in.
      // On Windows, a path of our own begins with a drive.
      external: [/^(?!@oxc-project\/|[A-Za-z]:[\\/])[^./\0]/, /^node:/],
      output: {
        // A file per module: bundlers then leave out what a page does not import, and "use client" stays where it is.
        preserveModules: true,
        // The declarations have the docstrings.
        comments: { jsdoc: false },
        entryFileNames: "[name].js",
        assetFileNames: "[name][extname]",
      },
    },
  },
});
