// @vitest-environment happy-dom
import { useChat } from "@ai-sdk/react";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { DefaultChatTransport, type HttpChatTransportInitOptions, type UIMessage } from "ai";
import { Elicitations, useElicitation, useElicitationList } from "elicit-kit";
import { type ChatElicitation, createElicitation } from "elicit-kit/ai-sdk";
import { askForm, createMockServer, say } from "elicit-kit/mock-server";
import { StrictMode, useState } from "react";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { aiSdk } from "./ai-sdk.ts";

const endings: (() => unknown)[] = [];
let warnings: string[] = [];
beforeEach(() => {
  warnings = [];
  vi.spyOn(console, "warn").mockImplementation((text: string) => void warnings.push(text));
});
afterEach(async () => {
  cleanup();
  for (const end of endings.splice(0).toReversed()) await end();
  vi.restoreAllMocks();
});

function serve(): typeof globalThis.fetch {
  const server = createMockServer({
    script: [
      askForm({ message: "Which city?", properties: { city: { type: "string", title: "City" } } }),
      say((result) => `It is ${result.outcome === "accepted" ? String(result.content["city"]) : "none"}.`),
    ],
  });
  endings.push(() => server.close());
  return server.fetch;
}

type Prepare = Pick<HttpChatTransportInitOptions<UIMessage>, "prepareSendMessagesRequest">;

interface OwnChatProps {
  fetch?: typeof globalThis.fetch;
  client?: ChatElicitation;
  id?: string;
  prepare?: Prepare["prepareSendMessagesRequest"];
  shows?: boolean;
  name?: string;
}

/** A chat with a transport of the AI SDK, as `docs/show/hook.md` says. */
function OwnChat({ fetch, client, id, prepare, shows = true, name = "Book" }: OwnChatProps) {
  const elicitation = useElicitation(client === undefined ? { fetch, aiSdk, id } : { client, id });
  const [transport] = useState(
    () =>
      new DefaultChatTransport<UIMessage>({
        ...elicitation.client.transportOptions,
        ...(prepare !== undefined && { prepareSendMessagesRequest: prepare }),
      }),
  );
  const { messages, sendMessage } = useChat({ transport });
  return (
    <section aria-label={name}>
      <div role="log">
        {messages.flatMap(({ parts }) => parts.map((part) => (part.type === "text" ? part.text : "")))}
      </div>
      {shows && <Elicitations {...elicitation} />}
      <button onClick={() => void sendMessage({ text: "Go" })}>{name}</button>
    </section>
  );
}

const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));
const bodyWith = (names: object): Prepare["prepareSendMessagesRequest"] =>
  (({ messages }: { messages: UIMessage[] }) => ({
    body: { messages, ...names },
  })) satisfies Prepare["prepareSendMessagesRequest"];

describe("a chat with a transport of the app's own", () => {
  it("without an id shows the card, and the turn continues with the answer", async () => {
    render(<OwnChat fetch={serve()} />, { wrapper: StrictMode });
    await press("Book");
    await userEvent.type(await screen.findByLabelText(/City/), "Lisbon");
    await press("Send");
    await expect.poll(() => screen.getByRole("log").textContent).toBe("GoIt is Lisbon.");
    expect(warnings).toEqual([]);
  });

  it("shows the card, too, if its client is shared", async () => {
    const client = createElicitation({ fetch: serve(), aiSdk });
    endings.push(() => client.dispose());
    render(<OwnChat client={client} />);
    await press("Book");
    expect(await screen.findByLabelText(/City/)).toBeDefined();
  });

  it("with an id of the hook only shows no card, and a warning says why", async () => {
    render(<OwnChat fetch={serve()} id="c1" />);
    await press("Book");
    await expect.poll(() => warnings.join()).toContain("nothing on the page shows it");
  });

  it("gets a warning beside a second one with the same client, where the card could belong to each", async () => {
    const client = createElicitation({ fetch: serve(), aiSdk });
    endings.push(() => client.dispose());
    render(
      <>
        <OwnChat client={client} />
        <OwnChat client={client} name="Other" />
      </>,
    );
    await press("Other");
    await expect.poll(() => warnings.join()).toContain("nothing on the page shows it");
    expect(screen.queryByLabelText(/City/)).toBeNull();
  });

  it("gets a warning if its own body names no conversation", async () => {
    const fetch: typeof globalThis.fetch = async () => {
      const request = {
        elicitationId: "e1",
        mode: "form",
        message: "Who?",
        requestedSchema: { type: "object", properties: {} },
      };
      const chunk = {
        type: "data-elicitation-request",
        id: "e1",
        data: { type: "elicitation-request", version: 1, ...request },
      };
      return new Response(`data: ${JSON.stringify(chunk)}\n\n`, {
        headers: { "content-type": "text/event-stream" },
      });
    };
    render(<OwnChat fetch={fetch} prepare={bodyWith({ thread: "t1" })} />);
    await press("Book");
    await expect.poll(() => warnings.join()).toContain("names no conversation");
  });

  it("gets a warning if the app draws no cards", async () => {
    render(<OwnChat fetch={serve()} shows={false} />);
    await press("Book");
    await expect.poll(() => warnings.join()).toContain("nothing on the page shows it");
  });

  it("takes no cards of a chat with a transport of the kit", async () => {
    const client = createElicitation({ fetch: serve(), aiSdk });
    endings.push(() => client.dispose());
    function Other() {
      const [transport] = useState(() => client.createTransport());
      const { sendMessage } = useChat({ id: "other", transport });
      const { elicitations } = useElicitationList({ client, conversationId: "other" });
      return (
        <button onClick={() => void sendMessage({ text: "Go" })}>{`Other ${elicitations.length}`}</button>
      );
    }
    render(
      <>
        <OwnChat client={client} />
        <Other />
      </>,
    );
    await press("Other 0");
    await screen.findByRole("button", { name: "Other 1" });
    expect(screen.queryByLabelText(/City/)).toBeNull();
  });
});

it("a server renders the hook without reading the clock or a random value, which Next.js refuses", () => {
  const spies = [
    vi.spyOn(Date, "now"),
    vi.spyOn(Math, "random"),
    vi.spyOn(crypto, "randomUUID"),
    vi.spyOn(crypto, "getRandomValues"),
  ];
  function Page() {
    const elicitation = useElicitation({ aiSdk });
    return <Elicitations {...elicitation} />;
  }
  renderToString(<Page />);
  for (const spy of spies) expect(spy).not.toHaveBeenCalled();
});
