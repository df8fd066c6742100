/** Mount of a form in Chromium, the kit beside other ways to show it: `node bench/forms-mount.ts`. */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chromium } from "playwright";
import { chromiumLaunchOptions } from "../tools/chromium.mjs";

const ROUNDS = 60;
const SIZES = [6, 100];

function cell(kit: number, ms: number): string {
  return `${ms.toFixed(2).padStart(7)} (${(kit / ms).toFixed(2)})`;
}

const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL("forms-mount/page.mjs", import.meta.url))],
  bundle: true,
  minify: true,
  write: false,
  format: "iife",
  jsx: "automatic",
  define: { "process.env.NODE_ENV": '"production"' },
  logLevel: "error",
});
const browser = await chromium.launch(chromiumLaunchOptions());
try {
  const page = await browser.newPage();
  await page.setContent("<!doctype html><title>Forms</title>");
  // Chromium's own work for a change of focus, which only the kit makes, varies more than all the rest.
  await page.evaluate(() => {
    HTMLElement.prototype.focus = () => undefined;
  });
  await page.addScriptTag({ content: outputFiles[0]!.text });
  for (const size of SIZES) {
    const measured = await page.evaluate(
      ([fields, rounds]) => {
        const measure: unknown = Reflect.get(globalThis, "measureForms");
        if (typeof measure !== "function") throw new Error("the page did not load");
        const rows: unknown = measure(fields, rounds);
        if (!Array.isArray(rows)) throw new Error("the page measured nothing");
        return rows.map(([name, script, layout]) => [String(name), Number(script), Number(layout)] as const);
      },
      [size, ROUNDS] as const,
    );
    const [, kitScript, kitLayout] = measured.find(([name]) => name === "elicit-kit")!;
    console.log(`Mount of ${size} fields, lower quartile of ${ROUNDS}, ms (the kit's share of it):`);
    for (const [name, script, layout] of measured) {
      const whole = cell(kitScript + kitLayout, script + layout);
      console.log(
        `  ${name.padEnd(22)} script ${cell(kitScript, script)}  layout ${cell(kitLayout, layout)}  both ${whole}`,
      );
    }
  }
} finally {
  await browser.close();
}
