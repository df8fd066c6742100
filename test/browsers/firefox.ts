import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Driver, field, start, type Tab } from "./driver.ts";

/** Firefox would restrict popups of a page without these preferences. */
const PREFERENCES = {
  "dom.disable_open_during_load": true,
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "app.update.disabledForTesting": true,
  // No first-run page, and no requests to Mozilla.
  "browser.startup.page": 0,
  "browser.aboutwelcome.enabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
};

type Json = Readonly<Record<string, unknown>>;

/** A stock Firefox, controlled through its built-in WebDriver BiDi. */
export async function startFirefox(command: string): Promise<Driver> {
  const { said, stop } = await start(
    command,
    async (home) => {
      const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref("${name}", ${value});\n`);
      await writeFile(join(home, "user.js"), lines.join(""));
      return ["--headless", "--no-remote", "--profile", home, "--remote-debugging-port", "0"];
    },
    /WebDriver BiDi listening on (\S+)/,
  );
  try {
    const send = await connect(`${said}/session`);
    await send("session.new", { capabilities: {} });
    return driver(send, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

type Send = (method: string, params: Json) => Promise<unknown>;

function driver(send: Send, stop: () => Promise<void>): Driver {
  const tab = (context: string): Tab => ({
    id: context,
    read: async (expression) => {
      const params = { expression, target: { context }, awaitPromise: false };
      return field(field(await send("script.evaluate", params), "result"), "value");
    },
    async click(selector) {
      // A background tab ignores clicks.
      await send("browsingContext.activate", { context });
      const box = `(({left, top, width, height}) => left + width / 2 + " " + (top + height / 2))(document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`;
      const [x, y] = String(await this.read(box))
        .split(" ")
        .map((at) => Math.round(Number(at)));
      const actions = [
        { type: "pointerMove", x, y },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ];
      await send("input.performActions", { context, actions: [{ type: "pointer", id: "mouse", actions }] });
    },
    close: async () => void (await send("browsingContext.close", { context })),
  });
  return {
    name: "Firefox",
    async open(url) {
      const context = String(field(await send("browsingContext.create", { type: "tab" }), "context"));
      await send("browsingContext.navigate", { context, url, wait: "complete" });
      return tab(context);
    },
    async tabs() {
      const contexts = field(await send("browsingContext.getTree", { maxDepth: 0 }), "contexts");
      return Array.isArray(contexts) ? contexts.map((one) => tab(String(field(one, "context")))) : [];
    },
    close: stop,
  };
}

async function connect(url: string): Promise<Send> {
  const socket = new WebSocket(url);
  const waiting = new Map<unknown, (reply: unknown) => void>();
  socket.addEventListener("message", ({ data }) => {
    const reply: unknown = JSON.parse(String(data));
    waiting.get(field(reply, "id"))?.(reply);
    waiting.delete(field(reply, "id"));
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve, { once: true });
    socket.addEventListener("error", () => reject(new Error(`elicit-kit: Firefox refused ${url}.`)), {
      once: true,
    });
  });
  let id = 0;
  return async (method, params) => {
    id += 1;
    const reply = await new Promise((resolve) => {
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
    if (field(reply, "type") === "error") {
      throw new Error(`elicit-kit: Firefox could not do ${method}: ${String(field(reply, "message"))}`);
    }
    return field(reply, "result");
  };
}
