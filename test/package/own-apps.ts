/** Apps that already have a chat and a server, like in the AI SDK's documentation, and a user who follows `init`. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

export interface OwnApp {
  readonly files: Readonly<Record<string, string>>;
  /** The app's own server beside Vite. */
  readonly server?: string;
  readonly start: (port: string) => [program: string, args: string[]];
}

/** The placeholder in the files for a free port. */
const PORT = "{{port}}";

const CHAT = `  return (
    <main>
      {messages.map((message) => (
        <div key={message.id}>
          {message.role === "user" ? "User: " : "AI: "}
          {message.parts.map((part, index) => (part.type === "text" ? <span key={index}>{part.text}</span> : null))}
        </div>
      ))}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // Don't send what is empty.
          if (input.trim()) void sendMessage({ text: input });
          setInput("");
        }}
      >
        <input aria-label="Message" value={input} onChange={(event) => setInput(event.target.value)} />
        <button type="button" onClick={() => void stop()}>
          Stop
        </button>
      </form>
    </main>
  );
`;

const ROUTE = `import { convertToModelMessages, streamText, type UIMessage } from "ai";

export async function POST(request: Request) {
  const { messages }: { messages: UIMessage[] } = await request.json();
  const result = streamText({ model: "openai/gpt-5", messages: await convertToModelMessages(messages) });
  return result.toUIMessageStreamResponse();
}
`;

/** AI SDK 6 and 5 make a random id as they render, which Next.js allows only here while it builds a page. */
const IN_SUSPENSE = `export default function Page() {
  return (
    <Suspense>
      <Chat />
    </Suspense>
  );
}

function Chat() {`;

/** A chat in Next.js. With AI SDK 7 it has no options, with 6 some, and with 5 its own transport. */
export function ownNextChat(aiSdk: 5 | 6 | 7): OwnApp {
  const options = {
    7: "",
    6: "{ onFinish: () => console.log('finished') }",
    5: '{\n    transport: new DefaultChatTransport({ api: "/api/chat" }),\n  }',
  }[aiSdk];
  return {
    files: {
      "app/api/chat/route.ts": ROUTE,
      "app/assistant/page.tsx": `"use client";

import { useChat } from "@ai-sdk/react";
${aiSdk === 5 ? 'import { DefaultChatTransport } from "ai";\n' : ""}import { ${aiSdk === 7 ? "" : "Suspense, "}useState } from "react";

${aiSdk === 7 ? "export default function Page() {" : IN_SUSPENSE}
  const [input, setInput] = useState("");
  const { messages, sendMessage, stop } = useChat(${options});

${CHAT}}
`,
    },
    start: () => ["npm", ["run", "dev"]],
  };
}

/** A chat in Vite, which reaches its server through Vite's proxy. */
export function ownViteChat(kind: "hono" | "express"): OwnApp {
  const server =
    kind === "hono"
      ? `import { serve } from "@hono/node-server";
import { Hono } from "hono";

const app = new Hono();

app.get("/api/me", (c) => c.json({ name: "Ada" }));

serve({ fetch: app.fetch, port: ${PORT} });
`
      : `import express from "express";

const app = express();
app.use(express.json());

app.get("/api/me", (_request, response) => {
  response.json({ name: "Ada" });
});

app.listen(${PORT});
`;
  const proxy = kind === "hono" ? `  server: { proxy: { "/api": "http://localhost:${PORT}" } },\n` : "";
  return {
    files: {
      "server/index.ts": server,
      "vite.config.ts": `import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [react()],
${proxy}});
`,
      "src/App.tsx": `import { useChat } from "@ai-sdk/react";
import { useState } from "react";

export default function App() {
  const [input, setInput] = useState("");
  const { messages, sendMessage, stop } = useChat();

${CHAT}}
`,
    },
    server: "server/index.ts",
    start: (port) => ["vite", ["--port", port, "--strictPort"]],
  };
}

export async function writeOwnApp(folder: string, { files }: OwnApp, port: string): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text.replaceAll(PORT, port));
  }
}

/** Pastes the lines that `init` has printed at the named places, and changes nothing else. */
export async function followLines(folder: string, said: string, least: number): Promise<void> {
  const blocks = said.matchAll(
    /^(Above|Below|In place of) (\S+?):(\d+)(?:-(\d+))?(?:, .+)?:\n((?: {2}.*\n|\n(?= {2}))+)/gm,
  );
  const changes = [...blocks].map(([, how, file = "", from, to = from, text = ""]) => ({
    how,
    file,
    from: Number(from),
    to: Number(to),
    lines: text
      .trimEnd()
      .split("\n")
      .map((line) => line.slice(2)),
  }));
  if (changes.length < least) throw new Error("elicit-kit: init has printed no lines to follow.");
  // Start from the end, so that the line numbers stay valid.
  for (const { how, file, from, to, lines } of changes.toSorted((a, b) => b.from - a.from)) {
    const path = join(folder, file);
    const own = (await readFile(path, "utf8")).split("\n");
    if (how === "Above") own.splice(from - 1, 0, ...lines);
    else if (how === "Below") own.splice(to, 0, ...lines);
    else own.splice(from - 1, to - from + 1, ...lines);
    await writeFile(path, own.join("\n"));
  }
}
