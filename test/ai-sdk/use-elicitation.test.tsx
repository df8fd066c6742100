// @vitest-environment happy-dom
import { useChat } from "@ai-sdk/react";
import { cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { UIMessage } from "ai";
import {
  Elicitations,
  useElicitation,
  type UseElicitationOptions,
  type UseElicitationResult,
} from "elicit-kit";
import { askForm, createMockServer, say, type Script } from "elicit-kit/mock-server";
import { type ReactNode, StrictMode } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { aiSdk } from "./ai-sdk.ts";

const endings: (() => unknown)[] = [];
let said: { level: "error" | "warn"; text: string }[] = [];
beforeEach(() => {
  said = [];
  for (const level of ["error", "warn"] as const) {
    vi.spyOn(console, level).mockImplementation((...words: unknown[]) => {
      said.push({ level, text: words.join(" ") });
    });
  }
});
afterEach(async () => {
  cleanup();
  for (const end of endings.splice(0).toReversed()) await end();
  vi.restoreAllMocks();
});

const ASK_CITY = askForm({
  message: "Which city?",
  properties: { city: { type: "string", title: "City" } },
  required: ["city"],
});
const sayCity = say(
  (result) =>
    `The city is ${result.outcome === "accepted" ? String(result.content["city"]) : result.outcome}.`,
);
const BOOK: Script = [say("One moment."), ASK_CITY, sayCity];

/** A server, and what the page has asked of it. */
function serve(script: Script | ((message: string) => Script) = BOOK) {
  const server = createMockServer({ script });
  endings.push(() => server.close());
  const calls: string[] = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, "http://localhost");
    calls.push(`${init?.method ?? "GET"} ${pathname}`);
    return server.fetch(input, init);
  };
  return { server, fetch, calls };
}

interface ChatProps {
  options: UseElicitationOptions<UIMessage>;
  name?: string;
  onRender?: () => void;
  onResult?: (result: UseElicitationResult<UIMessage>) => void;
}

function Chat({ options, name = "chat", onRender, onResult }: ChatProps) {
  const elicitation = useElicitation(options);
  const { messages, sendMessage, status, stop, error } = useChat(elicitation.chatOptions);
  onRender?.();
  onResult?.(elicitation);
  return (
    <section aria-label={name}>
      <div role="log" data-status={status}>
        {messages
          .map(
            ({ role, parts }) =>
              `${role}: ${parts.map((part) => (part.type === "text" ? part.text : "")).join("")}`,
          )
          .join(" / ")}
      </div>
      <p role="alert">{error?.message}</p>
      <Elicitations {...elicitation} />
      <button onClick={() => void sendMessage({ text: "Book a hotel" })}>Book</button>
      <button onClick={() => void stop()}>Stop</button>
    </section>
  );
}

const show = (content: ReactNode) => render(content, { wrapper: StrictMode });
const chatNamed = (name = "chat") => within(screen.getByRole("region", { name }));
const logOf = (name?: string) => chatNamed(name).getByRole("log");
const press = (button: string, name?: string) =>
  userEvent.click(chatNamed(name).getByRole("button", { name: button }));
const cityBox = (name?: string) => chatNamed(name).findByRole("textbox", { name: /City/ });

async function answer(city: string, name?: string): Promise<void> {
  await userEvent.type(await cityBox(name), city);
  await press("Send", name);
}

async function expectReady(text: string, name?: string): Promise<void> {
  await expect.poll(() => logOf(name).textContent).toBe(text);
  await expect.poll(() => logOf(name).dataset["status"]).toBe("ready");
}

const ASKED = "user: Book a hotel / assistant: One moment.";

describe(`useElicitation with useChat of AI SDK ${aiSdk}`, () => {
  it("shows a card for a chat of ten lines, and the turn continues with the answer", async () => {
    const { fetch, calls } = serve();
    show(<Chat options={{ fetch, aiSdk }} />);
    await press("Book");
    await answer("Lisbon");
    await expectReady(`${ASKED}The city is Lisbon.`);
    expect(calls.filter((call) => call === "POST /run/api/chat")).toHaveLength(1);
    expect(said).toEqual([]);
  });
});
