/** A page that is an MCP client itself: docs/examples/mcp-host, with a third-party server and with one of 2026. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Page, expect, test as base } from "@playwright/test";
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { createEliciting, elicitorFor } from "elicit-kit/mcp/server";
import { serve } from "elicit-kit/node";
import { z } from "zod";
import { type EverythingServer, startEverything } from "../stages/everything-server.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Planner {
  url: string;
  /** Call it when the user has finished on the page. */
  finishPage(): void;
}

const test = base.extend<{ everything: EverythingServer; planner: Planner }, { host: string }>({
  /** The page as a user starts it, in a separate process. */
  host: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const child = start("docs/examples/mcp-host/server.ts", { PORT: "0" });
      const [line] = (await once(createInterface(child.stdout), "line")) as [string];
      await use(line.replace("Open ", ""));
      await end(child);
    },
    { scope: "worker" },
  ],

  /** The MCP project's own test server, over HTTP. */
  // oxlint-disable-next-line no-empty-pattern
  async everything({}, use) {
    const server = await startEverything();
    await use(server);
    await server.kill();
  },

  /** A server of 2026-07-28 whose tool asks in rounds. */
  // oxlint-disable-next-line no-empty-pattern
  async planner({}, use) {
    let isCompleted = false;
    const eliciting = createEliciting({ isCompleted: () => isCompleted });
    const handler = createMcpHandler(() => {
      const server = new McpServer({ name: "planner", version: "1.0.0" }, eliciting.serverOptions);
      server.registerTool(
        "plan",
        { description: "Plans a trip", inputSchema: z.object({}) },
        eliciting("plan", async (_, ctx) => {
          const elicitor = elicitorFor(ctx);
          const [city, nights] = await Promise.all([
            elicitor.text("Where to?", { title: "City" }),
            elicitor.number("For how long?", { title: "Nights", integer: true }),
          ]);
          const paid = await elicitor.url("Pay the hotel", {
            url: "https://pay.example.com/1",
            service: "Pay",
          });
          return { content: [{ type: "text", text: JSON.stringify([city, nights, paid]) }] };
        }),
      );
      return server;
    });
    const { url, close } = await serve({ fetch: forAnyPage(handler.fetch) });
    await use({
      url: `${url}/mcp`,
      finishPage() {
        isCompleted = true;
      },
    });
    await close();
  },
});

function start(script: string, env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  return spawn(process.execPath, [script, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "close");
  child.kill("SIGKILL");
  await ended;
}

/** A server that pages of every origin may call. */
function forAnyPage(fetch: (request: Request) => Promise<Response>) {
  const headers = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };
  return async (request: Request) => {
    const reply = request.method === "OPTIONS" ? new Response(null) : await fetch(request);
    return new Response(reply.body, {
      status: reply.status,
      headers: { ...Object.fromEntries(reply.headers), ...headers },
    });
  };
}

async function open(page: Page, host: string, server: string): Promise<void> {
  await page.goto(`${host}?server=${encodeURIComponent(server)}`);
  await page.getByRole("button", { name: "Connect" }).click();
  await expect(page.getByRole("combobox", { name: "Tool" })).toBeVisible();
}

async function call(page: Page, tool: string, args = {}): Promise<void> {
  await page.getByRole("combobox", { name: "Tool" }).selectOption(tool);
  await page.getByRole("textbox", { name: "Arguments" }).fill(JSON.stringify(args));
  await page.getByRole("button", { name: "Call" }).click();
}

const result = (page: Page) => page.getByRole("status", { name: "Result" });

async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env["SCREENSHOTS"];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

test.describe("a page that calls server-everything", () => {
  test("shows its form of 13 fields, and the tool gets the answers", async ({ page, host, everything }) => {
    await page.setViewportSize({ width: 320, height: 900 });
    await open(page, host, everything.url);
    await call(page, "trigger-elicitation-request");
    const card = page.getByRole("group").filter({ hasText: "Please provide inputs" }).first();
    await expect(card).toContainText(new URL(everything.url).host);
    await screenshot(page, "mcp-host-form");
    const send = card.getByRole("button", { name: "Send" });
    const name = card.getByRole("textbox", { name: "String", exact: true });
    await send.click();
    await expect(name).toHaveAttribute("aria-invalid", "true");
    await name.fill("Ada Lovelace");
    // The description of one field mentions a "pin", so the card shows a warning about secrets.
    await card.getByRole("checkbox", { name: "I want to share this" }).check();
    await send.click();
    await expect(result(page)).toContainText("Ada Lovelace");
    await screenshot(page, "mcp-host-result");
  });

  test("passes on a decline", { tag: "@long" }, async ({ page, host, everything }) => {
    await open(page, host, everything.url);
    await call(page, "trigger-elicitation-request");
    await page.getByRole("button", { name: "Decline" }).click();
    await expect(result(page)).toContainText("declined");
  });

  test(
    "opens its page after consent, in a window without access to this page",
    { tag: "@long" },
    async ({ page, host, everything }) => {
      await open(page, host, everything.url);
      const url = `${host}?page=1`;
      await call(page, "trigger-url-elicitation", { url, message: "Sign in to go on" });
      const card = page.getByRole("group").filter({ hasText: "Sign in to go on" }).first();
      await expect(card).toContainText(new URL(host).host);
      const opening = page.waitForEvent("popup");
      await card.getByRole("button", { name: "Open page" }).click();
      const popup = await opening;
      await popup.waitForURL(url);
      expect(await popup.evaluate(() => window.opener)).toBeNull();
      await expect(result(page)).toContainText("accept");
    },
  );

  test(
    "withdraws the card when the server disappears while the user thinks",
    { tag: "@long" },
    async ({ page, host, everything }) => {
      await open(page, host, everything.url);
      await call(page, "trigger-elicitation-request");
      const send = page.getByRole("button", { name: "Send" });
      await expect(send).toBeVisible();
      await everything.kill();
      await expect(send).toHaveCount(0);
      await expect(result(page)).not.toBeEmpty();
    },
  );
});

test(
  "a page that calls a server of MCP 2026-07-28 answers its rounds, and the call ends when its page is finished",
  { tag: "@long" },
  async ({ page, host, planner }) => {
    await open(page, host, planner.url);
    await call(page, "plan");
    const city = page.getByRole("textbox", { name: "City" });
    const nights = page.getByLabel("Nights");
    await expect(nights).toBeVisible();
    await city.fill("Oslo");
    await page.getByRole("button", { name: "Send" }).first().click();
    // A round is sent when all its questions are answered.
    await expect(page.getByText("Pay the hotel")).toHaveCount(0);
    await nights.fill("3");
    await page.getByRole("button", { name: "Send" }).last().click();
    const pay = page.getByRole("group").filter({ hasText: "Pay the hotel" }).first();
    const opening = page.waitForEvent("popup");
    await pay.getByRole("button", { name: "Open page" }).click();
    await (await opening).close();
    planner.finishPage();
    await expect(result(page)).toContainText('{"outcome":"accepted","value":"Oslo"}');
    await expect(result(page)).toContainText('{"outcome":"accepted","value":3}');
  },
);
