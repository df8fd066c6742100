import { act, cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Script, ScriptOptions } from "../../client/testing/scripted-client.ts";
import { REQUEST_PART_TYPE } from "../../contract/contract.ts";
import { formRequest, urlRequest } from "../../contract/testing/requests.ts";
import { de } from "../../words/cards/de.ts";
import type { ElicitationsProps } from "./props.ts";

/** The files that a page loads later, and what its server says. */
const loaded: string[] = [];
const server = { isDown: false, arrived: Promise.resolve(), arrive: () => {} };
const DESK = "../../client/desk.ts";
const FILES = [DESK, "./cards.tsx", "../form-elicitation/FormElicitation.tsx"];

beforeEach(() => {
  loaded.length = 0;
  server.isDown = false;
  server.arrived = new Promise((resolve) => {
    server.arrive = resolve;
  });
  vi.resetModules();
  for (const file of FILES) {
    vi.doMock(file, async (load) => {
      loaded.push(file);
      await server.arrived;
      if (server.isDown) throw new TypeError("Failed to fetch dynamically imported module");
      return load();
    });
  }
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  for (const file of FILES) vi.doUnmock(file);
});

/** A page that has loaded only what every page loads. */
async function show(
  options: ScriptOptions = {},
  props: Pick<ElicitationsProps, "catalogue" | "placement" | "children"> = {},
): Promise<Script> {
  const { Elicitations } = await import("./Elicitations.tsx");
  const { CONVERSATION, createScript } = await import("../../client/testing/scripted-client.ts");
  const script = createScript(options);
  await act(async () =>
    render(
      <StrictMode>
        <Elicitations client={script.client} conversationId={CONVERSATION} {...props} />
      </StrictMode>,
    ),
  );
  return script;
}

async function arrive(): Promise<void> {
  await act(async () => {
    server.arrive();
    await vi.dynamicImportSettled();
  });
}

describe("a page that is asked for the first time", () => {
  it("shows the card when its code has arrived, gives it the focus, and opens the page in the click", async () => {
    const script = await show();
    await act(async () => script.ask(urlRequest()));
    expect(screen.queryByRole("group")).toBeNull();
    await arrive();
    expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Connect your account" }));
    const button = screen.getByRole("button", { name: "Connect" });
    // The browser opens a window only during the event.
    act(() => button.click());
    expect(script.visited).toHaveLength(1);
  });

  it("loads all code that the request needs at once, and that of forms only for a form", async () => {
    const script = await show();
    await act(async () => script.ask(urlRequest()));
    expect(loaded).toEqual([DESK, "./cards.tsx"]);
    await act(async () => script.ask(formRequest()));
    expect(loaded).toEqual(FILES);
    await arrive();
    expect(screen.getByRole("textbox", { name: "City" })).toBeDefined();
  });

  it("shows the requests of its history, the last state of each", async () => {
    const ended = { outcome: "declined", at: "2026-11-21T12:00:00Z" } as const;
    await show({ requests: [urlRequest(), formRequest(), urlRequest({ resolution: ended })] });
    await arrive();
    expect(screen.getByText("You declined")).toBeDefined();
    expect(screen.getByRole("textbox", { name: "City" })).toBeDefined();
    expect(screen.getAllByRole("group").filter((one) => one.hasAttribute("data-elicitation"))).toHaveLength(
      2,
    );
  });
});

describe("a page that was rendered on the server", () => {
  it("is hydrated without errors, and shows the requests of its history when their code has arrived", async () => {
    const { Elicitations } = await import("./Elicitations.tsx");
    const { CONVERSATION, createScript } = await import("../../client/testing/scripted-client.ts");
    const parts = [{ type: REQUEST_PART_TYPE, data: formRequest() }];
    const messages = [{ id: "m1", role: "assistant", parts }];
    const page = (client: Script["client"]) => (
      <main>
        <p>Where to?</p>
        <Elicitations client={client} conversationId={CONVERSATION} messages={messages} />
      </main>
    );
    const container = document.body.appendChild(document.createElement("div"));
    onTestFinished(() => container.remove());
    container.innerHTML = renderToString(page(createScript({ requests: [urlRequest()] }).client));
    const paragraph = container.querySelector("p");
    const errors: unknown[] = [];
    const { client } = createScript({ requests: [urlRequest()] });
    const root = await act(async () =>
      hydrateRoot(container, page(client), { onRecoverableError: (error) => errors.push(error) }),
    );
    onTestFinished(() => act(async () => root.unmount()));
    expect(screen.queryByRole("group")).toBeNull();
    await arrive();
    expect(screen.getByRole("textbox", { name: "City" })).toBeDefined();
    expect(screen.getByRole("button", { name: "Connect" })).toBeDefined();
    expect(container.querySelector("p")).toBe(paragraph);
    expect(errors).toEqual([]);
  });
});

describe("a page that is not asked", () => {
  it("loads the code once it is idle, so that the first card appears at once", async () => {
    vi.useFakeTimers();
    const script = await show();
    expect(loaded).toEqual([]);
    await act(async () => vi.advanceTimersByTime(2_000));
    expect(loaded.toSorted()).toEqual(FILES.toSorted());
    await arrive();
    act(() => script.ask(urlRequest()));
    expect(screen.getByRole("button", { name: "Connect" })).toBeDefined();
  });

  it('loads no code with `preload: "never"`', async () => {
    vi.useFakeTimers();
    await show({ preload: "never" });
    await act(async () => vi.advanceTimersByTime(60_000));
    expect(loaded).toEqual([]);
  });
});

describe("a card whose code cannot be loaded", () => {
  const failure = () => screen.queryByText("This question could not be loaded.", { ignore: "output" });

  async function showFailure(props?: Pick<ElicitationsProps, "catalogue">): Promise<Script> {
    server.isDown = true;
    const script = await show({}, props);
    await act(async () => script.ask(urlRequest()));
    expect(failure()).toBeNull();
    await arrive();
    return script;
  }

  it("says so, and appears when the user tries again", async () => {
    await showFailure();
    expect(failure()).not.toBeNull();
    expect(screen.getByRole("status").textContent).toBe("This question could not be loaded.");
    server.isDown = false;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    await act(() => vi.dynamicImportSettled());
    expect(screen.getByRole("button", { name: "Connect" })).toBeDefined();
    expect(failure()).toBeNull();
  });

  it("says so in the language of the page", async () => {
    await showFailure({ catalogue: de });
    expect(screen.getByRole("button", { name: "Erneut versuchen" })).toBeDefined();
    expect(screen.getByText("Diese Frage konnte nicht geladen werden.", { ignore: "output" })).toBeDefined();
  });

  it("can be declined without its code, and is a receipt when the code arrives", async () => {
    const script = await showFailure();
    await userEvent.click(screen.getByRole("button", { name: "Decline" }));
    expect(script.sent).toMatchObject([{ elicitationId: "url-1", action: "decline" }]);
    expect(screen.queryByRole("button")).toBeNull();
    server.isDown = false;
    await act(async () => {
      window.dispatchEvent(new Event("online"));
      await vi.dynamicImportSettled();
    });
    expect(screen.getByText("You declined")).toBeDefined();
    expect(script.sent).toHaveLength(1);
  });

  it("appears when the browser is online again", async () => {
    await showFailure();
    server.isDown = false;
    await act(async () => {
      window.dispatchEvent(new Event("online"));
      await vi.dynamicImportSettled();
    });
    expect(screen.getByRole("button", { name: "Connect" })).toBeDefined();
  });
});
