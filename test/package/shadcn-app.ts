/**
 * The registry item in new Vite apps with Tailwind CSS and shadcn/ui on Radix and on Base UI: built and added by the
 * shadcn CLI, compiled, and used in Chromium. `node test/package/shadcn-app.ts` after a build, or with the name of a
 * style. Part of `npm run test:long`.
 */
import type { ChildProcess } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Locator, type Page, chromium } from "playwright";
import { chromiumLaunchOptions } from "../../tools/chromium.mjs";
import { freePort, listen } from "../stages/listen.ts";
import { cardOf, run, say, startViteGuide, writeViteGuide } from "./guide-app.ts";
import { checkout, pack } from "./installed.ts";

/** The versions of shadcn/ui's components in apps: those of its styles on Radix and on Base UI. */
const STYLES = { "new-york-v4": "radix-ui@1.8.1", "base-nova": "@base-ui/react@1.9.0" } as const;
type Style = keyof typeof STYLES;

/** The packages that `shadcn init` installs. */
const TOOLS = [
  "tailwindcss@4.3.5",
  "@tailwindcss/vite@4.3.5",
  "shadcn@4.23.0",
  "class-variance-authority@0.7.1",
  "clsx@2.1.1",
  "lucide-react@1.79.0",
  "tailwind-merge@3.6.0",
];

/** The files that `shadcn init` writes, with colours that are easy to find again. */
const filesOf = (style: Style): Readonly<Record<string, string>> => ({
  "components.json": JSON.stringify({
    $schema: "https://ui.shadcn.com/schema.json",
    style,
    rsc: false,
    tsx: true,
    tailwind: { config: "", css: "src/index.css", baseColor: "neutral", cssVariables: true },
    iconLibrary: "lucide",
    aliases: {
      components: "@/components",
      utils: "@/lib/utils",
      ui: "@/components/ui",
      lib: "@/lib",
      hooks: "@/hooks",
    },
  }),
  "src/lib/utils.ts": `import { type ClassValue, clsx } from "clsx";
import { twMerge } from "tailwind-merge";

export const cn = (...inputs: ClassValue[]) => twMerge(clsx(inputs));
`,
  "src/index.css": `@import "tailwindcss";

:root {
  --radius: 0.625rem;
  --background: #fff;
  --foreground: #111;
  --card: #fffdf5;
  --card-foreground: #111;
  --popover: #fff;
  --popover-foreground: #111;
  --primary: #6b21a8;
  --primary-foreground: #fff;
  --muted: #f4f4f5;
  --muted-foreground: #555;
  --accent: #f4f4f5;
  --accent-foreground: #111;
  --border: #ddd;
  --input: #ddd;
  --ring: #999;
  --destructive: #b42318;
}

@theme inline {
  --radius-md: calc(var(--radius) - 2px);
  --radius-lg: var(--radius);
  --radius-xl: calc(var(--radius) + 4px);
${["background", "foreground", "card", "card-foreground", "popover", "popover-foreground", "primary"]
  .concat(["primary-foreground", "muted", "muted-foreground", "accent", "accent-foreground"])
  .concat(["border", "input", "ring", "destructive"])
  .map((name) => `  --color-${name}: var(--${name});`)
  .join("\n")}
}

@layer base {
  * {
    @apply border-border;
  }
}
`,
});

/** Questions for the components of the app: an input, a select, and a checkbox. The kit renders the number. */
const SCHEMA = `const stay = z.object({
  city: z.string().min(2).meta({ title: "City" }),
  nights: z.int().min(1).max(14).meta({ title: "Nights" }),
  board: z
    .enum(["Room only", "Breakfast", "Half board", "Full board", "All inclusive", "Self catering"])
    .meta({ title: "Board" }),
  late: z.boolean().default(false).meta({ title: "Late arrival" }),
});`;

/**
 * Replaces https://ui.shadcn.com/r, with the six components that the item depends on, as shadcn/ui has published them:
 * see `from` in test/fixtures/shadcn. It also serves the item itself, like a site would.
 */
async function answer(path: string, folder: string): Promise<string> {
  if (path === "/r/elicitation.json") return readFile(join(folder, "r", "elicitation.json"), "utf8");
  const [, style, name] = /^\/styles\/([\w-]+)\/([\w-]+)\.json$/.exec(path) ?? [];
  if (style !== undefined && name !== undefined && name !== "index") {
    const file = join(checkout, "test", "fixtures", "shadcn", `${style}.json`);
    const { items } = JSON.parse(await readFile(file, "utf8")) as { items: Record<string, unknown> };
    return JSON.stringify(items[name]);
  }
  // The base colours of a theme, which these pages do not use.
  const colours = { inlineColors: { light: {}, dark: {} }, cssVars: {} };
  return JSON.stringify({ ...colours, inlineColorsTemplate: "", cssVarsTemplate: "" });
}

let folder = "";
const registry = createServer((request, response) => {
  response.setHeader("content-type", "application/json");
  answer(request.url ?? "", folder).then(
    (text) => response.end(text),
    () => response.writeHead(404).end(),
  );
});
const { url: registryUrl, close: closeRegistry } = await listen(registry);
process.env["REGISTRY_URL"] = registryUrl;

const parent = await mkdtemp(join(tmpdir(), "elicit-kit-shadcn-"));
const started: ChildProcess[] = [];
const browser = await chromium.launch(chromiumLaunchOptions());
try {
  const { tarball } = await pack(parent);
  for (const style of ["new-york-v4", "base-nova"] as const) {
    if (process.argv.length > 2 && !process.argv.includes(style)) continue;
    folder = join(parent, style);
    const url = await createApp(style, tarball);
    const page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(url);
    await tryOut(page, style);
    await page.close();
    for (const child of started.splice(0)) child.kill();
    console.log(
      `shadcn, ${style}: the cards were added, asked in the colours of the theme, and the turn continued`,
    );
  }
} finally {
  await browser.close();
  await closeRegistry();
  for (const child of started) child.kill();
  await rm(parent, { recursive: true, force: true, maxRetries: 10 });
}

async function createApp(style: Style, tarball: string): Promise<string> {
  const ports = { page: await freePort(), server: await freePort() };
  await writeViteGuide(folder, ports);
  for (const [name, text] of Object.entries(filesOf(style))) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  await change("tsconfig.json", '"strict": true', '"strict": true, "paths": { "@/*": ["./src/*"] }');
  await change(
    "vite.config.ts",
    "plugins: [react()]",
    "plugins: [react(), tailwind()], resolve: { tsconfigPaths: true }",
  );
  await change("vite.config.ts", "import react", 'import tailwind from "@tailwindcss/vite";\nimport react');
  await change("lib/book-hotel.ts", /const stay = [^]*?\n\}\);/, SCHEMA);
  await change(
    "lib/book-hotel.ts",
    "in ${hotel.value.city}.",
    "in ${hotel.value.city}, ${hotel.value.board}.",
  );

  await run(folder, "npm", "ci", "--loglevel=error");
  // Saved, so that the CLI does not install the packages again.
  await run(
    folder,
    "npm",
    "install",
    "--ignore-scripts",
    "--loglevel=error",
    tarball,
    STYLES[style],
    ...TOOLS,
  );
  await run(folder, "shadcn", "build", "--cwd", checkout, "registry.json", "--output", join(folder, "r"));
  await run(folder, "shadcn", "add", `${registryUrl}/r/elicitation.json`, "--yes");

  await change(
    "src/App.tsx",
    'import { Elicitations, useElicitation } from "elicit-kit";',
    'import { useElicitation } from "elicit-kit";\nimport { ElicitationCards } from "@/components/elicitation/elicitation-cards";',
  );
  await change("src/App.tsx", "<Elicitations ", "<ElicitationCards ");
  await change("src/App.tsx", 'import "elicit-kit/styles.css";', 'import "./index.css";');
  // A utility class on a part that elicit-kit/styles.css styles, as the owner of the source would write it.
  await change(
    "src/components/elicitation/form-card.tsx",
    "<Form.Control />",
    '<Form.Control className="rounded-none" />',
  );
  return startViteGuide(folder, ports, started);
}

async function tryOut(page: Page, style: Style): Promise<void> {
  await say(page, "Book me a hotel");
  const card = cardOf(page);
  const send = card.getByRole("button", { name: "Send" });
  await send.waitFor();
  const shot = process.env["SHOTS"];
  if (shot !== undefined) await page.screenshot({ path: join(shot, `${style}.png`) });
  await expectStyle(send, "background-color", "rgb(107, 33, 168)");
  // The border of a control that the kit renders: Tailwind's base styles would remove it, and a utility changes its
  // corners.
  const nights = card.locator(".elicit-stepper");
  await expectStyle(nights, "border-top-style", "solid");
  await expectStyle(nights, "border-top-left-radius", "0px");
  for (const slot of ["card", "input", "select-trigger", "checkbox", "button"])
    await card
      .locator(`[data-slot=${slot}]`)
      .or(page.locator(`[data-slot=${slot}]`))
      .first()
      .waitFor();

  await card.getByLabel("City").fill("Lisbon");
  await card.getByLabel("Nights").fill("3");
  const board = card.getByRole("combobox", { name: "Board" });
  // Escape closes the list, and the card stays.
  await board.click();
  await page.getByRole("option", { name: "Half board" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("option", { name: "Half board" }).waitFor({ state: "hidden" });
  await board.click();
  await page.getByRole("option", { name: "Half board" }).click();
  await card.getByRole("checkbox", { name: "Late arrival" }).click();
  if (shot !== undefined) await page.screenshot({ path: join(shot, `${style}-filled.png`) });
  await send.click();
  await page.getByText("Booked 3 nights in Lisbon, Half board.").waitFor();
  if (shot !== undefined) await page.screenshot({ path: join(shot, `${style}-sent.png`) });
}

async function expectStyle(element: Locator, property: string, wanted: string): Promise<void> {
  const found = await element.evaluate((it, key) => getComputedStyle(it).getPropertyValue(key), property);
  if (found !== wanted)
    throw new Error(`elicit-kit: ${property} of ${String(element)} is ${found}, not ${wanted}.`);
}

async function change(file: string, before: string | RegExp, after: string): Promise<void> {
  const path = join(folder, file);
  const text = await readFile(path, "utf8");
  const next = text.replace(before, () => after);
  if (next === text) throw new Error(`elicit-kit: ${file} has no ${String(before)} any more.`);
  await writeFile(path, next);
}
