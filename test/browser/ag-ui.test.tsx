import { HttpAgent } from "@ag-ui/client";
import { Elicitations } from "elicit-kit";
import { createAgUiChannel } from "elicit-kit/ag-ui";
import { createElicitationClient } from "elicit-kit/client";
import { createRoot } from "react-dom/client";
import { expect, inject, it, onTestFinished } from "vitest";
import { page, userEvent } from "vitest/browser";

/** An agent on another origin than this page, with a user's token. */
function agentAt(path: string): HttpAgent {
  const url = new URL(path, inject("agUiUrl")).href;
  expect(new URL(url).origin).not.toBe(location.origin);
  return new HttpAgent({ url, threadId: crypto.randomUUID(), headers: { authorization: "Bearer ada" } });
}

it("a page of an allowed origin runs the agent, shows its form, and sends the answer", async () => {
  const agent = agentAt("/open");
  const client = createElicitationClient({
    channel: createAgUiChannel({ agent, agentName: "Planner", storage: null }),
  });
  const host = document.body.appendChild(document.createElement("div"));
  const root = createRoot(host);
  onTestFinished(() => {
    root.unmount();
    host.remove();
    client.dispose();
  });
  root.render(<Elicitations client={client} conversationId={agent.threadId} />);
  await agent.runAgent();
  await userEvent.fill(page.getByRole("textbox", { name: "City" }), "Lisbon");
  await userEvent.click(page.getByRole("button", { name: "Send" }));
  await expect.poll(() => agent.messages.at(-1)?.content).toMatch(/accepted.*Lisbon/);
});

it("a page of another origin cannot run the agent, nor read the error", async () => {
  await expect(agentAt("/own").runAgent()).rejects.toThrow("Failed to fetch");
});

it("a page of the endpoint's own origin can run the agent without being listed", async () => {
  const frame = document.createElement("iframe");
  const told = new Promise((resolve) => {
    addEventListener("message", ({ source, data }) => {
      if (source === frame.contentWindow) resolve(data);
    });
  });
  frame.src = new URL("/page", inject("agUiUrl")).href;
  document.body.append(frame);
  onTestFinished(() => frame.remove());
  expect(await told).toEqual({ status: 200 });
});
