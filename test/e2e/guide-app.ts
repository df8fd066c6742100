import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { build, type InlineConfig, preview } from "vite";

/** The app of the testing guide, built and served on a free port. `url` is its origin. */
export async function serveGuideApp(): Promise<{ url: string; close(): Promise<void> }> {
  const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
  const outDir = path("../../node_modules/.cache/guide-app");
  const config: InlineConfig = {
    configFile: false,
    root: path("../guide/app"),
    logLevel: "warn",
    plugins: [react()],
    build: { outDir, emptyOutDir: true },
    preview: { host: "127.0.0.1", port: 0, strictPort: true },
  };
  const { NODE_ENV } = process.env;
  await build(config);
  const served = await preview(config);
  // Vite sets NODE_ENV=production in this process, and the mock server then refuses to start.
  if (NODE_ENV === undefined) delete process.env["NODE_ENV"];
  else process.env["NODE_ENV"] = NODE_ENV;
  const url = served.resolvedUrls?.local[0];
  if (url === undefined) throw new Error("elicit-kit: the app of the guide got no address.");
  return { url, close: () => served.close() };
}
