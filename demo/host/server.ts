import { fileURLToPath } from "node:url";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { csrf } from "hono/csrf";
import { secureHeaders } from "hono/secure-headers";
import { pageHeaders } from "../server/site-page.ts";
import { type Served, serve } from "../server/ports.ts";
import { STYLE } from "../server/site-style.ts";
import { paidPage, payPage, sandboxPage } from "./pages.ts";
import { type ParcelServer, createParcelServer } from "./parcel.ts";

/**
 * The content security policy that MCP Apps sets for a view that declares no domains. The view in the sandbox inherits
 * it.
 */
const VIEW_POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; connect-src 'none'";

/**
 * Starts the chat of another company, and the MCP server that it uses. Like claude.ai, the chat supports MCP Apps and no
 * elicitation. Views have another origin: 127.0.0.1 instead of localhost.
 */
export async function startHost(options: {
  port: number;
  /** The demo's own chat. */
  chat: string;
  onError: (error: unknown) => void;
}): Promise<Served> {
  let parcel: ParcelServer | undefined;
  const served = await serve({
    name: "host",
    host: "localhost",
    port: options.port,
    handle(origin) {
      const sandbox = origin.replace("localhost", "127.0.0.1");
      parcel = createParcelServer({ payUrl: (id) => `${sandbox}/pay/${id}`, onError: options.onError });
      return createPages({ origin, sandbox, parcel, chat: options.chat }).fetch;
    },
  });
  return {
    origin: served.origin,
    async close() {
      await parcel?.close();
      await served.close();
    },
  };
}

function createPages({
  origin,
  sandbox,
  parcel,
  chat,
}: {
  origin: string;
  sandbox: string;
  parcel: ParcelServer;
  chat: string;
}): Hono {
  const pay = new Hono()
    .use(csrf(), async (c, next) => {
      await next();
      for (const [name, value] of pageHeaders()) c.header(name, value);
    })
    .get("/:id", (c) => c.html(payPage()))
    .post("/:id", (c) => {
      parcel.pay(c.req.param("id"));
      return c.html(paidPage());
    });

  return new Hono()
    .all("/mcp", (c) => parcel.fetch(c.req.raw))
    .route("/pay", pay)
    .get("/chat", (c) => c.redirect(chat))
    .get("/style.css", (c) => c.body(STYLE, 200, { "content-type": "text/css" }))
    .get("/sandbox", (c) =>
      c.html(sandboxPage(origin), 200, {
        "content-security-policy": `${VIEW_POLICY}; frame-ancestors ${origin}`,
      }),
    )
    .use(
      secureHeaders({
        contentSecurityPolicy: {
          defaultSrc: ["'self'"],
          imgSrc: ["'self'", "data:"],
          frameSrc: [sandbox],
          frameAncestors: ["'none'"],
        },
        strictTransportSecurity: false,
      }),
      serveStatic({ root: fileURLToPath(new URL("../../dist-demo-host", import.meta.url)) }),
    );
}
