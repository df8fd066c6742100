import { act, cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CONVERSATION, createScript, type Script } from "../../client/testing/scripted-client.ts";
import { formRequest } from "../../contract/testing/requests.ts";

/** The chunk of the form: whether the server has it, and a function that lets it arrive. */
const chunk = { isMissing: false, arrived: Promise.resolve(), arrive: () => {} };
const CHUNK = "../form-elicitation/FormElicitation.tsx";

beforeEach(() => {
  chunk.isMissing = false;
  chunk.arrived = new Promise((resolve) => {
    chunk.arrive = resolve;
  });
  vi.resetModules();
  vi.doMock(CHUNK, async (load) => {
    await chunk.arrived;
    if (chunk.isMissing) throw new TypeError("Failed to fetch dynamically imported module");
    return load();
  });
});
afterEach(() => {
  cleanup();
  vi.doUnmock(CHUNK);
});

/** A page whose form has not loaded yet. */
async function show(script: Script): Promise<void> {
  const { Elicitations } = await import("./Elicitations.tsx");
  await (await import("./lazy-cards.ts")).lateCards.load();
  await act(async () =>
    render(
      <>
        <textarea aria-label="Message" />
        <Elicitations client={script.client} conversationId={CONVERSATION} />
      </>,
    ),
  );
}

async function arrive(): Promise<void> {
  await act(async () => {
    chunk.arrive();
    await vi.dynamicImportSettled();
  });
}

describe("a form whose code has not loaded yet", () => {
  it("shows the requester and the message, and then becomes the form", async () => {
    await show(createScript({ requests: [formRequest()] }));
    expect(screen.getByRole("heading").textContent).toBe("Where should the parcel go?");
    expect(screen.getByText("Where should the parcel go?")).toBeDefined();
    expect(screen.getByText("Loading the form…")).toBeDefined();
    await arrive();
    expect(screen.getByRole("textbox", { name: "City" })).toBeDefined();
    expect(screen.queryByText("Loading the form…")).toBeNull();
  });

  it("can be declined, dismissed and ended without its code", async () => {
    const script = createScript({
      requests: [
        formRequest(),
        formRequest({ elicitationId: "form-2" }),
        formRequest({
          elicitationId: "form-3",
          resolution: { outcome: "declined", at: "2026-11-21T12:00:00Z" },
        }),
      ],
    });
    await show(script);
    expect(screen.getByText("You declined")).toBeDefined();
    await userEvent.click(screen.getAllByRole("button", { name: "Decline" })[0]!);
    await userEvent.click(await screen.findByRole("button", { name: "Not now" }));
    expect(script.sent).toMatchObject([
      { elicitationId: "form-1", action: "decline" },
      { elicitationId: "form-2", action: "cancel" },
    ]);
  });

  it("is announced once", async () => {
    const script = createScript({ requests: [] });
    await show(script);
    screen.getByLabelText("Message").focus();
    const region = screen.getByRole("status");
    await act(async () => script.ask(formRequest()));
    expect(region.textContent).toBe("Where should the parcel go?");
    region.textContent = "";
    await arrive();
    expect(region.textContent).toBe("");
  });

  it("keeps the focus in the card when the questions appear", async () => {
    await show(createScript({ requests: [formRequest()] }));
    expect(document.activeElement).toBe(screen.getByRole("heading"));
    await arrive();
    expect(document.activeElement).toBe(screen.getByRole("heading"));
  });
});

describe("a form whose code cannot be loaded", () => {
  it("shows that, and loads the code when the user tries again", async () => {
    const script = createScript({ requests: [formRequest()] });
    await show(script);
    chunk.isMissing = true;
    await arrive();
    expect(screen.getByText("This question could not be loaded.", { ignore: "output" })).toBeDefined();
    expect(screen.getByRole("status").textContent).toContain("This question could not be loaded.");
    expect(screen.getByRole("button", { name: "Decline" })).toBeDefined();
    chunk.isMissing = false;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    await arrive();
    await userEvent.type(screen.getByRole("textbox", { name: "City" }), "Lisbon");
    await userEvent.click(screen.getByRole("button", { name: "Send" }));
    expect(script.sent).toMatchObject([{ action: "accept", content: { city: "Lisbon" } }]);
  });

  it("retries when the browser is online again", async () => {
    await show(createScript({ requests: [formRequest()] }));
    chunk.isMissing = true;
    await arrive();
    chunk.isMissing = false;
    await act(async () => {
      window.dispatchEvent(new Event("online"));
      await vi.dynamicImportSettled();
    });
    expect(screen.getByRole("textbox", { name: "City" })).toBeDefined();
  });
});
