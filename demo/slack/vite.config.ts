import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The page that looks like Slack. It contains no code of the kit: it shows what the server sends to Slack. */
export default defineConfig({
  root: at("page"),
  plugins: [react()],
  build: { outDir: at("../../dist-demo-slack"), emptyOutDir: true, target: "es2022" },
});
