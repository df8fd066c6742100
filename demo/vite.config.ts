import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The chat page, built with the built kit, like a user's page. */
export default defineConfig({
  root: at("page"),
  plugins: [react()],
  resolve: {
    alias: [
      { find: /^elicit-kit$/, replacement: at("../dist/index.js") },
      { find: /^elicit-kit\/(.+\.css)$/, replacement: at("../dist/$1") },
      { find: /^elicit-kit\/(.+)$/, replacement: at("../dist/$1.js") },
    ],
  },
  build: { outDir: at("../dist-demo"), emptyOutDir: true, target: "es2022", chunkSizeWarningLimit: 1000 },
});
