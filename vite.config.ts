import { readFileSync } from "node:fs";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** The page that URL requests of the mock server lead to: an export of its own, to be served as it is. */
const connectPage: Plugin = {
  name: "connect-page",
  generateBundle() {
    const source = readFileSync(new URL("src/mock-server/connect.html", import.meta.url), "utf8");
    this.emitFile({ type: "asset", fileName: "connect.html", source });
  },
};

/** The library build: one file per public entry of package.json, shared code in chunks, nothing bundled in. */
export default defineConfig({
  plugins: [react(), connectPage],
  publicDir: false,
  build: {
    target: "es2022",
    sourcemap: true,
    minify: false,
    cssCodeSplit: true,
    emptyOutDir: true,
    lib: {
      formats: ["es"],
      entry: {
        index: "src/react/index.ts",
        parts: "src/react/parts.ts",
        dialog: "src/react/dialog.ts",
        "catalogues/ar": "src/catalogues/ar.ts",
        "catalogues/de": "src/catalogues/de.ts",
        "catalogues/en": "src/catalogues/en.ts",
        "catalogues/es": "src/catalogues/es.ts",
        "catalogues/fr": "src/catalogues/fr.ts",
        "catalogues/ja": "src/catalogues/ja.ts",
        styles: "src/react/styles.css",
        tokens: "src/look/tokens.css",
        protocol: "src/protocol/index.ts",
        form: "src/form/index.ts",
        client: "src/client/index.ts",
        "registrable-domain": "src/client/registrable-domain.ts",
        "ai-sdk": "src/ai-sdk/index.ts",
        runtime: "src/runtime/core/index.ts",
        "runtime-agent": "src/runtime/agent/index.ts",
        "runtime-hosted-page": "src/runtime/hosted-page/index.ts",
        "runtime-node": "src/runtime/node/index.ts",
        "runtime-postgres": "src/runtime/postgres/index.ts",
        "runtime-dbos": "src/runtime/dbos/index.ts",
        mcp: "src/mcp/index.ts",
        "mcp-server": "src/mcp/server/index.ts",
        "ag-ui": "src/ag-ui/index.ts",
        "ag-ui-server": "src/ag-ui/server/index.ts",
        acp: "src/acp/index.ts",
        "acp-server": "src/acp/server/index.ts",
        a2a: "src/a2a/index.ts",
        "a2a-server": "src/a2a/server/index.ts",
        "mock-server": "src/mock-server/index.ts",
        "mock-server-node": "src/mock-server/node.ts",
        slack: "src/slack/index.ts",
        "slack-bolt": "src/slack/bolt/index.ts",
        "slack-testing": "src/slack/testing/index.ts",
        conformance: "src/conformance/index.ts",
        cli: "src/conformance/start.ts",
      },
    },
    rolldownOptions: {
      // The compiler's own helpers are the one thing that is bundled in.
      external: [/^(?!@oxc-project\/)[^./\0]/, /^node:/],
      output: {
        // A file per module: bundlers then leave out what a page does not import, and "use client" stays where it is.
        preserveModules: true,
        entryFileNames: "[name].js",
        assetFileNames: "[name][extname]",
      },
    },
  },
});
