import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The chat of another company. It contains no code of the kit: it shows the view that the MCP server returns. */
export default defineConfig({
  root: at("page"),
  plugins: [react()],
  build: {
    outDir: at("../../dist-demo-host"),
    emptyOutDir: true,
    target: "es2022",
    chunkSizeWarningLimit: 1500,
  },
});
