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
  /** The address of the host, with the server in its query. */
  url(query?: Record<string, string>): string;
  booked: string[];
  /** Call it when the user has finished on the page. */
  finishPage(): void;
  /** Whether the tool asks to open a page. */
  asksForPage(): void;
}

export const test = base.extend<{ stage: Stage; pace: number }, { script: string }>({
  pace: [1, { option: true }],
  script: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const { outputFiles } = await build({
        entryPoints: [fileURLToPath(new URL("host.ts", import.meta.url))],
        bundle: true,
        write: false,
        format: "esm",
        logLevel: "error",
      });
      await use(outputFiles[0]?.text ?? "");
    },
    { scope: "worker" },
  ],
  async stage({ script, pace }, use) {
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
        if (pathname === "/") return new Response(PAGE, { headers: { "content-type": "text/html" } });
        if (pathname === "/host.js")
          return new Response(script, { headers: { "content-type": "text/javascript" } });
        return handler.fetch(request, { authInfo: { token: "ada", clientId: "host", scopes: [] } });
      },
    });
    await use({
      booked,
      url: (query = {}) => `${url}/?${new URLSearchParams({ server: `${url}/mcp`, ...query })}`,
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
