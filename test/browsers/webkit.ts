import { setTimeout } from "node:timers/promises";
import { freePort } from "../stages/listen.ts";
import { type Driver, field, start, type Tab } from "./driver.ts";

/** The key for an element in WebDriver (W3C WebDriver, 12). */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** The MiniBrowser of WebKitGTK, over WebDriver, on a virtual screen. */
export async function startWebKit(command: string, browser: string): Promise<Driver> {
  const started: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of started.toReversed()) await end();
  };
  try {
    // It first writes about the screens that are in use.
    const screen = await start("Xvfb", () => ["-displayfd", "1", "-nolisten", "tcp"], /^(\d+)\s/m);
    started.push(screen.stop);
    const port = await freePort();
    const server = `http://127.0.0.1:${port}`;
    const program = await start(command, () => [`--port=${port}`], undefined, { DISPLAY: `:${screen.said}` });
    started.push(program.stop);
    await answers(`${server}/status`);
    const options = { binary: browser, args: ["--automation"] };
    const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": options } };
    const { sessionId } = Object(await call(`${server}/session`, "POST", { capabilities }));
    return driver(`${server}/session/${String(sessionId)}`, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

function driver(session: string, stop: () => Promise<void>): Driver {
  /** WebDriver runs all commands in the last selected window. */
  async function inWindow(handle: string, path: string, body: object): Promise<unknown> {
    await call(`${session}/window`, "POST", { handle });
    return call(session + path, "POST", body);
  }
  async function handles(): Promise<readonly string[]> {
    const found = await call(`${session}/window/handles`, "GET");
    return Array.isArray(found) ? found.map(String) : [];
  }
  const tab = (id: string): Tab => ({
    id,
    read: (expression) => inWindow(id, "/execute/sync", { script: `return ${expression}`, args: [] }),
    async click(selector) {
      const found = await inWindow(id, "/element", { using: "css selector", value: selector });
      await call(`${session}/element/${String(field(found, ELEMENT))}/click`, "POST", {});
    },
    async close() {
      await call(`${session}/window`, "POST", { handle: id });
      await call(`${session}/window`, "DELETE");
    },
  });
  return {
    name: "WebKitGTK",
    async open(url) {
      // The last selected window may be gone.
      const [first] = await handles();
      // Not a tab, because a background tab may not open windows.
      const opened = await inWindow(first ?? "", "/window/new", { type: "window" });
      const id = String(field(opened, "handle"));
      await inWindow(id, "/url", { url });
      return tab(id);
    },
    tabs: async () => (await handles()).map(tab),
    close: stop,
  };
}

async function call(url: string, method: string, body?: object): Promise<unknown> {
  const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) });
  const value = field(await response.json(), "value");
  if (response.ok) return value;
  throw new Error(
    `elicit-kit: WebKit could not do ${method} ${url}: ${String(field(value, "error"))}, ${String(field(value, "message"))}`,
  );
}

/** Waits until the server accepts connections, because it prints no line for that. */
async function answers(url: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await call(url, "GET");
      return;
    } catch (error) {
      if (tries === 100) throw error;
      await setTimeout(100);
    }
  }
}
