import { act, cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { StrictMode } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CONVERSATION, createScript, type Script } from "../../client/testing/scripted-client.ts";
import { formRequest, urlRequest } from "../../contract/testing/requests.ts";
import { de } from "../../words/cards/de.ts";
import type { ElicitationsProps } from "./props.ts";

/** The files that a page loads later, and what its server says. */
const loaded: string[] = [];
const server = { isDown: false, arrived: Promise.resolve(), arrive: () => {} };
const FILES = ["./cards.tsx", "./later.ts"];

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

/** A page that has loaded no cards yet. */
async function show(script: Script, props: Pick<ElicitationsProps, "catalogue"> = {}): Promise<void> {
  const { Elicitations } = await import("./Elicitations.tsx");
  await act(async () =>
    render(
      <StrictMode>
        <Elicitations client={script.client} conversationId={CONVERSATION} {...props} />
      </StrictMode>,
    ),
  );
}

async function arrive(): Promise<void> {
  await act(async () => {
    server.arrive();
    await vi.dynamicImportSettled();
  });
}

describe("the cards of a page that is asked for the first time", () => {
  it("appear when their code has arrived, and take the focus", async () => {
    const script = createScript({ requests: [] });
    await show(script);
    await act(async () => script.ask(urlRequest()));
    expect(screen.queryByRole("group")).toBeNull();
    await arrive();
    expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Connect your account" }));
    await userEvent.click(screen.getByRole("button", { name: "Connect" }));
    expect(script.visited).toHaveLength(1);
  });

  it("load the code of forms only for a form, and beside their own", async () => {
    const script = createScript({ requests: [] });
    await show(script);
    await act(async () => script.ask(urlRequest()));
    expect(loaded).toEqual(["./cards.tsx"]);
    await act(async () => script.ask(formRequest()));
    expect(loaded).toEqual(["./cards.tsx", "./later.ts"]);
    await arrive();
    expect(screen.getByRole("textbox", { name: "City" })).toBeDefined();
  });
});

it("a page that is not asked loads the cards once it is idle, so that the first one appears at once", async () => {
  vi.useFakeTimers();
  await show(createScript({ requests: [] }));
  expect(loaded).toEqual([]);
  await act(async () => vi.advanceTimersByTime(2_000));
  expect(loaded).toEqual(FILES);
});

describe("cards whose code cannot be loaded", () => {
  async function showFailure(props?: Pick<ElicitationsProps, "catalogue">): Promise<Script> {
    const script = createScript({ requests: [urlRequest()] });
    server.isDown = true;
    await show(script, props);
    await arrive();
    return script;
  }

  it("say so, and load it when the user tries again", async () => {
    await showFailure();
    expect(screen.getByText("This question could not be loaded.", { ignore: "output" })).toBeDefined();
    expect(screen.getByRole("status").textContent).toBe("This question could not be loaded.");
    server.isDown = false;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    await act(() => vi.dynamicImportSettled());
    expect(screen.getByRole("button", { name: "Connect" })).toBeDefined();
    expect(screen.queryByText("This question could not be loaded.", { ignore: "output" })).toBeNull();
  });

  it("say so in the language of the page", async () => {
    await showFailure({ catalogue: de });
    expect(screen.getByRole("button", { name: "Erneut versuchen" })).toBeDefined();
    expect(screen.getByText("Diese Frage konnte nicht geladen werden.", { ignore: "output" })).toBeDefined();
  });

  it("can still be declined", async () => {
    const script = await showFailure();
    await userEvent.click(screen.getByRole("button", { name: "Decline" }));
    expect(script.sent).toMatchObject([{ elicitationId: "url-1", action: "decline" }]);
    expect(screen.queryByRole("button")).toBeNull();
  });

  it("load it when the browser is online again", async () => {
    await showFailure();
    server.isDown = false;
    await act(async () => {
      window.dispatchEvent(new Event("online"));
      await vi.dynamicImportSettled();
    });
    expect(screen.getByRole("button", { name: "Connect" })).toBeDefined();
  });
});
