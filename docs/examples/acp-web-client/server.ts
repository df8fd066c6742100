import type { IncomingMessage, ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { type InlineConfig, build, preview } from "vite";
import { createAcpWebSocketServer } from "../acp-websocket.ts";
import { createTravelAgent } from "./agent.ts";

/** Serves the page and, at /acp, the agent. Run it with `node docs/examples/acp-web-client/server.ts`. */
const config: InlineConfig = {
  configFile: false,
  root: fileURLToPath(new URL(".", import.meta.url)),
  logLevel: "warn",
  build: {
    outDir: fileURLToPath(new URL("../../../node_modules/.cache/acp-web-client", import.meta.url)),
    emptyOutDir: true,
  },
  preview: { host: "127.0.0.1", port: Number(process.env["PORT"] ?? 3000), strictPort: true },
  plugins: [
    react(),
    {
      name: "connect page",
      configurePreviewServer: ({ middlewares }) =>
        void middlewares.use("/connect", (request, response, next) => {
          connectPage(request, response).catch(next);
        }),
    },
  ],
};
await build(config);
const { httpServer, resolvedUrls } = await preview(config);
const { origin } = new URL(resolvedUrls?.local[0] ?? "http://127.0.0.1");
const runtime = createTravelAgent(origin);
const acp = createAcpWebSocketServer({
  runtime,
  // Everyone is Ada here. Read your session instead.
  authenticate: async () => ({ id: "ada" }),
  allowedOrigins: [origin],
});
httpServer.on("upgrade", (...connection) => acp.server.emit("upgrade", ...connection));
console.log(`Open ${origin}`);

/** The page of the hotel: a click on its button ends the request. A real page first authenticates the user. */
async function connectPage(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const id = new URL(request.url ?? "", origin).searchParams.get("id") ?? "";
  if (request.method === "POST") await runtime.elicitations.complete(id, undefined, { through: "page" });
  const body =
    request.method === "POST" ? "<p>Connected. You can close this window." : "<button>Allow</button>";
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
  response.end(`<!doctype html><title>Hotels</title><form method="post">${body}</form>`);
}
