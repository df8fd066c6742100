import { type Project, type Files, type Wanted, importOf } from "./project.ts";
import { SERVE_PAGE, trustedOriginOf } from "./connect-files.ts";

/** The files that mount the runtime. */
export function serverFiles(project: Project, wanted: Wanted): Files {
  const { typescript, framework, base, server } = project;
  const end = typescript ? "ts" : "js";
  if (framework === "next") return { [`${base}app/run/[...path]/route.${end}`]: nextRoute(project, wanted) };
  return server === undefined ? { [`chat-server.${end}`]: viteServer(project, wanted) } : {};
}

/** A page with a chat, for an app that has none. */
export function chatFiles(project: Project, wanted: Wanted): Files {
  const { typescript, framework, base, chat } = project;
  const end = typescript ? "tsx" : "jsx";
  if (chat !== undefined) return {};
  if (framework === "next") return { [`${base}app/chat/page.${end}`]: nextPage(project, wanted) };
  return {
    "chat.html": chatHtml(`/${base}chat/main.${end}`),
    [`${base}chat/main.${end}`]: VITE_MAIN,
    [`${base}chat/chat.${end}`]: `${CHAT_IMPORTS}${chatComponent(project, wanted)}`,
  };
}

function nextRoute(project: Project, { postgres }: Wanted): string {
  const up = "../".repeat(3);
  const [name, given] = postgres
    ? ["started", "async () => (await started()).runtime"]
    : ["runtime", "runtime"];
  return `import { toNextHandlers } from "elicit-kit/runtime";
import { ${name} } from "${importOf(project, `${up}agent/runtime`)}";

export const { GET, POST, OPTIONS } = toNextHandlers(${given});
// Seconds that one response may last. Vercel refuses more than your plan allows${postgres ? "; change the runtime's times with it" : ""}.
export const maxDuration = ${postgres ? 300 : 800};
`;
}

/** The page and the runtime share one process and one origin, so the app's own Vite configuration stays as it is. */
function viteServer(project: Project, { connect, postgres }: Wanted): string {
  const from = (name: string) => `"${importOf(project, `./${project.agent}/${name}`)}"`;
  const kit = connect ? `import { serve } from "elicit-kit/node";\n` : "";
  const names = [...(postgres ? ["close"] : []), ...(connect ? ["page"] : []), "runtime"].join(", ");
  const origin = connect ? `import { pageOrigin } from ${from("github")};\n` : "";
  const runtime = `${origin}import { ${names} } from ${from("runtime")};`;
  const page = project.chat === undefined ? "/chat.html" : "";
  const listen = `${connect ? `${SERVE_PAGE}\n` : ""}const port = Number(process.env["PORT"] ?? 5173);
server.once("error", (error) => {
  console.error(\`Port \${port} cannot be used. Set PORT to another one. \${error.message}\`);
  process.exit(1);
});
server.listen(port, () => console.log(\`http://localhost:\${port}${page}\`));
process.once("SIGTERM", () => void ${postgres ? "close" : "runtime.close"}().then(() => process.exit()));
`;
  if (project.framework === "vite-express") {
    return `// elicit-kit init wrote this server.
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
${kit}import express from "express";
${runtime}

const app = express();
const server = createServer(app);
// Before express.json(): the runtime reads the bodies itself.
app.all(/^\\/run\\//, getRequestListener(runtime.fetch));
if (process.env["NODE_ENV"] === "production") app.use(express.static("dist"));
else {
  const { createServer: createVite } = await import("vite");
  const vite = await createVite({ server: { middlewareMode: { server }, hmr: { server } } });
  app.use(vite.middlewares);
}

${listen}`;
  }
  return `// elicit-kit init wrote this server.
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
${kit}import { Hono } from "hono";
${runtime}

const app = new Hono();
app.all("/run/*", (c) => runtime.fetch(c.req.raw));
app.use(serveStatic({ root: "dist" })); // what vite build has made

const answer = getRequestListener(app.fetch);
const server = createServer((request, response) => {
  if (vite === undefined || request.url?.startsWith("/run/")) void answer(request, response);
  else vite.middlewares(request, response);
});
const vite =
  process.env["NODE_ENV"] === "production"
    ? undefined
    : await (await import("vite")).createServer({ server: { middlewareMode: { server }, hmr: { server } } });

${listen}`;
}

/** The call of the hook in a chat component. */
export function hookCall(project: Project, { connect }: Wanted): string {
  const version = project.aiSdk === 7 ? "" : `, aiSdk: ${project.aiSdk}`;
  if (!connect) return `useElicitation({ api: "/run/api"${version} });`;
  return `useElicitation({
    api: "/run/api",${version && `\n    ${version.slice(2)},`}
    trustedOrigin: ${trustedOriginOf(project)}, // the hosted page
  });`;
}

const CHAT_IMPORTS = `import { useChat } from "@ai-sdk/react";
import { Elicitations, useElicitation } from "elicit-kit";
import "elicit-kit/styles.css";
`;

function chatComponent(project: Project, wanted: Wanted): string {
  return `
export function Chat() {
  const elicitation = ${hookCall(project, wanted)}
  const { messages, sendMessage, stop, error } = useChat(elicitation.chatOptions);
  return (
    <main style={{ maxWidth: 640, margin: "2rem auto", padding: "0 1rem", width: "100%" }}>
      {messages.map((message) => (
        <p key={message.id}>{message.parts.map((part) => (part.type === "text" ? part.text : ""))}</p>
      ))}
      <Elicitations {...elicitation} />
      {error && <p role="alert">{error.message}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void sendMessage({ text: String(new FormData(event.currentTarget).get("text")) });
          event.currentTarget.reset();
        }}
      >
        <input
          name="text"
          aria-label="Message"
          placeholder="Book me a hotel"
          style={{ border: "1px solid", padding: "0.5rem" }}
        />{" "}
        <button>Send</button>{" "}
        <button type="button" onClick={() => void stop()}>
          Stop
        </button>
      </form>
    </main>
  );
}
`;
}

function nextPage(project: Project, wanted: Wanted): string {
  const chat = chatComponent(project, wanted);
  if (project.aiSdk === 7)
    return `"use client";\n${CHAT_IMPORTS}${chat.replace("function Chat", "default function Page")}`;
  return `"use client";
${CHAT_IMPORTS}import { Suspense } from "react";

export default function Page() {
  // AI SDK ${project.aiSdk} makes a random id as it renders, which Next.js allows only here while it builds a page.
  return (
    <Suspense>
      <Chat />
    </Suspense>
  );
}
${chat.replace("export function", "function")}`;
}

function chatHtml(script: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="UTF-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1.0" />
    <link rel="icon" href="data:," />
    <title>Chat</title>
  </head>
  <body>
    <div id="root"></div>
    <script type="module" src="${script}"></script>
  </body>
</html>
`;
}

const VITE_MAIN = `import { createRoot } from "react-dom/client";
import { Chat } from "./chat";

const root = document.getElementById("root");
if (root !== null) createRoot(root).render(<Chat />);
`;
