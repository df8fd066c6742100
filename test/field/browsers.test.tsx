/** Browsers that forbid storage and channels to a page, or have no room in it. */
import { act, cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Elicitations } from "elicit-kit";
import { createElicitationClient } from "elicit-kit/client";
import { afterEach, expect, onTestFinished, vi } from "vitest";
import { FakeWindow } from "../../src/client/popup/testing/fake-browser.ts";
import { FakeChannel } from "../../src/client/testing/fake-channel.ts";
import { formRequest, urlRequest } from "../../src/contract/testing/requests.ts";
import { fieldCase } from "./field-case.ts";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A page with the question of a form. */
function open() {
  const channel = new FakeChannel();
  channel.open = [formRequest()];
  channel.report = () => ({ status: "pending" });
  const client = createElicitationClient({ channel });
  render(<Elicitations client={client} conversationId="c1" />);
  return { channel, ask: () => act(() => client.receive("c1", formRequest())) };
}

async function answer(channel: FakeChannel): Promise<void> {
  await userEvent.type(await screen.findByRole("textbox", { name: "City" }), "Rome");
  await userEvent.click(screen.getByRole("button", { name: "Send" }));
  await expect.poll(() => channel.sent.flat().map(({ action }) => action)).toEqual(["accept"]);
}

fieldCase(
  {
    sources: ["MichalZalecki/storage-factory#10", "nolanlawson/pinafore#444", "sagemathinc/cocalc#237"],
    before: "passed",
  },
  "a question can be answered in a browser that forbids storage",
  async () => {
    vi.spyOn(window, "sessionStorage", "get").mockImplementation(() => {
      throw new DOMException("The operation is insecure.", "SecurityError");
    });
    const { channel, ask } = open();
    ask();
    await answer(channel);
  },
);

fieldCase(
  { sources: ["mxstbr/sharingbuttons.io#35", "medialize/jQuery-store#4"], before: "passed" },
  "a question can be answered in a browser whose storage is full",
  async () => {
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    });
    const { channel, ask } = open();
    ask();
    await answer(channel);
  },
);

fieldCase(
  { sources: ["mozilla/fxa#2347", "trezor/connect#737"], before: "failed" },
  "a click on connect has its outcome in a browser that forbids channels between pages",
  async () => {
    vi.stubGlobal("BroadcastChannel", function refuse() {
      throw new DOMException("The operation is insecure.", "SecurityError");
    });
    vi.stubGlobal("open", () => new FakeWindow());
    const channel = new FakeChannel();
    const request = urlRequest();
    channel.open = [request];
    channel.report = () => ({ status: "pending" });
    const client = createElicitationClient({ channel });
    onTestFinished(() => client.dispose());
    client.receive("c1", request);
    await client.ready();
    const outcome = client.connect(request.elicitationId);
    channel.report = () => ({ status: "accepted" });
    window.dispatchEvent(new Event("focus"));
    expect(await outcome).toBe("accepted");
  },
);
