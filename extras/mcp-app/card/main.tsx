/** The card that a host with MCP Apps shows for a tool that asks. The build puts it into one HTML file. */
import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import "./card.css";
import { type Channel, createElicitationClient } from "../../../src/client/index.ts";
import { isObject } from "../../../src/contract/json.ts";
import { KitError } from "../../../src/contract/kit-error.ts";
import { Elicitations } from "../../../src/react/index.ts";
import { ar } from "../../../src/words/cards/ar.ts";
import { de } from "../../../src/words/cards/de.ts";
import { en } from "../../../src/words/cards/en.ts";
import { es } from "../../../src/words/cards/es.ts";
import { fr } from "../../../src/words/cards/fr.ts";
import { ja } from "../../../src/words/cards/ja.ts";
import type { Catalogue } from "../../../src/words/cards/catalogue.ts";
import { kitLanguageOf } from "../../../src/words/language.ts";
import { type Bridge, createBridge, type AppHost } from "../bridge.ts";
import { type McpAppChannel, createMcpAppChannel } from "../channel.ts";
import { takeHostLook } from "./host-look.ts";
import { type HostQuestions, createHostQuestions } from "./host-questions.ts";
import { ignoreKnownValues } from "./known-values.ts";

ignoreKnownValues();

const CATALOGUES = { ar, de, en, es, fr, ja };
/** The revision of MCP Apps that this view is written for. */
const PROTOCOL_VERSION = "2026-01-26";

type Context = Readonly<Record<string, unknown>>;

let context: Context = {};
let channel: McpAppChannel | undefined;
let hostQuestions: HostQuestions | undefined;
/** Makes this view the view of a call, once. */
let openCall: () => void = () => {};
const bridge = createBridge({
  onNotification(method, params) {
    if (method === "ui/notifications/host-context-changed") takeContext(params);
    if (method.startsWith("ui/notifications/tool-")) openCall();
    if (method === "ui/notifications/tool-cancelled") channel?.toolCancelled();
    if (method === "ui/notifications/tool-result") channel?.toolResult(params);
    if (method !== "ui/notifications/tool-input") return;
    const { arguments: args } = params;
    if (isObject(args)) channel?.toolInput(args);
  },
  onRequest(method, params) {
    if (method === "elicitation/create") return hostQuestions?.ask(params);
    if (method === "ui/resource-teardown") channel?.close();
    return method === "ui/resource-teardown" || method === "ping" ? {} : undefined;
  },
});

function takeContext(changes: Context): void {
  context = { ...context, ...changes };
  takeHostLook(context);
}

/** The abilities of the view depend on what the host allows. */
function hostOf(over: Bridge, capabilities: Context): AppHost {
  const { toolInfo } = context;
  const { id, tool } = isObject(toolInfo) ? toolInfo : {};
  const name = isObject(tool) ? tool["name"] : undefined;
  return {
    toolInfo: {
      ...((typeof id === "string" || typeof id === "number") && { id }),
      ...(typeof name === "string" && { name }),
    },
    async callTool(params) {
      const result = await over.request("tools/call", params);
      return isObject(result) ? { ...result, isError: result["isError"] === true } : {};
    },
    async report({ tool: asked, content, structuredContent }) {
      const text = `I have answered what ${asked} asked. Its result: ${textOf(content)}`;
      const result = { content, ...(isObject(structuredContent) && { structuredContent }) };
      const message = { role: "user", content: [{ type: "text", text }] };
      const isInContext =
        isObject(capabilities["updateModelContext"]) &&
        (await isAccepted(over.request("ui/update-model-context", result)));
      const isSent =
        isObject(capabilities["message"]) && (await isAccepted(over.request("ui/message", message)));
      if (!isInContext && !isSent) throw new KitError("elicit-kit: the host has not accepted the result.");
    },
  };
}

/** Hosts refuse with an error, or with a result that says so. */
const isAccepted = (request: Promise<unknown>): Promise<boolean> =>
  request.then(
    (result) => !isObject(result) || result["isError"] !== true,
    () => false,
  );

function textOf(content: readonly unknown[]): string {
  return content
    .flatMap((block) => (isObject(block) && typeof block["text"] === "string" ? [block["text"]] : []))
    .join("\n");
}

/**
 * Submits a form through its button. A host's sandbox may forbid forms (`allow-forms`), and the browser then does not
 * even fire the event. The Enter key presses the same button.
 */
function submitByScript(event: MouseEvent): void {
  const button = event.target instanceof Element ? event.target.closest("button") : null;
  if (button?.type !== "submit" || button.form === null || event.defaultPrevented) return;
  event.preventDefault();
  button.form.dispatchEvent(
    new SubmitEvent("submit", { bubbles: true, cancelable: true, submitter: button }),
  );
}

/** Reports the height of the view to the host: 0 when there is no question. */
function reportSize(element: Element): void {
  const send = () => {
    const height = Math.ceil(element.getBoundingClientRect().height);
    bridge.notify("ui/notifications/size-changed", { width: document.documentElement.clientWidth, height });
  };
  new ResizeObserver(send).observe(element);
  send();
}

async function start(element: HTMLElement): Promise<void> {
  const opened = await bridge.request("ui/initialize", {
    protocolVersion: PROTOCOL_VERSION,
    appInfo: { name: "elicit-kit", version: "1" },
    appCapabilities: { elicitation: {} },
  });
  const { hostContext, hostCapabilities } = isObject(opened) ? opened : {};
  if (isObject(hostContext)) takeContext(hostContext);
  const { locale } = context;
  const catalogue = CATALOGUES[kitLanguageOf([typeof locale === "string" ? locale : "en"])];
  document.documentElement.lang = catalogue.locale;
  document.documentElement.dir = catalogue.dir;
  document.title = catalogue.title("form");
  const capabilities = isObject(hostCapabilities) ? hostCapabilities : {};
  const serverName = element.dataset["server"] ?? "";
  let isShown = false;
  openCall = () => {
    if (isShown) return;
    isShown = true;
    channel = createMcpAppChannel({ host: hostOf(bridge, capabilities), serverName });
    show(channel, element, catalogue);
  };
  bridge.notify("ui/notifications/initialized");
  reportSize(element);
  // The channel polls immediately.
  if (!isObject(capabilities["elicitation"])) return openCall();
  // A view that shows a form of the host itself must not claim a call. Only the view of a call gets messages about a
  // tool.
  hostQuestions = createHostQuestions(serverName, (questions) => {
    if (!isShown) show(questions, element, catalogue);
    isShown = true;
  });
}

function show(made: Channel, element: HTMLElement, catalogue: Catalogue): void {
  const client = createElicitationClient({
    channel: made,
    // No storage: hosts show all views on one shared origin.
    storage: null,
    trustedOrigin: "",
    openUrl: (url) =>
      bridge.request("ui/open-link", { url }).then(
        (result) => (isObject(result) && result["isError"] === true ? "blocked" : "opened"),
        () => "blocked",
      ),
  });

  function Card() {
    const [isDone, setDone] = useState(false);
    useEffect(() => channel?.onDone(() => setDone(true)), []);
    const { items } = client.getSnapshot();
    const isAnswered = items.every(({ status }) => status === "accepted" || status === "declined");
    if (isDone && isAnswered) return null;
    return <Elicitations client={client} conversationId="app" catalogue={catalogue} attention="off" />;
  }

  document.addEventListener("click", submitByScript);
  // All code is in this file.
  void client.ready().then(() => createRoot(element).render(<Card />));
}

const root = document.querySelector<HTMLElement>("#card");
if (root !== null) void start(root);
