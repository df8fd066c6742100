// @vitest-environment happy-dom
import { useChat } from "@ai-sdk/react";
import { act, cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Elicitations, useElicitation } from "elicit-kit";
import type { ElicitationOptions } from "elicit-kit/ai-sdk";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeBrowser } from "../../src/client/popup/testing/fake-browser.ts";
import { createSeedServer, type SeedQuestion } from "../stages/seed-server.ts";
import { aiSdk } from "./ai-sdk.ts";

const warnings: string[] = [];
beforeEach(() => {
  warnings.length = 0;
  vi.spyOn(console, "warn").mockImplementation((...words: unknown[]) => void warnings.push(words.join(" ")));
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const CONNECT: SeedQuestion = {
  elicitationId: "conv:1/x y",
  message: "Linear requires authentication.",
  url: "/auth/connect?toolId=linear",
  context: { trigger: "credential_required" },
};

function Chat({ options }: { options: ElicitationOptions }) {
  const elicitation = useElicitation(options);
  const { messages, sendMessage, status, error } = useChat(elicitation.chatOptions);
  return (
    <>
      <div role="log" data-status={status}>
        {messages
          .flatMap(({ parts }) => parts.map((part) => (part.type === "text" ? part.text : "")))
          .join("")}
      </div>
      <p role="alert">{error?.message}</p>
      <Elicitations {...elicitation} />
      <button onClick={() => void sendMessage({ text: "List my issues" })}>Ask</button>
    </>
  );
}

/** A page at `http://localhost:3000` with the drop-in, and a server that handles its `fetch`. */
async function ask(question: SeedQuestion, options: ElicitationOptions = {}) {
  const server = createSeedServer(question);
  const paths: string[] = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    const request = new Request(new URL(input instanceof Request ? input.url : input, location.href), init);
    paths.push(`${request.method} ${new URL(request.url).pathname}`);
    return server.fetch(request);
  };
  const browser = new FakeBrowser();
  render(<Chat options={{ fetch, popupEnvironment: browser, aiSdk, ...options }} />);
  await userEvent.click(screen.getByRole("button", { name: "Ask" }));
  return { server, browser, paths };
}

const said = () => screen.getByRole("log").textContent;

async function expectAnswered(action: string): Promise<void> {
  await expect.poll(said).toContain(`The answer was ${action}.`);
  await expect.poll(() => screen.getByRole("log").dataset["status"]).toBe("ready");
  expect(screen.getByRole("alert").textContent).toBe("");
}

describe("a server that implements only the first version of the protocol", () => {
  it("works with a page at a relative address, on which the user says that they have finished", async () => {
    const { server, browser, paths } = await ask(CONNECT);
    await userEvent.click(await screen.findByRole("button", { name: "Connect" }));
    expect(browser.windows[0]?.visited).toEqual([new URL(CONNECT.url ?? "", location.href).href]);
    await userEvent.click(await screen.findByRole("button", { name: "I’ve finished" }));
    await expectAnswered("accept");
    expect(server.answers).toMatchObject([{ elicitationId: "conv:1/x y", action: "accept" }]);
    expect(screen.queryByRole("button", { name: "Connect" })).toBeNull();
    // The server has no status route, and is not polled.
    expect(paths.filter((path) => path.startsWith("GET")).length).toBeLessThanOrEqual(2);
    expect(warnings).toEqual([]);
  });

  it("gets one answer when the page of its own origin reports completion several times", async () => {
    const trustedOrigin = "https://auth.example.com";
    const question = { ...CONNECT, mode: "url", url: `${trustedOrigin}/auth/connect` };
    const { server, browser } = await ask(question, { trustedOrigin });
    await userEvent.click(await screen.findByRole("button", { name: "Connect" }));
    const data = {
      source: "elicit-kit",
      version: 1,
      type: "elicitation-complete",
      elicitationId: CONNECT.elicitationId,
    };
    for (let times = 0; times < 3; times++) {
      act(() => browser.fire("message", { origin: trustedOrigin, source: browser.windows[0], data }));
    }
    await expectAnswered("accept");
    expect(server.answers).toHaveLength(1);
    expect(browser.windows[0]?.closed).toBe(true);
  });

  it("gets a decline", async () => {
    const { server } = await ask(CONNECT);
    await userEvent.click(await screen.findByRole("button", { name: "Decline" }));
    await expectAnswered("decline");
    expect(server.answers).toMatchObject([{ action: "decline" }]);
  });

  it("gets the content of a form that has no mode", async () => {
    const { server } = await ask({
      elicitationId: "1",
      message: "Where to?",
      requestedSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    });
    await userEvent.type(await screen.findByRole("textbox"), "Lisbon");
    await userEvent.click(screen.getByRole("button", { name: "Send" }));
    await expectAnswered("accept");
    expect(server.answers).toMatchObject([{ content: { city: "Lisbon" } }]);
  });

  it("causes a warning for its developer about a request that cannot be shown", async () => {
    await ask({ elicitationId: "1", message: "Neither a page nor a form" });
    await expect.poll(() => warnings.join()).toContain("a request that cannot be shown");
  });

  it("gets no answer for an unsafe link, which the card blocks", async () => {
    await ask({ ...CONNECT, url: "javascript:alert(1)" });
    expect(await screen.findByText("This link is not safe, so it cannot be opened.")).toBeDefined();
  });
});
