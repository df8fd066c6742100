import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createAppFolder, NEXT, VITE } from "./testing/app-folder.ts";

const { app, begin, end, plan, write } = createAppFolder();
beforeEach(begin);
afterEach(end);

describe("elicit-kit init in an app with a chat or a server", () => {
  it("names the lines of an existing chat, and the code to write there", () => {
    app(NEXT);
    write(
      "app/page.jsx",
      `"use client";
import { useChat } from "@ai-sdk/react";

export default function Page() {
  const { messages, sendMessage } = useChat();
  return (
    <main>
      {messages.map((message) => (
        <p key={message.id}>It's {text(message)}</p>
      ))}
      <Composer send={sendMessage} />
    </main>
  );
}
`,
    );
    const { write: files, changes, start } = plan();
    expect(Object.keys(files)).not.toContain("app/chat/page.jsx");
    expect(changes).toEqual([
      { where: "Above app/page.jsx:2", text: expect.stringContaining('from "elicit-kit"') },
      {
        where: "In place of app/page.jsx:5",
        text: `  const elicitation = useElicitation({ api: "/run/api" });
  const { messages, sendMessage } = useChat(elicitation.chatOptions);`,
      },
      { where: "Below app/page.jsx:10, after the messages", text: "<Elicitations {...elicitation} />" },
    ]);
    expect(start.join("\n")).toContain("docs/start/your-chat-route.md");
  });

  it.each([
    ["", "{ onFinish: save }", "{ onFinish: save, ...elicitation.chatOptions }"],
    ["", "{}", "elicitation.chatOptions"],
    ["", "options", "{ ...options, ...elicitation.chatOptions }"],
    ["", '{\n    transport: new DefaultChatTransport({ api: "/api/chat" }),\n  }', "elicitation.chatOptions"],
    [
      ", id: chat.id, messages",
      "{ id: chat.id, messages, resume: true, onFinish: ({ message }) => save(message) }",
      "{ onFinish: ({ message }) => save(message), ...elicitation.chatOptions }",
    ],
  ])("keeps the options of an existing chat, or passes them to the hook: %s%s", (given, options, kept) => {
    app(NEXT);
    write("app/page.jsx", `const chat = useChat(${options});\n`);
    expect(plan().changes[1]?.text).toBe(
      `const elicitation = useElicitation({ api: "/run/api"${given} });\nconst chat = useChat(${kept});`,
    );
  });

  it("says which options of a transport move to the hook", () => {
    app(NEXT);
    write("app/page.jsx", "const chat = useChat({ transport: new DefaultChatTransport({ headers }) });\n");
    expect(plan().changes[1]?.text).toContain("takes headers, body, credentials and fetch");
  });

  it.each([
    [
      'import { DefaultChatTransport } from "ai";',
      "Remove app/page.jsx:1",
      'import { DefaultChatTransport } from "ai";',
    ],
    [
      'import { isToolUIPart,\n  DefaultChatTransport } from "ai";',
      "In place of app/page.jsx:1-2",
      'import { isToolUIPart } from "ai";',
    ],
  ])(
    "tells the developer to remove the import of a transport that is no longer used: %s",
    (statement, where, text) => {
      app(NEXT);
      write(
        "app/page.jsx",
        `${statement}\nconst chat = useChat({ transport: new DefaultChatTransport({}) });\n`,
      );
      expect(plan().changes).toContainEqual({ where, text });
    },
  );

  it("keeps the import of a transport that the file still uses", () => {
    app(NEXT);
    write(
      "app/page.jsx",
      `import { DefaultChatTransport } from "ai";\nconst chat = useChat({ transport: new DefaultChatTransport({}) });\nnew DefaultChatTransport({});\n`,
    );
    expect(JSON.stringify(plan().changes)).not.toContain("DefaultChatTransport");
  });

  it("names the lines of an existing server, and of the Vite configuration", () => {
    app({ ...VITE, hono: "4.13.19" }, "tsconfig.json");
    write(
      "server/index.ts",
      `import { Hono } from "hono";\n\nconst api = new Hono()\n  .get("/api/me", me);\nserve({ fetch: api.fetch, port: 8787 });\n`,
    );
    write("vite.config.ts", "export default defineConfig({\n  plugins: [react()],\n});\n");
    const { write: files, changes } = plan();
    expect(Object.keys(files)).not.toContain("chat-server.ts");
    expect(changes).toEqual([
      { where: "Above server/index.ts:1", text: 'import { runtime } from "../agent/runtime.js";' },
      { where: "Below server/index.ts:4", text: 'api.all("/run/*", (c) => runtime.fetch(c.req.raw));' },
      {
        where: "Below vite.config.ts:1",
        text: 'server: { proxy: { "/run": "http://localhost:8787" } }, // your server',
      },
    ]);
  });

  it("adds the runtime to an existing proxy", () => {
    app({ ...VITE, express: "5.3.0" });
    write("server.js", 'import express from "express";\nconst app = express();\napp.listen(4000);\n');
    write(
      "vite.config.js",
      'export default defineConfig({\n  server: { proxy: { "/api": "http://localhost:4000" } },\n});\n',
    );
    expect(plan().changes.at(-1)).toEqual({
      where: "In place of vite.config.js:2",
      text: '  server: { proxy: { "/run": "http://localhost:4000", "/api": "http://localhost:4000" } },',
    });
  });
});
