import { act, cleanup, render, screen } from "@testing-library/react";
import { StrictMode } from "react";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { createChatClient } from "../../test/stages/chat-client.ts";
import { CITY, asking, createTestRuntime } from "../../test/stages/test-runtime.ts";
import { createElicitationClient, createHttpChannel, type ElicitationClient } from "../client/index.ts";
import { Elicitations } from "./elicitations/Elicitations.tsx";
import { useElicitationInbox } from "./use-elicitation-inbox.ts";

afterEach(cleanup);

function List({ client }: { client: ElicitationClient }) {
  const { count, conversations, entryOf, status } = useElicitationInbox({ client });
  return (
    <main data-status={status}>
      <h1>{count} waiting</h1>
      {conversations.map(({ conversationId, elicitations }) => (
        <ul key={conversationId} aria-label={conversationId}>
          {elicitations.map((item) => (
            <li key={item.id}>
              {entryOf(item)?.surface} {item.status}
              <button type="button" onClick={() => void item.decline()}>
                Decline
              </button>
            </li>
          ))}
        </ul>
      ))}
    </main>
  );
}

test("a page shows how many requests wait in all conversations, and answers one of them", async () => {
  const runtime = createTestRuntime(asking(CITY));
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const first = await ada.send("Trip");
  await first.request();
  await (await ada.send("Release")).request();
  const client = createElicitationClient({
    storage: null,
    channel: createHttpChannel({
      api: "https://runtime.example.com/run/api",
      headers: { authorization: "Bearer ada" },
      fetch: async (input, init) => runtime.fetch(new Request(input, init)),
    }),
  });
  render(<List client={client} />, { wrapper: StrictMode });
  await screen.findByText("2 waiting");
  expect(screen.getAllByRole("list").map((list) => list.getAttribute("aria-label"))).toEqual([
    "Trip",
    "Release",
  ]);
  await act(async () => screen.getAllByRole("button", { name: "Decline" })[0]?.click());
  await screen.findByText("1 waiting");
  await screen.findByText(/chat declined/);
  await first.done;
  expect(first.chunks).toContainEqual(expect.objectContaining({ delta: '{"outcome":"declined"}' }));
});

test("the inbox of a hidden page stays live, so that its title counts new requests of other tabs", async () => {
  const runtime = createTestRuntime(asking(CITY));
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const client = createElicitationClient({
    storage: null,
    channel: createHttpChannel({
      api: "https://runtime.example.com/run/api",
      headers: { authorization: "Bearer ada" },
      fetch: async (input, init) => runtime.fetch(new Request(input, init)),
    }),
  });
  document.title = "Chat";
  onTestFinished(() => hide(false));
  render(
    <>
      <List client={client} />
      <Elicitations client={client} conversationId="Trip" />
    </>,
  );
  await screen.findByText("0 waiting");
  hide(true);
  const { elicitationId } = await (await ada.send("Trip")).request();
  await expect.poll(() => document.title).toBe("(1) Chat");
  await ada.answer("Trip", { elicitationId, action: "decline" });
  await expect.poll(() => document.title).toBe("Chat");
});

function hide(hidden: boolean): void {
  Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
  Object.defineProperty(document, "visibilityState", {
    configurable: true,
    value: hidden ? "hidden" : "visible",
  });
  document.dispatchEvent(new Event("visibilitychange"));
}
