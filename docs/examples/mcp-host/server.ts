import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { type InlineConfig, build, preview } from "vite";

/** Serves the page. Run it with `node docs/examples/mcp-host/server.ts`. */
const config: InlineConfig = {
  configFile: false,
  root: fileURLToPath(new URL(".", import.meta.url)),
  logLevel: "warn",
  build: {
    // A folder for each server: a second server must not replace the files of the first.
    outDir: await mkdtemp(join(tmpdir(), "mcp-host-")),
    emptyOutDir: true,
  },
  preview: { host: "127.0.0.1", port: Number(process.env["PORT"] ?? 3000), strictPort: true },
  plugins: [react()],
};
await build(config);
const { resolvedUrls } = await preview(config);
console.log(`Open ${resolvedUrls?.local[0]}`);
