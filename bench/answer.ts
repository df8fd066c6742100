/**
 * Measures the time from a click on Send to the next visible token, in Chromium on loopback, with the same scripted model
 * for all: `node bench/answer.ts`. It compares the kit with the AI SDK's tool approval, the AI SDK's `addToolOutput`,
 * TanStack AI's tool approval, CopilotKit's frontend tool and CopilotKit's interrupt. Each round opens a new page with a
 * history of 40 messages. The other packages render one button; the kit renders a form.
 */
import { fileURLToPath } from "node:url";
import {
  type ToolSet,
  type UIMessage,
  convertToModelMessages,
  createUIMessageStreamResponse,
  isStepCount,
  streamText,
  toUIMessageStream,
  tool,
} from "ai";
import { build } from "esbuild";
import { type Browser, chromium } from "playwright";
import { z } from "zod";
import { createAgentTurn } from "../src/agent/index.ts";
import { serve } from "../src/hosts/node/index.ts";
import { createRuntime } from "../src/runtime/index.ts";
import { chromiumLaunchOptions } from "../tools/chromium.mjs";
import { type Figure, isMet, report } from "./figures.ts";
import { model } from "./load/model.ts";

const WARM_UP = 1;
const ROUNDS = Number(process.env["ROUNDS"] ?? 15);
const PEERS = {
  approval: "AI SDK, tool approval",
  output: "AI SDK, addToolOutput",
  tanstack: "TanStack AI, tool approval",
  "copilot-tool": "CopilotKit, useHumanInTheLoop",
  "copilot-interrupt": "CopilotKit, useInterrupt",
};
const WAYS = ["kit", ...Object.keys(PEERS)];

// The package reads it when it loads.
process.env["COPILOTKIT_TELEMETRY_DISABLED"] = "true";
const { peers } = await import("./answer/peers/server.mjs");

const inputSchema = z.object({});
const TRIP = z.object({ city: z.string().default("Lisbon") });

const runtime = createRuntime({
  basePath: "/kit",
  authenticate: () => ({ id: "ada" }),
  allowedOrigins: () => true,
  onError: console.error,
  runTurn: createAgentTurn({
    model,
    requester: { name: "Bench" },
    onError: console.error,
    tools: {
      book_flight: ({ elicitor }) =>
        tool({
          inputSchema,
          execute: async (_, { toolCallId }) => {
            const trip = await elicitor(toolCallId).form("Where to?", TRIP);
            return trip.outcome === "accepted" ? `Booked: ${trip.value.city}` : trip.text;
          },
        }),
    },
  }),
});

const TOOLS: Readonly<Record<string, ToolSet>> = {
  "/approval": {
    book_flight: tool({ inputSchema, needsApproval: true, execute: async () => "Booked: Lisbon" }),
  },
  "/output": { book_flight: tool({ inputSchema, outputSchema: z.string() }) },
};

async function chat(request: Request, tools: ToolSet): Promise<Response> {
  const { messages }: { messages: UIMessage[] } = await request.json();
  const { stream } = streamText({
    model,
    tools,
    messages: await convertToModelMessages(messages, { tools }),
    stopWhen: isStepCount(10),
  });
  return createUIMessageStreamResponse({
    stream: toUIMessageStream({ stream, tools, originalMessages: messages }),
  });
}

const packageOf = (name: string): string =>
  fileURLToPath(new URL(`../node_modules/${name}`, import.meta.url));
const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL("answer/page.tsx", import.meta.url))],
  bundle: true,
  minify: true,
  splitting: true,
  write: false,
  outdir: "/",
  format: "esm",
  jsx: "automatic",
  // Bundles React only once, and no fonts.
  alias: { react: packageOf("react"), "react-dom": packageOf("react-dom") },
  loader: { ".woff": "empty", ".woff2": "empty", ".ttf": "empty" },
  define: { "process.env.NODE_ENV": '"production"' },
  logLevel: "error",
});
const scripts = new Map(outputFiles.map(({ path, text }) => [path, text]));

const served = await serve({
  fetch: async (request) => {
    const { pathname } = new URL(request.url);
    const tools = TOOLS[pathname];
    if (tools !== undefined) return chat(request, tools);
    if (pathname.startsWith("/kit/")) return runtime.fetch(request);
    const answered = peers(request);
    if (answered !== undefined) return answered;
    const script = scripts.get(pathname);
    return script === undefined
      ? new Response('<!doctype html><main></main><script type="module" src="/page.js"></script>', {
          headers: { "content-type": "text/html" },
        })
      : new Response(script, { headers: { "content-type": "text/javascript" } });
  },
});

interface Taken {
  ms: number;
  bytes: number;
  requests: number;
}

/** Records the time of the click on Send, and the time when the page shows the first word after it. */
const NOTE = `
  addEventListener("click", ({ target }) => {
    if (target.closest("button")?.textContent.includes("Send")) window.clickedAt ??= performance.now();
  }, { capture: true });
  addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
    if (window.clickedAt && document.querySelector("main").textContent.includes("Done.")) window.shownAt ??= performance.now();
  }).observe(document.body, { childList: true, subtree: true, characterData: true }));
`;

async function measure(browser: Browser, way: string): Promise<Taken> {
  const page = await browser.newPage();
  await page.addInitScript(NOTE);
  await page.goto(`${served.url}/chats/${way}`);
  await page.getByRole("button", { name: "Start" }).click();
  const send = page.getByRole("button", { name: "Send" });
  await send.waitFor();
  let bytes = 0;
  let requests = 0;
  page.on("request", (request) => {
    requests += 1;
    bytes += request.postDataBuffer()?.byteLength ?? 0;
  });
  await send.click();
  await page.getByText("Done.").waitFor();
  const ms = await page.evaluate<number>("window.shownAt - window.clickedAt");
  await page.close();
  return { ms, bytes, requests };
}

const taken = new Map<string, Taken[]>(WAYS.map((way) => [way, []]));
const browser = await chromium.launch(chromiumLaunchOptions());
try {
  // Alternates between the chats, so that other load on the machine affects all of them.
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    for (const way of WAYS) {
      const one = await measure(browser, way);
      if (round >= 0) taken.get(way)?.push(one);
    }
  }
} finally {
  await browser.close();
  await runtime.close();
  await served.close();
}

const median = (way: string, what: keyof Taken): number => {
  const all = (taken.get(way) ?? []).map((one) => one[what]).toSorted((a, b) => a - b);
  return all[Math.floor(all.length / 2)] ?? Number.NaN;
};
const figures = Object.entries(PEERS).flatMap(([way, name]): Figure[] => [
  {
    figure: "click on Send to the next visible token",
    unit: "ms",
    ours: median("kit", "ms"),
    peer: { name, value: median(way, "ms") },
    target: 1,
  },
  {
    figure: "bytes sent for an answer after 40 messages",
    unit: "KiB",
    ours: median("kit", "bytes") / 1024,
    peer: { name, value: median(way, "bytes") / 1024 },
  },
]);
report(figures);
for (const way of WAYS) console.log(`${way}: ${median(way, "requests")} requests after the click`);
if (!figures.every(isMet)) process.exitCode = 1;
