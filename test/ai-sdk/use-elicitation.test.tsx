// @vitest-environment happy-dom
import { Chat as ChatOfSdk, useChat } from "@ai-sdk/react";
import { act, cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { UIMessage } from "ai";
import {
  Elicitations,
  useElicitation,
  useElicitationList,
  type UseElicitationOptions,
  type UseElicitationResult,
} from "elicit-kit";
import { createElicitation } from "elicit-kit/ai-sdk";
import { askForm, askToConnect, createMockServer, say, type Script } from "elicit-kit/mock-server";
import * as React from "react";
import { type ReactNode, StrictMode, useEffect, useState } from "react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
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

const addressOf = (input: RequestInfo | URL): URL =>
  new URL(input instanceof Request ? input.url : input, "http://localhost");

/** A server, and the calls of the page to it. */
function serve(script: Script | ((message: string) => Script) = BOOK) {
  const server = createMockServer({ script });
  endings.push(() => server.close());
  const calls: string[] = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    const { pathname } = addressOf(input);
    calls.push(`${init?.method ?? "GET"} ${pathname}`);
    return server.fetch(input, init);
  };
  return { server, fetch, calls };
}

const CONNECT: Script = [askToConnect({ service: "Tracker" }), say(({ outcome }) => `It is ${outcome}.`)];
/** A history with only a message of the user. */
const USER: UIMessage[] = [{ id: "m1", role: "user", parts: [{ type: "text", text: "Book a hotel" }] }];

/** Waits for started work, because a stop is sent in a separate task. */
const settled = () => act(() => new Promise<void>((resolve) => setTimeout(resolve, 100)));

function Log({ messages, status }: { messages: readonly UIMessage[]; status: string }) {
  const lines = messages.map(
    ({ role, parts }) => `${role}: ${parts.map((part) => (part.type === "text" ? part.text : "")).join("")}`,
  );
  return (
    <div role="log" data-status={status}>
      {lines.join(" / ")}
    </div>
  );
}

interface ChatProps {
  options: UseElicitationOptions<UIMessage>;
  name?: string;
}

function Chat({ options, name = "chat" }: ChatProps) {
  const elicitation = useElicitation(options);
  const { messages, sendMessage, status, stop, error } = useChat(elicitation.chatOptions);
  return (
    <section aria-label={name}>
      <Log messages={messages} status={status} />
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
  it("shows a card in a chat of ten lines, and the turn continues with the answer", async () => {
    const { fetch, calls } = serve();
    show(<Chat options={{ fetch, aiSdk }} />);
    await press("Book");
    await answer("Lisbon");
    await expectReady(`${ASKED}The city is Lisbon.`);
    expect(calls.filter((call) => call === "POST /run/api/chat")).toHaveLength(1);
    expect(said).toEqual([]);
  });

  it("re-renders the list of requests only when requests change, while tokens stream", async () => {
    const words = Array.from({ length: 60 }, (_, index) => say(`word${index} `));
    const { server, fetch } = serve([...words, ASK_CITY, sayCity]);
    let renders = 0;
    function Counted({ result }: { result: UseElicitationResult<UIMessage> }) {
      const { elicitations } = useElicitationList(result);
      renders++;
      return <output>{elicitations.map(({ status }) => status).join()}</output>;
    }
    function Page() {
      const [result, setResult] = useState<UseElicitationResult<UIMessage>>();
      const elicitation = useElicitation({ fetch, aiSdk });
      return (
        <>
          <Inner chatOptions={elicitation.chatOptions} onStart={() => setResult(elicitation)} />
          {result && <Counted result={elicitation} />}
        </>
      );
    }
    function Inner({
      chatOptions,
      onStart,
    }: Pick<UseElicitationResult, "chatOptions"> & { onStart: () => void }) {
      const { messages, sendMessage } = useChat(chatOptions);
      return (
        <section aria-label="chat">
          <p>
            {messages
              .flatMap(({ parts }) => parts.map((part) => (part.type === "text" ? part.text : "")))
              .join("")}
          </p>
          <button
            onClick={() => {
              onStart();
              void sendMessage({ text: "go" });
            }}
          >
            Book
          </button>
        </section>
      );
    }
    render(<Page />);
    await press("Book");
    await expect.poll(() => screen.getByRole("status").textContent).toBe("pending");
    expect(server.pending()).toHaveLength(1);
    // It renders when it appears, when the chat has an id, and for the request.
    expect(renders).toBeLessThanOrEqual(3);
  });

  it("shows receipts, the open card and the rest of the turn after a reload", async () => {
    const { server, fetch, calls } = serve((message) => (message === "Connect" ? CONNECT : BOOK));
    const shown: { messages: UIMessage[] } = { messages: [] };
    function Page({ messages }: { messages?: UIMessage[] }) {
      const elicitation = useElicitation({ fetch, aiSdk, id: "c1", ...(messages && { messages }) });
      const chat = useChat(elicitation.chatOptions);
      const { messages: current } = chat;
      useEffect(() => {
        shown.messages = current;
      }, [current]);
      return (
        <section aria-label="chat">
          <Log messages={chat.messages} status={chat.status} />
          <Elicitations {...elicitation} />
          <button onClick={() => void chat.sendMessage({ text: "Connect" })}>Ask for an account</button>
          <button onClick={() => void chat.sendMessage({ text: "Book a hotel" })}>Book</button>
        </section>
      );
    }
    const first = show(<Page />);
    await press("Ask for an account");
    await press("Decline");
    await expect.poll(() => logOf().textContent).toContain("declined");
    await press("Book");
    await cityBox();
    // The history that the server has stored. It lacks the question of the open turn.
    const history = structuredClone(shown.messages.slice(0, 3));
    first.unmount();
    expect(server.pending()).toHaveLength(1);

    show(<Page messages={history} />);
    expect(chatNamed().getByText("You declined to connect Tracker")).toBeDefined();
    await answer("Porto");
    await expect.poll(() => logOf().textContent).toMatch(/One moment\.The city is Porto\.$/);
    await expect.poll(() => logOf().dataset["status"]).toBe("ready");
    expect(logOf().textContent?.match(/One moment/g)).toHaveLength(1);
    expect(document.querySelectorAll("[data-elicitation]")).toHaveLength(2);
    expect(calls.filter((call) => call === "POST /run/api/chat")).toHaveLength(2);
    expect(said).toEqual([]);
  });

  it("shows the answer and the receipt, once, when the history was read before the turn was stored", async () => {
    const { fetch } = serve();
    let stale: UIMessage[] = [];
    const readingFetch: typeof globalThis.fetch = (input, init) => {
      if (typeof init?.body === "string" && addressOf(input).pathname === "/run/api/chat")
        stale = JSON.parse(init.body).messages;
      return fetch(input, init);
    };
    const first = show(<Chat options={{ fetch: readingFetch, aiSdk, id: "c1" }} />);
    await press("Book");
    await answer("Lisbon");
    await expectReady(`${ASKED}The city is Lisbon.`);
    first.unmount();

    expect(stale).toHaveLength(1);
    const client = createElicitation({ fetch, aiSdk });
    endings.push(() => client.dispose());
    const Page = ({ isShown }: { isShown: boolean }) => {
      const chat = <Chat options={{ client, id: "c1", messages: stale }} />;
      return React.Activity === undefined ? (
        chat
      ) : (
        <React.Activity mode={isShown ? "visible" : "hidden"}>{chat}</React.Activity>
      );
    };
    const { rerender } = show(<Page isShown />);
    await expectReady(`${ASKED}The city is Lisbon.`);
    expect([...document.querySelectorAll("[data-elicitation]")].map((card) => card.textContent)).toEqual([
      expect.stringContaining("Sent"),
    ]);
    // The page has the answer now, so it does not read it again when the chat is shown once more.
    rerender(<Page isShown={false} />);
    await settled();
    rerender(<Page isShown />);
    await settled();
    await expectReady(`${ASKED}The city is Lisbon.`);
    expect(said).toEqual([]);
  });

  it("keeps the turn and the question over a route change, and stops the turn when the user stops it", async () => {
    const { server, fetch } = serve();
    const client = createElicitation({ fetch, aiSdk });
    endings.push(() => client.dispose());
    const Routes = ({ route }: { route: string }) =>
      route === "chat" ? <Chat options={{ client, id: "c1", messages: USER }} /> : <p>Settings</p>;
    const { rerender } = show(<Routes route="chat" />);
    await press("Book");
    await cityBox();
    rerender(<Routes route="settings" />);
    await settled();
    expect(server.pending()).toHaveLength(1);
    rerender(<Routes route="chat" />);
    await answer("Faro");
    await expect.poll(() => logOf().textContent).toMatch(/One moment\.The city is Faro\.$/);
    await press("Book");
    await expect.poll(() => server.pending()).toHaveLength(1);
    await press("Stop");
    await expect.poll(() => server.pending()).toHaveLength(0);
    expect(said).toEqual([]);
  });

  it("keeps the turns of both conversations when the page switches between them", async () => {
    const { server, fetch } = serve();
    const histories: Record<string, UIMessage[]> = { a: [], b: [] };
    function Page({ id }: { id: string }) {
      const elicitation = useElicitation<UIMessage>({ fetch, aiSdk, id, messages: histories[id] });
      const chat = useChat(elicitation.chatOptions);
      return (
        <section aria-label="chat">
          <Log messages={chat.messages} status={chat.status} />
          <Elicitations {...elicitation} />
          <button onClick={() => void chat.sendMessage({ text: "Book a hotel" })}>Book</button>
        </section>
      );
    }
    const { rerender } = show(<Page id="a" />);
    await press("Book");
    await cityBox();
    histories["a"] = USER;
    rerender(<Page id="b" />);
    await expect.poll(() => chatNamed().queryByRole("textbox")).toBeNull();
    await press("Book");
    await cityBox();
    expect(server.pending()).toHaveLength(2);
    rerender(<Page id="a" />);
    await answer("Lisbon");
    await expect.poll(() => logOf().textContent).toMatch(/One moment\.The city is Lisbon\.$/);
    expect(server.pending()).toHaveLength(1);
    expect(said).toEqual([]);
  });

  it("keeps two chats on a page apart", async () => {
    const { fetch } = serve();
    show(
      <>
        <Chat options={{ fetch, aiSdk }} name="one" />
        <Chat options={{ fetch, aiSdk }} name="two" />
      </>,
    );
    await press("Book", "one");
    await press("Book", "two");
    await answer("Lisbon", "two");
    await expectReady(`${ASKED}The city is Lisbon.`, "two");
    expect(logOf("one").textContent).toBe(ASKED);
    await answer("Porto", "one");
    await expectReady(`${ASKED}The city is Porto.`, "one");
  });

  it("gives two chats at one address a client each, so that neither sends the other's token", async () => {
    const { server } = serve();
    const tokens = new Map<string, Set<string | null>>();
    const as = (name: string): UseElicitationOptions<UIMessage> => ({
      aiSdk,
      id: name,
      headers: { authorization: `Bearer ${name}` },
      fetch: (input, init) => {
        const { headers } = new Request(addressOf(input), init);
        tokens.set(name, (tokens.get(name) ?? new Set()).add(headers.get("authorization")));
        return server.fetch(input, init);
      },
    });
    show(
      <>
        <Chat options={as("ada")} name="ada" />
        <Chat options={as("bob")} name="bob" />
      </>,
    );
    await press("Book", "bob");
    await answer("Porto", "bob");
    await expectReady(`${ASKED}The city is Porto.`, "bob");
    expect(Object.fromEntries(tokens)).toEqual({
      ada: new Set(["Bearer ada"]),
      bob: new Set(["Bearer bob"]),
    });
  });

  it("hydrates the HTML of a server without a warning", async () => {
    const { fetch } = serve();
    const page = (
      <StrictMode>
        <Chat options={{ fetch, aiSdk, id: "c1", messages: USER }} />
      </StrictMode>
    );
    const container = document.createElement("div");
    container.innerHTML = renderToString(page);
    document.body.append(container);
    const recovered = vi.fn<(error: unknown) => void>();
    const root = await act(async () => hydrateRoot(container, page, { onRecoverableError: recovered }));
    endings.push(() => {
      act(() => root.unmount());
      container.remove();
    });
    await press("Book");
    await cityBox();
    expect(recovered).not.toHaveBeenCalled();
    expect(said).toEqual([]);
  });

  it("works without a stream route, and sends the token and the body of the latest render", async () => {
    const { server } = serve();
    const sent: Request[] = [];
    const fetch: typeof globalThis.fetch = (input, init) => {
      const request = new Request(addressOf(input), init);
      if (request.url.endsWith("/stream")) return Promise.resolve(new Response(null, { status: 405 }));
      sent.push(request.clone());
      return server.fetch(input, init);
    };
    const options = (token: string): UseElicitationOptions<UIMessage> => ({
      fetch,
      aiSdk,
      id: "c1",
      headers: { authorization: `Bearer ${token}` },
      body: () => ({ model: `model of ${token}` }),
    });
    const { rerender } = show(<Chat options={options("one")} />);
    await expect.poll(() => logOf().dataset["status"]).toBe("ready");
    rerender(<Chat options={options("two")} />);
    await press("Book");
    await answer("Lisbon");
    await expectReady(`${ASKED}The city is Lisbon.`);
    const [message] = sent.filter(({ url }) => url.endsWith("/chat"));
    expect(message?.headers.get("authorization")).toBe("Bearer two");
    expect(await message?.json()).toMatchObject({ id: "c1", model: "model of two" });
    expect(chatNamed().getByRole("alert").textContent).toBe("");
  });

  it("continues when the account is connected outside of the chat page", async () => {
    const { server, fetch } = serve(CONNECT);
    show(<Chat options={{ fetch, aiSdk }} />);
    await press("Book");
    await chatNamed().findByRole("button", { name: "Connect" });
    await server.completeOutside();
    await expectReady("user: Book a hotel / assistant: It is accepted.");
    expect(chatNamed().queryByRole("button", { name: "Connect" })).toBeNull();
  });

  it("reads a message only once if it is sent while the chat still requests an open turn", async () => {
    const { server } = serve();
    let answerResume = (): void => undefined;
    const asked = new Promise<void>((resolve) => (answerResume = resolve));
    const fetch: typeof globalThis.fetch = async (input, init) => {
      if (addressOf(input).pathname.endsWith("/stream")) await asked;
      return server.fetch(input, init);
    };
    render(<Chat options={{ fetch, aiSdk, id: "c1" }} />);
    await press("Book");
    await cityBox();
    answerResume();
    await settled();
    expect(logOf().dataset["status"]).toBe("streaming");
    await answer("Lisbon");
    await expectReady(`${ASKED}The city is Lisbon.`);
    expect(said).toEqual([]);
  });

  it("keeps the turn and the question while <Activity> hides the chat, with and without an id", async () => {
    const { Activity } = React;
    if (Activity === undefined) return;
    for (const id of [undefined, "c1"]) {
      const { server, fetch } = serve();
      const client = createElicitation({ fetch, aiSdk });
      endings.push(() => client.dispose());
      const Page = ({ isShown }: { isShown: boolean }) => (
        <Activity mode={isShown ? "visible" : "hidden"}>
          <Chat options={{ client, ...(id !== undefined && { id }) }} />
        </Activity>
      );
      const { rerender, unmount } = show(<Page isShown />);
      await press("Book");
      await cityBox();
      rerender(<Page isShown={false} />);
      await settled();
      expect(server.pending()).toHaveLength(1);
      rerender(<Page isShown />);
      await answer("Lisbon");
      await expectReady(`${ASKED}The city is Lisbon.`);
      unmount();
    }
    expect(said).toEqual([]);
  });

  it("shows the message of a refusal as the error of the chat", async () => {
    const { fetch } = serve();
    const refuse: typeof globalThis.fetch = (input, init) =>
      init?.method === "POST"
        ? Promise.resolve(
            Response.json(
              { title: "Too many", status: 403, detail: "You may not chat today." },
              { status: 403 },
            ),
          )
        : fetch(input, init);
    show(<Chat options={{ fetch: refuse, aiSdk }} />);
    await press("Book");
    await expect.poll(() => chatNamed().getByRole("alert").textContent).toBe("You may not chat today.");
  });

  it("reports what is wrong when the reply is not a stream", async () => {
    const html: typeof globalThis.fetch = () =>
      Promise.resolve(new Response("<!doctype html>", { headers: { "content-type": "text/html" } }));
    show(<Chat options={{ fetch: html, aiSdk }} />);
    await press("Book");
    await expect
      .poll(() => chatNamed().getByRole("alert").textContent)
      .toBe("elicit-kit: /run/api/chat sent no event stream. Is `api` the base of the contract's routes?");
  });

  it("reads the open requests once when it is mounted", async () => {
    const { fetch, calls } = serve();
    show(<Chat options={{ fetch, aiSdk, id: "c1" }} />);
    await settled();
    expect(calls.filter((call) => call === "GET /run/api/elicitations")).toHaveLength(1);
  });

  it("warns a developer if useChat has another id", async () => {
    const { fetch } = serve();
    function Wrong() {
      const { chatOptions } = useElicitation({ fetch, aiSdk, id: "c1" });
      const { sendMessage } = useChat({ ...chatOptions, id: "other" });
      return (
        <section aria-label="chat">
          <button onClick={() => void sendMessage({ text: "Book a hotel" })}>Book</button>
        </section>
      );
    }
    render(<Wrong />);
    await press("Book");
    await expect.poll(() => said.map(({ text }) => text).join()).toContain('useElicitation has the id "c1"');
  });

  it("gives a Chat outside of React the same transport", async () => {
    const { fetch } = serve();
    const client = createElicitation({ fetch, aiSdk });
    endings.push(() => client.dispose());
    const chat = new ChatOfSdk<UIMessage>({ id: "c1", transport: client.createTransport() });
    const turn = chat.sendMessage({ text: "Book a hotel" });
    await expect.poll(() => client.getSnapshot().items).toHaveLength(1);
    await client.accept(client.getSnapshot().items[0]!.id, { city: "Lisbon" });
    await turn;
    expect(chat.status).toBe("ready");
    expect(chat.messages).toHaveLength(2);
  });
});
