/** A page with the host of host.ts, and a server of the built package. */
import { type Page, test as base } from "@playwright/test";
import { createEliciting, createElicitingHandler, elicitorFor } from "elicit-kit/mcp/server";
import { serve } from "elicit-kit/node";
import { build } from "esbuild";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const PAGE = `<!doctype html><html lang="en"><title>Host</title><button id="call" disabled>Call</button><button id="wait">Wait</button>
<div id="view"></div><pre id="result"></pre><pre id="messages"></pre><pre id="context"></pre><pre id="links"></pre><pre id="waited"></pre>
<script type="module" src="/host.js"></script></html>`;

/** The host of renderer.tsx. */
const RENDERER = `<!doctype html><html lang="en"><title>Host</title><body><script type="module" src="/renderer.js"></script></body></html>`;

/** The outer frame that MCP Apps wants around a view: it takes the view's HTML, and passes on all messages. */
const SANDBOX = `<!doctype html><html lang="en"><title>Sandbox</title><style>html, body, iframe { block-size: 100%; inline-size: 100%; margin: 0; border: 0 }</style><body><script>
const frame = document.createElement("iframe");
frame.title = "View";
frame.setAttribute("sandbox", "allow-scripts");
document.body.append(frame);
addEventListener("message", ({ source, data }) => {
  if (source === frame.contentWindow) parent.postMessage(data, "*");
  else if (data.method === "ui/notifications/sandbox-resource-ready") frame.srcdoc = data.params.html;
  else frame.contentWindow.postMessage(data, "*");
});
parent.postMessage({ jsonrpc: "2.0", method: "ui/notifications/sandbox-proxy-ready", params: {} }, "*");
</script></body></html>`;

const PAGES: Readonly<Record<string, string>> = { "/": PAGE, "/renderer": RENDERER, "/sandbox": SANDBOX };

const LETTERS = [..."ABCDEFGHIJKLMNOPQRST"] as const;

/** A question for each control that a form of MCP can have. */
const SURVEY = z.object({
  city: z.string().min(2).meta({ title: "City" }),
  story: z.string().max(900).meta({ title: "Story" }),
  email: z.email().meta({ title: "Email" }),
  site: z.url().meta({ title: "Site" }),
  day: z.iso.date().meta({ title: "Day" }),
  start: z.iso.datetime({ offset: true }).meta({ title: "Start" }),
  guests: z.int().min(1).max(5).meta({ title: "Guests" }),
  price: z.number().meta({ title: "Price" }),
  smoking: z.boolean().meta({ title: "Smoking" }),
  news: z.boolean().default(false).meta({ title: "News" }),
  row: z.enum(["front", "back"]).meta({ title: "Row" }),
  month: z.enum(LETTERS.slice(0, 8)).meta({ title: "Month" }),
  land: z.enum(LETTERS).meta({ title: "Land" }),
  extras: z.array(z.enum(["bread", "soup", "wine"])).meta({ title: "Extras" }),
});

export interface Stage {
  /** The address of a host, with the server in its query. The key `page` is the path of the host. */
  url(query?: Record<string, string>): string;
  booked: string[];
  /** Call it when the user has finished on the page. */
  finishPage(): void;
  /** Whether the tool asks to open a page. */
  asksForPage(): void;
}

export const test = base.extend<{ stage: Stage; pace: number }, { scripts: Record<string, string> }>({
  pace: [1, { option: true }],
  scripts: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const { outputFiles } = await build({
        entryPoints: ["host.ts", "renderer.tsx"].map((file) => fileURLToPath(new URL(file, import.meta.url))),
        outdir: "/",
        bundle: true,
        write: false,
        format: "esm",
        jsx: "automatic",
        logLevel: "error",
      });
      await use(Object.fromEntries(outputFiles.map(({ path, text }) => [path, text])));
    },
    { scope: "worker" },
  ],
  async stage({ scripts, pace }, use) {
    const booked: string[] = [];
    let isFinished = false;
    let withPage = false;
    const eliciting = createEliciting({ app: true, isCompleted: () => isFinished, clock: slowClock(pace) });
    const handler = createElicitingHandler(
      () => {
        const server = eliciting.createServer({ name: "parcels", title: "Parcel server", version: "1.0.0" });
        server.registerTool(
          "book",
          { description: "Books a courier", inputSchema: z.object({ to: z.string() }) },
          eliciting("book", async ({ to }, ctx) => {
            const elicitor = elicitorFor(ctx);
            if (withPage) {
              const paid = await elicitor.url("Pay the courier", {
                url: "https://pay.parcel.example/checkout/1",
                service: "Parcel",
              });
              return { content: [{ type: "text", text: `Paid: ${paid.outcome}` }] };
            }
            const street = await elicitor.text(`Where in ${to}?`, { title: "Street", minLength: 3 });
            if (street.outcome !== "accepted") return { content: [{ type: "text", text: street.outcome }] };
            const speed = await elicitor.choose("How fast?", ["normal", "express"]);
            if (speed.outcome !== "accepted") return { content: [{ type: "text", text: speed.outcome }] };
            await elicitor.once("book", () => booked.push(street.value));
            return { content: [{ type: "text", text: `Booked ${speed.value} to ${street.value}.` }] };
          }),
        );
        server.registerTool(
          "survey",
          { description: "Asks every kind of question", inputSchema: z.object({}) },
          eliciting("survey", async (_, ctx) => {
            const survey = await elicitorFor(ctx).form("Everything, please", SURVEY);
            return { content: [{ type: "text", text: JSON.stringify(survey) }] };
          }),
        );
        return server;
      },
      { onError: console.error },
    );
    const { url, close } = await serve({
      async fetch(request) {
        const { pathname } = new URL(request.url);
        const page = PAGES[pathname];
        if (page !== undefined) return new Response(page, { headers: { "content-type": "text/html" } });
        const script = scripts[pathname];
        if (script !== undefined)
          return new Response(script, { headers: { "content-type": "text/javascript" } });
        return handler.fetch(request, { authInfo: { token: "ada", clientId: "host", scopes: [] } });
      },
    });
    await use({
      booked,
      url: ({ page = "/", ...query } = {}) =>
        `${url}${page}?${new URLSearchParams({ server: `${url}/mcp`, ...query })}`,
      finishPage() {
        isFinished = true;
      },
      asksForPage() {
        withPage = true;
      },
    });
    await handler.close();
    await close();
  },
});

/** The factor by which the clock is slower, so that a call waits long enough for a slow machine. */
function slowClock(pace: number) {
  const start = Date.now();
  return {
    now: () => start + (Date.now() - start) / pace,
    after(ms: number, callback: () => void) {
      const timer = setTimeout(callback, ms * pace);
      return () => clearTimeout(timer);
    },
  };
}

export const view = (page: Page) => page.frameLocator("iframe[title=View]");

export async function call(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole("button", { name: "Call" }).click();
}

export const result = (page: Page) => page.locator("#result");
