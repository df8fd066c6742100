/**
 * Measures the time from a click on Send to the next visible token, in Chromium on loopback, with the same scripted model
 * for all: `node bench/answer.ts`. It compares the kit with the AI SDK's tool approval, the AI SDK's `addToolOutput`,
 * TanStack AI's tool approval, CopilotKit's frontend tool and CopilotKit's interrupt. Each round opens a new page with a
 * history of 40 messages. The other packages render one button; the kit renders a card, which is answered with Send, with
 * an option, with Decline, or with "I’ve finished". `ROUNDS` sets the number of rounds, and `RUNS` how often all of them
 * are repeated: the figures are then medians of the medians.
 */
import { fileURLToPath } from "node:url";
import {
  type ModelMessage,
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
import { serve } from "../src/node/index.ts";
import { createRuntime, type Elicitor } from "../src/runtime/index.ts";
import { chromiumLaunchOptions } from "../tools/chromium.mjs";
import { type Figure, median, report } from "./figures.ts";
import { model } from "./load/model.ts";

const WARM_UP = 1;
const ROUNDS = Number(process.env["ROUNDS"] ?? 15);
const RUNS = Number(process.env["RUNS"] ?? 5);
const PEERS = {
  approval: "AI SDK, tool approval",
  output: "AI SDK, addToolOutput",
  tanstack: "TanStack AI, tool approval",
  "copilot-tool": "CopilotKit, useHumanInTheLoop",
  "copilot-interrupt": "CopilotKit, useInterrupt",
};
/** Each answer of the kit: what the user presses. */
const ANSWERS = {
  kit: "Send",
  "kit-choice": "Lisbon",
  "kit-decline": "Decline",
  "kit-finished": "I’ve finished",
};
const WAYS = [...Object.keys(ANSWERS), ...Object.keys(PEERS)];

// The package reads it when it loads.
process.env["COPILOTKIT_TELEMETRY_DISABLED"] = "true";
const { peers } = await import("./answer/peers/server.mjs");

const inputSchema = z.object({});
const TRIP = z.object({ city: z.string().default("Lisbon") });

/** Asks for the answer that the page wants to measure, which its last message names. */
async function bookAfter(ask: Elicitor, way: string, page: string): Promise<string> {
  if (way === "kit-finished") {
    const paid = await ask.url("Pay for the flight.", { url: page, service: "Acme Pay" });
    return paid.outcome === "accepted" ? "Paid." : paid.text;
  }
  if (way === "kit-choice") {
    const city = await ask.choose("Where to?", ["Lisbon", "Porto"], { send: "on-press" });
    return city.outcome === "accepted" ? `Booked: ${city.value}` : city.text;
  }
  const trip = await ask.form("Where to?", TRIP);
  return trip.outcome === "accepted" ? `Booked: ${trip.value.city}` : trip.text;
}

const runtime = createRuntime({
  basePath: "/kit",
  authenticate: () => ({ id: "ada" }),
  allowedOrigins: () => true,
  onError: console.error,
  isCompleted: () => true,
  runTurn: createAgentTurn({
    model,
    requester: { name: "Bench" },
    onError: console.error,
    tools: {
      book_flight: ({ elicitor }) =>
        tool({
          inputSchema,
          execute: (_, { toolCallId, messages }) =>
            bookAfter(elicitor(toolCallId), wayOf(messages), `${served.url}/paid`),
        }),
    },
  }),
});

function wayOf(messages: readonly ModelMessage[]): string {
  const said = JSON.stringify(messages.findLast(({ role }) => role === "user")?.content);
  return Object.keys(ANSWERS).findLast((way) => said.includes(way)) ?? "kit";
}

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
    if (pathname === "/paid") return new Response("Paid.");
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
  /** From the press to the call of `fetch`. */
  sent: number;
  /** From the press to the change of the page that shows the first word. */
  shown: number;
  /** From the press to the paint of the first word. */
  painted: number;
  bytes: number;
  requests: number;
}

/** Notes, by the clock of the page, when the answer is pressed and sent, and when the first word after it is there. */
const note = (press: string) => `
  const taken = (window.taken = {});
  const { fetch } = window;
  window.fetch = (...all) => {
    if (taken.pressed) taken.sent ??= performance.now();
    return fetch(...all);
  };
  addEventListener("click", ({ target }) => {
    const text = target.closest("button, label")?.textContent ?? "";
    if (text.includes(${JSON.stringify(press)})) taken.pressed ??= performance.now();
  }, { capture: true });
  addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
    if (!taken.pressed || taken.shown || !document.querySelector("main").textContent.includes("Done.")) return;
    taken.shown = performance.now();
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => (taken.painted = performance.now());
      port2.postMessage(0);
    });
  }).observe(document.body, { childList: true, subtree: true, characterData: true }));
`;

async function measure(browser: Browser, way: string): Promise<Taken> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const press = new Map(Object.entries(ANSWERS)).get(way) ?? "Send";
  await page.addInitScript(note(press));
  await page.goto(`${served.url}/chats/${way}`);
  await page.getByRole("button", { name: "Start" }).click();
  if (way === "kit-finished") {
    const [opened] = await Promise.all([
      page.waitForEvent("popup"),
      page.getByRole("button", { name: "Open page" }).click(),
    ]);
    await opened.waitForLoadState();
    await page.bringToFront();
  }
  const control =
    way === "kit-choice" ? page.getByText(press, { exact: true }) : page.getByRole("button", { name: press });
  await control.waitFor();
  let bytes = 0;
  let requests = 0;
  page.on("request", (request) => {
    requests += 1;
    bytes += request.postDataBuffer()?.byteLength ?? 0;
  });
  await control.click();
  await page.waitForFunction("window.taken.painted");
  const { pressed, sent, shown, painted } = await page.evaluate<Readonly<Record<string, number>>>("taken");
  await context.close();
  const after = (at = Number.NaN): number => at - (pressed ?? Number.NaN);
  return { sent: after(sent), shown: after(shown), painted: after(painted), bytes, requests };
}

/** The medians of one run, by way. */
async function run(browser: Browser): Promise<ReadonlyMap<string, Taken>> {
  const taken = new Map<string, Taken[]>(WAYS.map((way) => [way, []]));
  // Alternates between the chats, so that other load on the machine affects all of them.
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    for (const way of WAYS) {
      const one = await measure(browser, way);
      if (round >= 0) taken.get(way)?.push(one);
    }
  }
  return new Map(WAYS.map((way) => [way, medians(taken.get(way) ?? [])]));
}

function medians(all: readonly Taken[]): Taken {
  const of = (what: keyof Taken) => median(all.map((one) => one[what]));
  return {
    sent: of("sent"),
    shown: of("shown"),
    painted: of("painted"),
    bytes: of("bytes"),
    requests: of("requests"),
  };
}

const runs: ReadonlyMap<string, Taken>[] = [];
const browser = await chromium.launch(chromiumLaunchOptions());
try {
  for (let count = 0; count < RUNS; count += 1) {
    const one = await run(browser);
    runs.push(one);
    const line = WAYS.map((way) => `${way} ${one.get(way)?.painted.toFixed(1)}`).join(", ");
    console.log(`run ${count + 1}, painted after: ${line}`);
  }
} finally {
  await browser.close();
  await runtime.close();
  await served.close();
}

const takenBy = (way: string): Taken => medians(runs.flatMap((one) => one.get(way) ?? []));
console.log("\nmedians, ms after the press        sent   shown  painted  requests");
for (const way of WAYS) {
  const { sent, shown, painted, requests } = takenBy(way);
  const times = [sent, shown, painted].map((ms) => ms.toFixed(1).padStart(8)).join("");
  console.log(`${way.padEnd(32)}${times}${String(requests).padStart(8)}`);
}
const ours = takenBy("kit");
const figures = Object.entries(PEERS).flatMap(([way, name]): Figure[] => {
  const peer = takenBy(way);
  const beside = (what: keyof Taken, times = 1) => ({
    ours: ours[what] / times,
    peer: { name, value: peer[what] / times },
  });
  return [
    {
      figure: "press of Send to the paint of the next token",
      unit: "ms",
      ...beside("painted"),
      target: way.startsWith("copilot") ? 1.1 : 1,
    },
    { figure: "the same, to the change of the page", unit: "ms", ...beside("shown") },
    { figure: "bytes sent for an answer after 40 messages", unit: "KiB", ...beside("bytes", 1024) },
  ];
});
const others = Object.entries(ANSWERS).flatMap(([way, press]): Figure[] =>
  way === "kit"
    ? []
    : [
        {
          figure: `press of “${press}” to the paint of the next token`,
          unit: "ms",
          ours: takenBy(way).painted,
          peer: { name: PEERS.approval, value: takenBy("approval").painted },
          target: 1,
        },
      ],
);
report([...figures, ...others]);
