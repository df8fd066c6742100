import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Plugin, build } from "vite";

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const MODULE = at("extras/mcp-server/app/card-html.ts").replaceAll("\\", "/");

/** React DOM would be half of the file. Preact supports everything that the cards use, in a tenth of the size. */
const PREACT = [
  { find: /^react\/jsx-runtime$/, replacement: "preact/jsx-runtime" },
  { find: /^react-dom\/client$/, replacement: "preact/compat/client" },
  { find: /^react(-dom)?$/, replacement: "preact/compat" },
];
/**
 * Code of the cards that this view never uses: the place at a composer, the signs of a hidden page, the calls of the
 * HTTP contract, the code for a phone, the accounts of the operator's own users, and the buttons that leave a decision to
 * the agent or to another user, which tools of MCP servers do not offer.
 */
const UNUSED =
  /\/(?:dock\.tsx|attention\.ts|http-calls\.ts|carry-code\.tsx|delegate\.tsx|hand-over\.tsx|connect-prompt\/account\.tsx)$/;
const NOTHING = [
  "const nothing = () => undefined;",
  "export const createHttpCalls = undefined, Account = undefined, CarryCode = undefined;",
  "export { nothing as delegateView, nothing as giveOnView, nothing as giveToView, nothing as remindView, nothing as takeBackView, nothing as waitsForView };",
].join("\n");

const withoutUnused: Plugin = {
  name: "without-unused",
  load: (id) => (UNUSED.test(id) ? NOTHING : undefined),
};

/** Writes the card of MCP Apps into the module that serves it, so that the kit does not read files at run time. */
export const cardPage: Plugin = {
  name: "card-page",
  async load(id) {
    if (id.split("?", 1)[0] !== MODULE) return undefined;
    const html = await buildCard();
    const version = createHash("sha256").update(html).digest("hex").slice(0, 12);
    const code = [
      `export const CARD_HTML = ${JSON.stringify(html)};`,
      `export const CARD_VERSION = ${JSON.stringify(version)};`,
    ].join("\n");
    return { code, map: { mappings: "" } };
  },
};

/** Builds the view as one HTML file without external resources, because hosts block all network requests of a view. */
async function buildCard(): Promise<string> {
  const built = await build({
    configFile: false,
    // At a lower level, Vite warns about each "use client", which has no effect here.
    logLevel: "error",
    publicDir: false,
    resolve: { alias: PREACT },
    plugins: [withoutUnused],
    // Set here because tests and Storybook also build the card, in their own modes.
    define: { "process.env.NODE_ENV": '"production"' },
    oxc: { jsx: { runtime: "automatic", development: false } },
    build: {
      write: false,
      target: "es2022",
      minify: true,
      // Browsers that support `light-dark()`: the fallback is larger, and ignores the colours of the host.
      cssTarget: ["chrome123", "firefox120", "safari17.5"],
      // Views of a strict host cannot load files, so nothing is preloaded.
      modulePreload: false,
      lib: { entry: at("extras/mcp-app/card/main.tsx"), formats: ["iife"], name: "card" },
    },
  });
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) =>
    "output" in one ? one.output : [],
  );
  const scripts = outputs.flatMap((file) => (file.type === "chunk" ? [file.code] : []));
  const styles = outputs.flatMap((file) =>
    file.type === "asset" && file.fileName.endsWith(".css") ? [String(file.source)] : [],
  );
  const [script, ...others] = scripts;
  if (script === undefined || others.length > 0) {
    throw new Error(`elicit-kit: the card must be one script, and is ${scripts.length}.`);
  }
  // The licence requires copies to include it.
  const licence = readFileSync(at("node_modules/preact/LICENSE"), "utf8").trim();
  // The end tag of a script ends the script even inside a string.
  const inline = script.replaceAll(/<(\/script|!--)/gi, "\\x3c$1");
  return [
    `<!doctype html><html><head><meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<!-- With Preact:\n${licence}\n-->`,
    // The script replaces this text in the language of the host.
    `<title>Your answer is needed</title><style>${styles.join("\n")}</style></head>`,
    `<body><main id="card" data-server=""></main><script>${inline}</script></body></html>`,
  ].join("");
}
