/**
 * The registry item in a new Vite app with Tailwind CSS: built and added by the shadcn CLI, compiled, and answered in
 * Chromium. `node test/package/shadcn-app.ts` after a build. Part of `npm run test:long`.
 */
import type { ChildProcess } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright";
import { chromiumLaunchOptions } from "../../tools/chromium.mjs";
import { book, cardOf, freePort, run, say, startViteGuide, writeViteGuide } from "./guide-app.ts";
import { checkout, pack } from "./installed.ts";

const TOOLS = ["tailwindcss@4.3.5", "@tailwindcss/vite@4.3.5", "shadcn@4.23.0"];

/** What `shadcn init` writes, and a theme of two colours that are easy to find again. */
const FILES = {
  "components.json": JSON.stringify({
    $schema: "https://ui.shadcn.com/schema.json",
    style: "new-york",
    rsc: false,
    tsx: true,
    tailwind: { config: "", css: "src/index.css", baseColor: "neutral", cssVariables: true },
    aliases: {
      components: "@/components",
      utils: "@/lib/utils",
      ui: "@/components/ui",
      lib: "@/lib",
      hooks: "@/hooks",
    },
  }),
  "src/index.css": `@import "tailwindcss";

:root {
  --card: #fffdf5;
  --card-foreground: #111;
  --primary: #6b21a8;
  --primary-foreground: #fff;
  --muted: #f4f4f5;
  --muted-foreground: #555;
  --border: #ddd;
  --destructive: #b42318;
  --foreground: #111;
}

@theme inline {
  --color-card: var(--card);
  --color-card-foreground: var(--card-foreground);
  --color-primary: var(--primary);
  --color-primary-foreground: var(--primary-foreground);
  --color-muted: var(--muted);
  --color-muted-foreground: var(--muted-foreground);
  --color-border: var(--border);
  --color-destructive: var(--destructive);
  --color-foreground: var(--foreground);
}
`,
};

/** The CLI asks its registry for the base colours of a theme, which this page does not use. */
const registry = createServer((_, response) => {
  response.setHeader("content-type", "application/json");
  response.end(
    JSON.stringify({
      inlineColors: { light: {}, dark: {} },
      cssVars: {},
      inlineColorsTemplate: "",
      cssVarsTemplate: "",
    }),
  );
});
const registryPort = await freePort();
await new Promise<void>((resolve) => registry.listen(registryPort, "127.0.0.1", resolve));
process.env["REGISTRY_URL"] = `http://127.0.0.1:${registryPort}`;

const folder = await mkdtemp(join(tmpdir(), "elicit-kit-shadcn-"));
const started: ChildProcess[] = [];
const browser = await chromium.launch(chromiumLaunchOptions());
try {
  const ports = { page: await freePort(), server: await freePort() };
  await writeViteGuide(folder, ports);
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text);
  await change("tsconfig.json", '"strict": true', '"strict": true, "paths": { "@/*": ["./src/*"] }');
  await change(
    "vite.config.ts",
    "plugins: [react()]",
    "plugins: [react(), tailwind()], resolve: { tsconfigPaths: true }",
  );
  await change("vite.config.ts", "import react", 'import tailwind from "@tailwindcss/vite";\nimport react');

  const { tarball } = await pack(folder);
  await run(folder, "npm", "ci", "--loglevel=error");
  // Saved, so that the CLI does not install the package once more.
  await run(folder, "npm", "install", "--ignore-scripts", "--loglevel=error", tarball, ...TOOLS);
  await run(folder, "shadcn", "build", "--cwd", checkout, "registry.json", "--output", join(folder, "r"));
  await run(folder, "shadcn", "add", "./r/elicitation.json", "--yes");

  await change(
    "src/App.tsx",
    'import { Elicitations } from "elicit-kit"',
    'import { ElicitationCards } from "@/components/elicitation/elicitation-cards"',
  );
  await change("src/App.tsx", "<Elicitations ", "<ElicitationCards ");
  await change("src/App.tsx", 'import "elicit-kit/styles.css";', 'import "./index.css";');
  const url = await startViteGuide(folder, ports, started);
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(url);
  await say(page, "Book me a hotel");
  const send = cardOf(page).getByRole("button", { name: "Send" });
  await send.waitFor();
  const colour = await send.evaluate((button) => getComputedStyle(button).backgroundColor);
  if (colour !== "rgb(107, 33, 168)")
    throw new Error(`elicit-kit: the button is ${colour}, not of the theme's colour.`);
  const edge = await cardOf(page)
    .getByRole("textbox", { name: "City" })
    .evaluate((input) => getComputedStyle(input).borderTopWidth);
  if (edge !== "1px")
    throw new Error(
      `elicit-kit: the input has an edge of ${edge}: the stylesheet is missing, or Tailwind's base wins.`,
    );
  await page.screenshot({ path: process.env["SHOT"] ?? join(folder, "card.png") });
  await book(page, "Lisbon", 3);
  console.log("shadcn: the cards were added, and asked in the colours of the theme; the turn went on");
} finally {
  await browser.close();
  registry.close();
  for (const child of started) child.kill();
  await rm(folder, { recursive: true, force: true });
}

async function change(file: string, before: string, after: string): Promise<void> {
  const path = join(folder, file);
  const text = await readFile(path, "utf8");
  if (!text.includes(before)) throw new Error(`elicit-kit: ${file} has no ${before} any more.`);
  await writeFile(path, text.replace(before, after));
}
