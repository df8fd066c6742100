import { expect, within } from "storybook/test";
import preview from "../.storybook/preview.tsx";
import { SdkChat, overA2a, overAcp, overAgUi, overMcp2025, overMcp2026 } from "./sdk-chat.tsx";

/** Pages whose agent is behind another protocol. Both ends are here, with the real SDK of the protocol between them. */
const meta = preview.meta({
  title: "Journeys/ACP, A2A, AG-UI and MCP",
  component: SdkChat,
  parameters: { column: false },
});

interface Page {
  canvas: ReturnType<typeof within>;
  userEvent: { click(element: Element): Promise<void>; type(element: Element, text: string): Promise<void> };
}

async function ask({ canvas, userEvent }: Page, what: string): Promise<void> {
  await userEvent.click(await canvas.findByRole("button", { name: what }));
}

async function fill({ canvas, userEvent }: Page, name: string, text: string): Promise<void> {
  const field = await canvas.findByRole("textbox", { name });
  await userEvent.type(field, text);
  await userEvent.click(within(field.closest("form")).getByRole("button", { name: "Send" }));
}

/** Opens the page, and allows the request there. */
async function allow({ canvas, userEvent }: Page): Promise<void> {
  await userEvent.click(await canvas.findByRole("button", { name: /^(Connect|Open page)$/ }));
  await userEvent.click(await canvas.findByRole("button", { name: "Allow" }));
}

async function answersForm(page: Page): Promise<void> {
  await ask(page, "Ask for a form");
  await fill(page, "City", "Lisbon");
  await expect(await page.canvas.findByText("Ended: accepted.")).toBeVisible();
}

async function declinesForm(page: Page): Promise<void> {
  await ask(page, "Ask for a form");
  await page.userEvent.click(await page.canvas.findByRole("button", { name: "Decline" }));
  await expect(await page.canvas.findByText("Ended: declined.")).toBeVisible();
}

async function opensPage(page: Page): Promise<void> {
  await ask(page, "Ask for a page");
  await allow(page);
  await expect(await page.canvas.findByText("Ended: accepted.")).toBeVisible();
}

async function answersSeveral(page: Page): Promise<void> {
  await ask(page, "Ask for several at once");
  await fill(page, "City", "Lisbon");
  await allow(page);
  await fill(page, "Nights", "2");
  await expect(await page.canvas.findByText("Ended: accepted, accepted, accepted.")).toBeVisible();
}

/** In AG-UI, a page cannot read the status of a request: the user confirms that they have finished. */
async function finish({ canvas, userEvent }: Page): Promise<void> {
  await userEvent.click(await canvas.findByRole("button", { name: "I’ve finished" }));
}

export const Acp = meta.story({ name: "ACP", args: { connectTo: overAcp } });

Acp.test("shows a form, and the agent continues with the answer", answersForm);
Acp.test("tells the agent that the user declined", declinesForm);
Acp.test("opens a page, and the agent continues when it is done", opensPage);
Acp.test("shows several at once, and each answer reaches its question", answersSeveral);

export const AgUi = meta.story({ name: "AG-UI", args: { connectTo: overAgUi } });

AgUi.test("shows a form, and the agent continues with the answer", answersForm);
AgUi.test("tells the agent that the user declined", declinesForm);
AgUi.test("opens a page, and the agent continues when it is done", async (page) => {
  await ask(page, "Ask for a page");
  await allow(page);
  await finish(page);
  await expect(await page.canvas.findByText("Ended: accepted.")).toBeVisible();
});

AgUi.test("shows several at once, and each answer reaches its question", async (page) => {
  await ask(page, "Ask for several at once");
  await fill(page, "City", "Lisbon");
  await allow(page);
  await finish(page);
  await fill(page, "Nights", "2");
  await expect(await page.canvas.findByText("Ended: accepted, accepted, accepted.")).toBeVisible();
});

export const Mcp2025 = meta.story({ name: "MCP 2025-11-25", args: { connectTo: overMcp2025 } });

Mcp2025.test("shows a form, and the agent continues with the answer", answersForm);
Mcp2025.test("tells the agent that the user declined", declinesForm);
Mcp2025.test("opens a page, and the agent continues when it is done", opensPage);
Mcp2025.test("shows several at once, and each answer reaches its question", answersSeveral);

export const Mcp2026 = meta.story({ name: "MCP 2026-07-28", args: { connectTo: overMcp2026 } });

Mcp2026.test("shows a form, and the agent continues with the answer", answersForm);
Mcp2026.test("tells the agent that the user declined", declinesForm);
Mcp2026.test("opens a page, and the agent continues when it is done", opensPage);
Mcp2026.test("shows the questions of a round together, and sends them together", answersSeveral);

export const A2a = meta.story({ name: "A2A", args: { connectTo: overA2a } });

A2a.test("shows a form, and the agent continues with the answer", answersForm);
A2a.test("tells the agent that the user declined", declinesForm);
A2a.test("opens a page, and the agent continues when it is done", opensPage);
A2a.test("shows several one after another, because a task waits for one kind at a time", answersSeveral);
