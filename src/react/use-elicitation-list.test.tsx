import { act, cleanup, render, renderHook, screen, waitFor } from "@testing-library/react";
import { StrictMode, useState } from "react";
import { hydrateRoot } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createElicitationClient, type ElicitationClient } from "../client/index.ts";
import { FakeChannel, settleAll } from "../client/testing/fake-channel.ts";
import { CONVERSATION, createScript } from "../client/testing/scripted-client.ts";
import { formRequest, urlRequest } from "../contract/testing/requests.ts";
import type { ElicitationRequest } from "../contract/contract.ts";
import { useElicitationList } from "./use-elicitation-list.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation((...words: unknown[]) => {
    throw new Error(`React complains: ${words.join(" ")}`);
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const messagesWith = (...requests: ElicitationRequest[]) => [
  { parts: requests.map((data) => ({ type: "data-elicitation-request", id: data.elicitationId, data })) },
];

function mount(client: ElicitationClient, messages = messagesWith()) {
  return renderHook((props) => useElicitationList({ client, conversationId: CONVERSATION, ...props }), {
    initialProps: { messages },
    wrapper: StrictMode,
  });
}

describe("useElicitationList", () => {
  it("lists requests in order and returns the first that waits for the user", async () => {
    const script = createScript({ requests: [urlRequest(), formRequest()] });
    const { result } = mount(script.client);
    expect(result.current.elicitations.map((item) => item.id)).toEqual(["url-1", "form-1"]);
    expect(result.current.current?.id).toBe("url-1");
    await act(async () => result.current.current?.decline());
    expect(result.current.elicitations[0]).toMatchObject({ status: "declined" });
    expect(result.current.current?.id).toBe("form-1");
  });

  it("gives each request its methods", async () => {
    const script = createScript({ requests: [urlRequest(), formRequest()] });
    const { result } = mount(script.client);
    act(() => void result.current.current?.connect());
    expect(script.visited).toEqual([urlRequest().url]);
    expect(result.current.current).toMatchObject({ status: "opened", window: "open" });
    await act(async () => result.current.current?.cancel());
    await act(async () => result.current.current?.accept({ city: "Lisbon" }));
    expect(script.sent.map(({ action, content }) => [action, content])).toEqual([
      ["cancel", undefined],
      ["accept", { city: "Lisbon" }],
    ]);
  });

  it("does not count answers that wait for their round as the current request", async () => {
    const round = { id: "round-1", size: 2 };
    const script = createScript({
      requests: [formRequest({ round }), formRequest({ elicitationId: "form-2", round })],
    });
    const { result } = mount(script.client);
    await act(async () => result.current.current?.accept({ city: "Lisbon" }));
    expect(result.current.elicitations[0]?.status).toBe("answered");
    expect(result.current.current?.id).toBe("form-2");
  });

  it("returns the reason why a request ended or the last attempt failed", async () => {
    const resolution = { outcome: "failed", at: "2026-11-21T12:00:00Z", reason: "No such account." } as const;
    const script = createScript({
      requests: [
        urlRequest({ resolution }),
        urlRequest({ elicitationId: "url-2", progress: { status: "consented", lastError: "Access denied" } }),
      ],
    });
    const { result } = mount(script.client);
    expect(result.current.elicitations.map((item) => item.reason)).toEqual([
      "No such account.",
      "Access denied",
    ]);
  });

  it("returns the remaining time", () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const { result } = mount(createScript({ requests: [urlRequest({ expiresAt })] }).client);
    const left = result.current.current?.remaining() ?? 0;
    expect(left).toBeGreaterThan(50_000);
    expect(left).toBeLessThanOrEqual(60_000);
  });

  it("reads requests from messages, and lists the same ones however often the messages change", () => {
    const script = createScript();
    const { result, rerender } = renderHook(
      ({ messages }) => useElicitationList({ client: script.client, conversationId: CONVERSATION, messages }),
      { initialProps: { messages: messagesWith(urlRequest()) } },
    );
    expect(result.current.current?.id).toBe("url-1");
    const { elicitations } = result.current;
    // The AI SDK creates new parts for each token, but keeps their data objects.
    const data = urlRequest();
    for (let token = 0; token < 5; token++) rerender({ messages: messagesWith(data) });
    expect(result.current.elicitations).toBe(elicitations);
  });

  it("does not render again for a change in another conversation", async () => {
    const script = createScript({ requests: [formRequest()] });
    let renders = 0;
    const { result } = renderHook(() => {
      renders += 1;
      return useElicitationList({ client: script.client, conversationId: CONVERSATION });
    });
    await act(async () => undefined);
    const before = renders;
    act(() => script.client.receive("another conversation", formRequest({ elicitationId: "theirs" })));
    await act(async () => script.client.decline("theirs"));
    expect(renders).toBe(before);
    await act(async () => result.current.current?.decline());
    expect(renders).toBeGreaterThan(before);
  });

  it("leaves no listener on the window when Strict Mode creates a client twice", async () => {
    const added = vi.spyOn(window, "addEventListener");
    const removed = vi.spyOn(window, "removeEventListener");
    function Chat() {
      const [client] = useState(() => createElicitationClient({ channel: new FakeChannel() }));
      useElicitationList({ client, conversationId: CONVERSATION });
      return null;
    }
    const { unmount } = render(<Chat />, { wrapper: StrictMode });
    await act(async () => undefined);
    unmount();
    const ofOnline = (calls: readonly unknown[][]) => calls.filter(([type]) => type === "online").length;
    expect(ofOnline(added.mock.calls) - ofOnline(removed.mock.calls)).toBe(0);
  });

  it("shows a request that ended in history as ended", () => {
    const ended = urlRequest({ resolution: { outcome: "accepted", at: "2026-11-21T12:00:00Z" } });
    const { result } = mount(createScript().client, messagesWith(ended));
    expect(result.current.elicitations[0]?.status).toBe("accepted");
    expect(result.current.current).toBeUndefined();
  });

  it("restores open requests of the conversation after a reload", async () => {
    const script = createScript({ list: [formRequest()] });
    const { result } = mount(script.client);
    await waitFor(() => expect(result.current.current?.id).toBe("form-1"));
    expect(script.listed).toContain(CONVERSATION);
  });

  it("lists only requests of its conversation", () => {
    const script = createScript({ requests: [urlRequest()] });
    const { result } = renderHook(() =>
      useElicitationList({ client: script.client, conversationId: "another" }),
    );
    expect(result.current.elicitations).toEqual([]);
    const all = renderHook(() => useElicitationList({ client: script.client }));
    expect(all.result.current.elicitations).toHaveLength(1);
  });

  it("shows the same state in two components that share a client", async () => {
    const script = createScript({ requests: [urlRequest()] });
    const first = mount(script.client);
    const second = mount(script.client);
    await act(async () => first.result.current.current?.decline());
    expect(second.result.current.elicitations[0]?.status).toBe("declined");
  });

  it("returns the same object for a request that did not change", async () => {
    const script = createScript({ requests: [urlRequest(), formRequest()] });
    const { result } = mount(script.client);
    // After a reload, reading the list also changes the item: it is `checking`.
    await act(async () => undefined);
    const [, form] = result.current.elicitations;
    await act(async () => result.current.current?.decline());
    expect(result.current.elicitations[1]).toBe(form);
  });

  it("hydrates server HTML without a mismatch, then lists the requests", async () => {
    const script = createScript({ requests: [urlRequest()] });
    const List = () => (
      <ul>
        {useElicitationList({ client: script.client, conversationId: CONVERSATION }).elicitations.map(
          ({ id }) => (
            <li key={id}>{id}</li>
          ),
        )}
      </ul>
    );
    const container = document.createElement("div");
    // See server.test.tsx.
    container.append(document.createElement("ul"));
    document.body.append(container);
    const recovered = vi.fn<(error: unknown) => void>();
    const root = await act(async () => hydrateRoot(container, <List />, { onRecoverableError: recovered }));
    expect(container.textContent).toBe("url-1");
    expect(recovered).not.toHaveBeenCalled();
    act(() => root.unmount());
    container.remove();
  });

  it("does not dispose of the client when it unmounts", async () => {
    const script = createScript({ requests: [urlRequest()] });
    mount(script.client).unmount();
    await script.client.decline("url-1");
    expect(script.sent).toHaveLength(1);
  });

  it("polls the server while a component is mounted, and again with the next one", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let asked = 0;
    const status = () => (asked++, {});
    const { client } = createScript({ requests: [urlRequest()], status });
    const wait = async (ms: number) => {
      const before = asked;
      await act(async () => vi.advanceTimersByTimeAsync(ms));
      return asked - before;
    };
    const one = mount(client);
    const other = mount(client);
    await wait(0);
    one.unmount();
    expect(await wait(30_000)).toBeGreaterThan(0);
    other.unmount();
    expect(await wait(600_000)).toBe(0);
    mount(client);
    await wait(0);
    expect(await wait(30_000)).toBeGreaterThan(0);
  });
});

describe("the hook without a provider", () => {
  it("works in two React roots that share a client", async () => {
    const script = createScript({ requests: [urlRequest()], respond: settleAll });
    const Show = ({ name }: { name: string }) => (
      <p>
        {name}: {useElicitationList({ client: script.client }).elicitations.map(({ status }) => status)}
      </p>
    );
    render(<Show name="one" />);
    render(<Show name="two" />);
    await act(async () => script.client.decline("url-1"));
    expect(screen.getByText("one: declined")).toBeDefined();
    expect(screen.getByText("two: declined")).toBeDefined();
  });
});
