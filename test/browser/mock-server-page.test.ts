import { askToConnect, createMockServer, type MockServer, say } from "elicit-kit/mock-server";
import connectPage from "elicit-kit/mock-server/connect.html?url";
import { setupWorker } from "msw/browser";
import { afterEach, beforeEach, expect, it } from "vitest";

let server: MockServer;
let worker: ReturnType<typeof setupWorker>;
beforeEach(async () => {
  server = createMockServer({
    connectPage,
    script: [askToConnect({ service: "Tracker" }), say(({ outcome }) => `It is ${outcome}.`)],
  });
  worker = setupWorker(...server.handlers);
  await worker.start({ quiet: true, onUnhandledFrame: "bypass" });
});
afterEach(async () => {
  await worker.stop();
  await server.close();
});

/** Runs the agent until it asks. `ended` has the rest of the run. */
async function runUntilAsked(): Promise<{ url: string; ended: Promise<string> }> {
  const response = await fetch("/run/api/chat", {
    method: "POST",
    headers: { "content-type": "application/json", "x-supports-elicitation": "true" },
    body: JSON.stringify({ id: "page", messages: [{ parts: [] }] }),
  });
  const ended = response.text();
  await expect.poll(() => server.pending()).toHaveLength(1);
  return { url: server.pending()[0]!.url!, ended };
}

/** Opens the page as the chat does, and presses one of its buttons. */
async function pressOnPage(url: string, action: string): Promise<Window> {
  const popup = window.open(url, "", "popup")!;
  const button = () => popup.document.querySelector<HTMLButtonElement>(`[data-action=${action}]`);
  await expect.poll(() => popup.document.readyState === "complete" && button()).toBeTruthy();
  button()!.click();
  return popup;
}

function nextMessage(): Promise<MessageEvent<unknown>> {
  return new Promise((resolve) => window.addEventListener("message", resolve, { once: true }));
}

it("the mock server's page connects the account, notifies the chat and closes", async () => {
  const { url, ended } = await runUntilAsked();
  const told = nextMessage();
  const popup = await pressOnPage(url, "connect");
  expect(await ended).toContain("accepted.");
  const { elicitationId } = Object.fromEntries(new URL(url).searchParams);
  const { data, origin } = await told;
  expect(data).toEqual({ source: "elicit-kit", version: 1, type: "elicitation-complete", elicitationId });
  expect(origin).toBe(location.origin);
  await expect.poll(() => popup.closed).toBe(true);
});

it("the mock server's page stays open after a failure, so that the user can try again", async () => {
  const { url, ended } = await runUntilAsked();
  const popup = await pressOnPage(url, "fail");
  const elicitationId = server.pending()[0]!.elicitationId;
  await expect
    .poll(async () => (await fetch(`/run/api/elicitations/${elicitationId}`)).json())
    .toMatchObject({ status: "pending", lastError: "The provider refused." });
  popup.document.querySelector<HTMLButtonElement>("[data-action=connect]")!.click();
  expect(await ended).toContain("accepted.");
});

it("the button Decline on the mock server's page declines", async () => {
  const { url, ended } = await runUntilAsked();
  await pressOnPage(url, "decline");
  expect(await ended).toContain("declined.");
});
