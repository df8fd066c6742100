/**
 * The pieces of docs/show/without-react.md for Vue and Svelte, in apps of create-vite with the AI SDK's own chat for each,
 * before the runtime of the quickstart. `node test/package/frameworks-app.ts` after a build, or with the name of one. Part
 * of `npm run test:long`.
 */
import type { ChildProcess } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright";
import { chromiumLaunchOptions } from "../../tools/chromium.mjs";
import { freePort } from "../stages/listen.ts";
import { AGENT, answering, book, exited, launch, run, say, stopAndGoOn, writeGuide } from "./guide-app.ts";
import { checkout, pack } from "./installed.ts";

const VITE = ["create-vite@9.3.0", "--no-interactive", "--template"];
const SERVER = ["ai@7.0.173", "zod@4.6.7", "hono@4.13.19", "@hono/node-server@2.1.8", "tsx@4.23.15"];

interface Framework {
  readonly chat: string;
  /** The heading of the part in the guide, and its file. */
  readonly piece: readonly [heading: string, file: string];
  readonly files: Readonly<Record<string, string>>;
  readonly plugin: readonly [name: string, from: string];
}

const FRAMEWORKS: Readonly<Record<string, Framework>> = {
  vue: {
    chat: "@ai-sdk/vue@4.0.142",
    piece: ["Vue", "src/use-elicitations.js"],
    plugin: ["vue", "@vitejs/plugin-vue"],
    files: {
      "src/App.vue": `<script setup>
import { Chat } from "@ai-sdk/vue";
import { createElicitation } from "elicit-kit/ai-sdk";
import { validate } from "elicit-kit/form";
import { useElicitations } from "./use-elicitations.js";

const client = createElicitation({ api: "/run/api" });
const chat = new Chat({ transport: client.createTransport() });
const items = useElicitations(client);

function send(event) {
  void chat.sendMessage({ text: new FormData(event.target).get("text") });
  event.target.reset();
}

function submit(event, item) {
  const checked = validate(item.fields, Object.fromEntries(new FormData(event.target)));
  if (checked.ok) void client.accept(item.id, checked.content);
}
</script>

<template>
  <p v-for="message in chat.messages" :key="message.id">
    <template v-for="part in message.parts">{{ part.type === "text" ? part.text : "" }}</template>
  </p>
  <template v-for="item in items" :key="item.id">
    <section v-if="item.status === 'pending'" role="group" :aria-label="item.request.message">
      <form @submit.prevent="submit($event, item)">
        <label v-for="field in item.fields" :key="field.name">{{ field.label }} <input :name="field.name" /></label>
        <button>Send</button>
      </form>
    </section>
  </template>
  <form @submit.prevent="send">
    <input name="text" aria-label="Message" />
    <button type="button" @click="chat.stop()">Stop</button>
  </form>
</template>
`,
    },
  },
  svelte: {
    chat: "@ai-sdk/svelte@5.0.118",
    piece: ["Svelte", "src/elicitations.js"],
    plugin: ["{ svelte }", "@sveltejs/vite-plugin-svelte"],
    files: {
      "src/App.svelte": `<script>
  import { Chat } from "@ai-sdk/svelte";
  import { createElicitation } from "elicit-kit/ai-sdk";
  import { validate } from "elicit-kit/form";
  import { elicitationsOf } from "./elicitations.js";

  const client = createElicitation({ api: "/run/api" });
  const chat = new Chat({ transport: client.createTransport() });
  const items = elicitationsOf(client);

  function send(event) {
    event.preventDefault();
    void chat.sendMessage({ text: new FormData(event.target).get("text") });
    event.target.reset();
  }

  function submit(event, item) {
    event.preventDefault();
    const checked = validate(item.fields, Object.fromEntries(new FormData(event.target)));
    if (checked.ok) void client.accept(item.id, checked.content);
  }
</script>

{#each chat.messages as message (message.id)}
  <p>{#each message.parts as part}{part.type === "text" ? part.text : ""}{/each}</p>
{/each}
{#each $items as item (item.id)}
  {#if item.status === "pending"}
    <div role="group" aria-label={item.request.message}>
      <form onsubmit={(event) => submit(event, item)}>
        {#each item.fields as field (field.name)}
          <label>{field.label} <input name={field.name} /></label>
        {/each}
        <button>Send</button>
      </form>
    </div>
  {/if}
{/each}
<form onsubmit={send}>
  <input name="text" aria-label="Message" />
  <button type="button" onclick={() => chat.stop()}>Stop</button>
</form>
`,
    },
  },
};

const guide = await readFile(join(checkout, "docs", "show", "without-react.md"), "utf8");
const parent = await mkdtemp(join(tmpdir(), "elicit-kit-frameworks-"));
const browser = await chromium.launch(chromiumLaunchOptions());
const started: ChildProcess[] = [];
try {
  const { tarball } = await pack(parent);
  for (const [name, { chat, piece, files, plugin }] of Object.entries(FRAMEWORKS)) {
    if (process.argv.length > 2 && !process.argv.includes(name)) continue;
    const folder = join(parent, name);
    const ports = { page: await freePort(), server: await freePort() };
    const [generator = "", ...options] = VITE;
    await run(parent, "npx", "--yes", generator, name, ...options, name);
    await run(folder, "npm", "install", "--loglevel=error", tarball, chat, ...SERVER);
    await writeGuide(folder, { ...AGENT, "server-hono.ts": "server-hono.ts" }, ports);
    const [heading, file] = piece;
    const code = new RegExp(`^## ${heading}\\n[^]*?^\`\`\`js\\n([^]*?)^\`\`\`$`, "m").exec(guide)?.[1];
    if (code === undefined) throw new Error(`elicit-kit: the guide has no code for ${heading} any more.`);
    const [imported, from] = plugin;
    const all = {
      ...files,
      [file]: code,
      "vite.config.js": `import ${imported} from "${from}";
export default { plugins: [${name}()], server: { proxy: { "/run": "http://localhost:${ports.server}" } } };
`,
    };
    for (const [path, text] of Object.entries(all)) await writeFile(join(folder, path), text);
    started.push(launch(folder, "tsx", ["server-hono.ts"]));
    started.push(launch(folder, "vite", ["--port", String(ports.page), "--strictPort"]));
    const url = `http://localhost:${ports.page}`;
    await answering(url);
    const page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(url);
    await say(page, "Book me a hotel");
    await book(page, "Lisbon", 3);
    await stopAndGoOn(page);
    if (errors.length > 0) throw new Error(`elicit-kit: the page threw ${errors.join(", ")}`);
    await page.close();
    for (const child of started.splice(0)) {
      const ended = exited(child);
      child.kill();
      await ended;
    }
    console.log(`${name}: asked in Chromium, answered, and the turn continued`);
  }
} finally {
  await browser.close();
  for (const child of started) child.kill();
  await rm(parent, { recursive: true, force: true, maxRetries: 10 });
}
